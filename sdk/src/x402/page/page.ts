import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from './built.ts'
import { optionsIn, type PageOption, type Requirement } from './options.ts'

/** The 402 response for browsers: the price, and payment with a wallet in this browser. */

export interface PageChallenge {
  readonly url: string
  readonly description?: string | undefined
  readonly accepts: readonly Requirement[]
  /** Why the payment was refused: a code, and the same as a message. */
  readonly error?: string | undefined
  readonly message?: string | undefined
}

/** The data of the page's script. */
export interface PageData {
  readonly url: string
  readonly options: readonly PageOption[]
  /** The server's clock, in Unix seconds: the payer's may be wrong, and it determines the expiry of the signature. */
  readonly now: number
  /** Whether a payment is already pending, so that none is requested. */
  readonly isPending: boolean
}

/**
 * Only inline content; wallets provide their icons as data. Browsers support `frame-ancestors` in
 * headers only.
 */
const POLICY = [
  "default-src 'none'",
  `script-src '${SCRIPT_HASH}'`,
  `style-src '${STYLE_HASH}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Headers of the page. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'accept',
}

/** The page as HTML. All text of the server or the API is escaped. `now` is in Unix seconds. */
export function paymentPage(challenge: PageChallenge, now: number): string {
  const { url, accepts, error } = challenge
  const options = optionsIn(accepts)
  const isPending = error === 'settlement_pending'
  const data: PageData = { url, options, now, isPending }
  const [first] = options
  const price = first ? `${first.amount} ${first.symbol}` : 'a price'
  return document(`Pay ${price}`, [
    `<p class="place">${escaped(hostAndPathOf(url))}</p>`,
    first ? `<h1 id="price">${amountOf(first)}</h1>` : '<h1>Payment required</h1>',
    challenge.description ? `<p class="about">${escaped(challenge.description)}</p>` : '',
    isPending ? PENDING : problemOf(challenge),
    isPending ? '' : choiceOf(options),
    '<p id="status" role="status"></p>',
    options.length > 0 && !isPending ? termsOf(options) : '',
    FOR_PROGRAMS,
    `<script type="application/json" id="data">${jsonOf(data)}</script>`,
    `<script>${SCRIPT}</script>`,
  ])
}

/** The page for unavailable payments. Reloading it sends the same payment again. */
export function unavailablePage(): string {
  return document('Payments unavailable', [
    '<h1>Payments are currently unavailable</h1>',
    '<p>If you have just signed a payment, nothing is lost: reload this page in a minute.</p>',
    RELOAD,
  ])
}

function document(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${parts.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`
}

/** An empty reference links to this page. */
const RELOAD = '<p><a class="button" href="">Reload this page</a></p>'

const PENDING = `<p class="note">Your payment is pending. Don't sign another one.</p>
${RELOAD}`

const FOR_PROGRAMS = `<details>
<summary>Pay with a program</summary>
<p>This address speaks x402. Clients of x402 pay it as it is: what they need is in the header
<code>PAYMENT-REQUIRED</code> of this answer.</p>
</details>`

function problemOf({ error, message }: PageChallenge): string {
  if (error === undefined) return ''
  const why =
    error === 'duplicate_settlement' ? 'This payment was already used.' : (message ?? error)
  return `<p class="problem" role="alert">Your last payment was not accepted. ${escaped(why)}</p>`
}

/** The payment form; until the script replaces it, a note for browsers without JavaScript. */
function choiceOf(options: readonly PageOption[]): string {
  if (options.length === 0) {
    return `<p class="note">Browser wallets can't pay this price. Use an x402 client.</p>`
  }
  const networks = options.map(
    (
      option,
      at,
    ) => `<label><input type="radio" name="option" value="${at}"${at === 0 ? ' checked' : ''}>
<span>${escaped(option.networkName)}</span> <small>${amountOf(option)}</small></label>`,
  )
  const choice = `<fieldset><legend>Network</legend>${networks.join('')}</fieldset>`
  return `${options.length > 1 ? choice : ''}
<div id="wallets"><p class="note">Payment requires JavaScript and a wallet in this browser. Enable JavaScript and
reload this page, or pay with an x402 client.</p></div>`
}

function termsOf(options: readonly PageOption[]): string {
  const [first] = options
  if (first === undefined) return ''
  const rows = options.map(
    ({ networkName, accepted }) =>
      `<dt>Paid to, on ${escaped(networkName)}</dt><dd><code>${escaped(accepted.payTo)}</code></dd>`,
  )
  return `<dl>${rows.join('')}</dl>
<p class="small">You sign one payment of exactly this amount and pay no network fee. It opens this page once.</p>`
}

function amountOf({ amount, symbol }: PageOption): string {
  return `${escaped(amount)} ${escaped(symbol)}`
}

/** Host and path of the resource. */
function hostAndPathOf(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/[?#].*$/s, '')
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** In a script element only `<` can end it or change its parsing. */
function jsonOf(data: PageData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
