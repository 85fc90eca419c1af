/** A shop's server, on an origin of its own: one page that loads the widget and writes down what it hears. */
export interface Shop {
  readonly origin: string
  stop(): Promise<void>
}

/** Shown in the page, where a test reads it: the types of all events so far. */
export const HEARD = 'output'

/** A shop that shows the checkout of the Remit at this origin, by the strictest policy that lets it. */
export function openShop(remit: string, frames = remit): Shop {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${remit}`,
    `frame-src ${frames}`,
    "style-src 'self'",
    'img-src data:',
  ]
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/shop.js': new Response(SCRIPT, { headers: { 'content-type': 'text/javascript' } }),
      '/shop.css': new Response('#long { height: 5000px }', {
        headers: { 'content-type': 'text/css' },
      }),
      '/bare': new Response('<!doctype html><title>Shop</title><body>', {
        headers: { 'content-type': 'text/html' },
      }),
      '/': new Response(page(remit), {
        headers: { 'content-type': 'text/html', 'content-security-policy': policy.join('; ') },
      }),
    },
  })
  return { origin: server.url.origin, stop: () => server.stop(true) }
}

function page(remit: string): string {
  return `<!doctype html>
<html lang="en">
<title>Shop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
<button>Buy</button>
<output></output>
<p id="long"></p>
<script src="${remit}/widget.js"></script>
<script src="/shop.js"></script>
</html>`
}

/** The session is in the address of the page, so that one shop shows any. */
const SCRIPT = `
const session = new URLSearchParams(location.search).get('session')
const output = document.querySelector('output')
for (const type of ['seen', 'partial', 'paid', 'completed', 'expired', 'closed']) {
  document.addEventListener('remit:' + type, ({ detail }) => {
    output.textContent += detail.type + ':' + detail.reference + ' '
  })
}
document.querySelector('button').onclick = () => { window.checkout = Remit.open({ session }) }
`
