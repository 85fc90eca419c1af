import { cookiePath, cookiesOf, PAYMENT_COOKIES } from '../src/x402/page/cookie.ts'
import { decimalOf, type PageOption } from '../src/x402/page/options.ts'
import type { PageData } from '../src/x402/page/page.ts'
import { PayProblem, type Problem, type Step, signPayment } from './pay.ts'
import { findWallets, type Wallet } from './wallets.ts'

/** The script of the payment page: has a wallet sign, and loads the resource with the payment. */

const data: PageData = JSON.parse(element('data').textContent ?? '')
const status = element('status')

type Sentence = (wallet: Wallet, option: PageOption, held: string) => string

const SENTENCES: Readonly<Record<Step | Problem, Sentence>> = {
  connecting: ({ name }) => `Open ${name} and let this page see your address.`,
  switching: ({ name }, { networkName }) => `Open ${name} and switch to ${networkName}.`,
  checking: (_, { symbol }) => `Looking how much ${symbol} you have.`,
  signing: ({ name }, { amount, symbol }) =>
    `Open ${name} and sign the payment of ${amount} ${symbol}.`,
  declined: ({ name }) => `You declined in ${name}. Nothing was paid.`,
  busy: ({ name }) => `${name} is waiting for an answer to an earlier question. Open it first.`,
  unknownNetwork: ({ name }, { networkName }) =>
    `${name} doesn’t know ${networkName}. Add that network to it, and try again.`,
  elsewhere: ({ name }, { networkName }) =>
    `${name} is still on another network. Switch it to ${networkName}, and try again.`,
  otherToken: (_, { symbol }) => `What this page asks for isn’t ${symbol}. Nothing was signed.`,
  short: (_, { amount, symbol, networkName, decimals }, held) =>
    `This account has ${decimalOf(held, decimals)} ${symbol} on ${networkName}. You need ${amount}.`,
  failed: ({ name }) => `${name} did not sign. Nothing was paid.`,
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
      'There is no wallet in this browser. Open this page where you have one: in a browser with a wallet’s ' +
      'extension, or in the browser of a wallet’s app.'
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
      throw new Error('Your browser keeps no cookies for this page. Allow them, and try again.')
    }
    say('Signed. The payment is being carried out, and the page opens when it is done.')
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

/** For as long as the signature is good: while the server is busy, loading the page again shows it again. */
function keepPayment(payment: string, { accepted }: PageOption): boolean {
  const cookies = cookiesOf(payment, cookiePath(location.pathname)) ?? []
  for (const cookie of cookies) setCookie(cookie, accepted.maxTimeoutSeconds)
  return cookies.length > 0 && cookies.every((cookie) => document.cookie.includes(cookie))
}

/** What was answered by this page again is of no use any more. */
function forgetPayment(): void {
  for (const name of PAYMENT_COOKIES) setCookie(`${name}=`, 0)
}

/** For this address alone, and never with a request that another site has caused. */
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
