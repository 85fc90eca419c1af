/**
 * `bun run example:shop`: a shop on its own origin that opens the checkout with the widget. The page
 * has the publishable key and creates the session itself; its events are for display, and the server checks
 * with the secret key whether an order is paid.
 */
import { apiUrl, listening, placeOn, publishableKey, secretKey } from '../stack.ts'
import { openShop } from './shop.ts'

const { port } = placeOn(4024)
const { origin } = await listening(port, () =>
  openShop({ apiUrl, secretKey, publishableKey, port }),
)
console.log(`listening on ${origin}`)
