/** The shop's page, with the content security policy that the checkout needs. */

interface Shop {
  readonly apiUrl: string
  readonly publishableKey: string
  /** The id of the price. */
  readonly price: string
  readonly product: string
}

const STYLE = `
body { font: 17px/1.5 system-ui; max-width: 32rem; margin: 4rem auto; padding: 0 1rem }
button { font: inherit; padding: 0.6rem 1.2rem; border: 0; border-radius: 8px; background: #0b6e4f; color: #fff }
`

export function shopPage({ apiUrl, publishableKey, price, product }: Shop) {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${product}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="data:text/css;base64,${btoa(STYLE)}">
</head>
<body>
<h1>${product}</h1>
<button id="buy" data-api="${apiUrl}" data-key="${publishableKey}" data-price="${price}">Buy for 12.50</button>
<p id="status" role="status"></p>
<script type="module" src="/shop.js"></script>
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${apiUrl}`,
    `frame-src ${apiUrl}`,
    `connect-src 'self' ${apiUrl}`,
    'style-src data:',
    'img-src data:',
    "base-uri 'none'",
  ]
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
  }
  return { html, headers }
}
