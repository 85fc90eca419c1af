import { cookiePath, cookiesOf, PAYMENT_COOKIES } from '../src/x402/page/cookie.ts'
import { decimalOf, type PageOption } from '../src/x402/page/options.ts'
import type { PageData } from '../src/x402/page/page.ts'
import { PayProblem, type Problem, type Step, signPayment } from './pay.ts'
import { findWallets, type Wallet } from './wallets.ts'

/** The script of the payment page: requests a wallet's signature, and loads the resource with the payment. */

const data: PageData = JSON.parse(element('data').textContent ?? '')
const status = element('status')

type Sentence = (wallet: Wallet, option: PageOption, held: string) => string

const SENTENCES: Readonly<Record<Step | Problem, Sentence>> = {
  connecting: ({ name }) => `Open ${name} and share your address with this page.`,
  switching: ({ name }, { networkName }) => `Open ${name} and switch to ${networkName}.`,
  checking: (_, { symbol }) => `Checking your ${symbol} balance.`,
  signing: ({ name }, { amount, symbol }) =>
    `Open ${name} and sign the payment of ${amount} ${symbol}.`,
  declined: ({ name }) => `You declined the request in ${name}. Nothing was paid.`,
  busy: ({ name }) => `${name} has another open request. Open it first.`,
  unknownNetwork: ({ name }, { networkName }) =>
    `${networkName} is not set up in ${name}. Add the network and try again.`,
  elsewhere: ({ name }, { networkName }) =>
    `${name} uses another network. Switch to ${networkName} and try again.`,
  otherToken: (_, { symbol }) => `The requested token isn’t ${symbol}. Nothing was signed.`,
  short: (_, { amount, symbol, networkName, decimals }, held) =>
    `Insufficient balance: ${decimalOf(held, decimals)} ${symbol} on ${networkName}. You need ${amount}.`,
  failed: ({ name }) => `${name} did not sign the payment. Nothing was paid.`,
}

if (!data.isPending) forgetPayment()
const place = document.getElementById('wallets')
if (place !== null) {
  place.replaceChildren()
  findWallets((wallets) => showWallets(place, wallets))
}
document.onchange = () => {
  const option = chosen()
  if (option) element('price').textContent = `${option.amount} ${option.symbol}`
}

function showWallets(at: HTMLElement, wallets: readonly Wallet[]): void {
  if (wallets.length === 0) {
    const note = document.createElement('p')
    note.className = 'note'
    note.textContent =
      'No wallet was found in this browser. Open this page in a browser with a wallet ' +
      'extension, or in the browser of a wallet app.'
    at.replaceChildren(note)
    return
  }
  at.replaceChildren(...wallets.map(buttonOf))
}

function buttonOf(wallet: Wallet): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  if (wallet.icon !== null) {
    const icon = document.createElement('img')
    Object.assign(icon, { src: wallet.icon, alt: '', width: 20, height: 20 })
    button.append(icon)
  }
  button.append(`Pay with ${wallet.name}`)
  button.onclick = () => pay(wallet)
  return button
}

async function pay(wallet: Wallet): Promise<void> {
  const option = chosen()
  if (option === undefined) return
  lock(true)
  try {
    const payment = await signPayment(wallet.provider, option, data, (step) =>
      say(SENTENCES[step](wallet, option, '0')),
    )
    if (!keepPayment(payment, option)) {
      throw new Error('Your browser blocks cookies for this page. Allow them and try again.')
    }
    say('Payment signed. This page opens when the payment is completed.')
    location.reload()
  } catch (error) {
    const isKnown = error instanceof PayProblem
    say(
      isKnown
        ? SENTENCES[error.problem](wallet, option, error.held)
        : String(Object(error).message),
    )
    status.classList.add('problem')
    lock(false)
  }
}

function chosen(): PageOption | undefined {
  const input = document.querySelector<HTMLInputElement>('input[name=option]:checked')
  return data.options[Number(input?.value ?? 0)]
}

function say(text: string): void {
  status.classList.remove('problem')
  status.textContent = text
}

function lock(isLocked: boolean): void {
  for (const one of document.querySelectorAll<HTMLButtonElement | HTMLInputElement>(
    'button, input',
  )) {
    one.disabled = isLocked
  }
}

/** Kept while the signature is valid: if the server is busy, reloading the page sends it again. */
function keepPayment(payment: string, { accepted }: PageOption): boolean {
  const cookies = cookiesOf(payment, cookiePath(location.pathname)) ?? []
  for (const cookie of cookies) setCookie(cookie, accepted.maxTimeoutSeconds)
  return cookies.length > 0 && cookies.every((cookie) => document.cookie.includes(cookie))
}

/** A payment that led to this page again is of no further use. */
function forgetPayment(): void {
  for (const name of PAYMENT_COOKIES) setCookie(`${name}=`, 0)
}

/** Only for this address, and never sent with requests from other sites. */
function setCookie(cookie: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is for secure contexts and newer browsers only.
  document.cookie = `${cookie}; Path=${cookiePath(location.pathname)}; Max-Age=${seconds}; SameSite=Strict${secure}`
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}
