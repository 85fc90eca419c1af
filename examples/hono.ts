/**
 * `bun run example:hono`: a merchant's server on Hono with the stock middleware of x402 v2, for which
 * Remit is a standard facilitator. Browsers get the SDK's payment page.
 */
import { honoPaymentCookie, stockPaywall } from '@remit/sdk/x402'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/hono'
import { Hono } from 'hono'
import { register } from './remit.ts'
import { apiUrl, listening, placeOn } from './stack.ts'

const { port, publicUrl } = placeOn(4022)
const { requirements } = await register(`${publicUrl}/report`, '0.01')
const { scheme, network, payTo, amount, asset, extra, maxTimeoutSeconds } = requirements

const facilitator = new HTTPFacilitatorClient({ url: `${apiUrl}/v1/x402` })
const resources = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
// `extra` binds payments to this endpoint; without it they are only bound to the merchant.
const accepts = { scheme, network, payTo, price: { amount, asset, extra }, maxTimeoutSeconds }

const routes = { 'GET /report': { accepts, description: 'The report' } }
const app = new Hono()
  .use(honoPaymentCookie)
  .use(paymentMiddleware(routes, resources, undefined, stockPaywall))
  .get('/report', (context) => context.json({ report: 'sunny, 24 °C' }))

const server = await listening(port, () =>
  Bun.serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }),
)
console.log(`listening on http://localhost:${server.port}`)
