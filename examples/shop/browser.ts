/** What runs in the browser: make a session of the price, open it, and say how it goes. */
import { Checkout } from '@remit/sdk/browser'

const button = element('buy')
const status = element('status')
const { api = '', key = '', price = '' } = button.dataset
const checkout = new Checkout({ apiUrl: api, publishableKey: key })

/** The same cart gets the same session, however often the button is pressed. */
const cart = sessionStorage.getItem('cart') ?? crypto.randomUUID()
sessionStorage.setItem('cart', cart)

button.onclick = async () => {
  try {
    const session = await checkout.createSession({ price, clientReference: cart })
    const dialog = await checkout.open(session.id)
    dialog.addEventListener('remit:seen', () => say('Your payment was seen.'))
    dialog.addEventListener('remit:partial', () => say('A part of it is here.'))
    dialog.addEventListener('remit:expired', () => say('The time is over.'))
    dialog.addEventListener('remit:paid', ({ detail }) => finish(detail.reference))
    dialog.addEventListener('remit:completed', ({ detail }) => finish(detail.reference))
  } catch (error) {
    say(`That did not work: ${error instanceof Error ? error.message : error}`)
  }
}

/** The page's view is for display only: the server decides whether it is paid. */
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
