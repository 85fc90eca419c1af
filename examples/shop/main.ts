/**
 * `bun run example:shop`: a shop on an origin of its own, whose page opens the checkout by the widget. The page
 * has the publishable key and makes its session itself; its events are for display, and whether an order is
 * paid is asked by the server, with the secret key.
 */
import { apiUrl, listening, placeOn, publishableKey, secretKey } from '../stack.ts'
import { openShop } from './shop.ts'

const { port } = placeOn(4024)
const { origin } = await listening(port, () =>
  openShop({ apiUrl, secretKey, publishableKey, port }),
)
console.log(`listening on ${origin}`)
