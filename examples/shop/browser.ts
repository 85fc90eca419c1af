/** The browser's script: creates a session of the price, opens it, and shows its state. */
import { Checkout } from '@remit/sdk/browser'

const button = element('buy')
const status = element('status')
const { api = '', key = '', price = '' } = button.dataset
const checkout = new Checkout({ apiUrl: api, publishableKey: key })

/** The same cart gets the same session, regardless of repeated clicks. */
const cart = sessionStorage.getItem('cart') ?? crypto.randomUUID()
sessionStorage.setItem('cart', cart)

button.onclick = async () => {
  try {
    const session = await checkout.createSession({ price, clientReference: cart })
    const dialog = await checkout.open(session.id)
    dialog.addEventListener('remit:seen', () => say('Your payment was detected.'))
    dialog.addEventListener('remit:partial', () => say('A part of your payment was received.'))
    dialog.addEventListener('remit:expired', () => say('The payment window has expired.'))
    dialog.addEventListener('remit:paid', ({ detail }) => finish(detail.reference))
    dialog.addEventListener('remit:completed', ({ detail }) => finish(detail.reference))
  } catch (error) {
    say(`Something went wrong: ${error instanceof Error ? error.message : error}`)
  }
}

/** The page's events are for display only: the server checks whether the order is paid. */
async function finish(reference: string | null): Promise<void> {
  const response = await fetch(`/orders/${encodeURIComponent(reference ?? '')}`)
  const { isPaid } = await response.json()
  if (!isPaid) return
  say('Paid. The tea is on its way.')
  // The next purchase is another one.
  sessionStorage.removeItem('cart')
}

function say(text: string): void {
  status.textContent = text
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}
