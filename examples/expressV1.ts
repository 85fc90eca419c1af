/**
 * `bun run example:express`: a merchant's server on Express with the stock middleware of x402 v1, for
 * which Remit is a standard facilitator. v1 has its own names for chains.
 */
import { once } from 'node:events'
import express from 'express'
import { paymentMiddleware } from 'x402-express'
import { register } from './remit.ts'
import { apiUrl, listening, placeOn } from './stack.ts'

const { port, publicUrl } = placeOn(4023)
const { requirements } = await register(`${publicUrl}/report`, '0.01')
const { payTo, amount, asset, extra } = requirements
const { name, version } = extra
const price = { amount, asset: { address: asset, decimals: 6, eip712: { name, version } } }

const app = express()
const routes = { 'GET /report': { price, network: 'base-sepolia' } } as const
app.use(paymentMiddleware(payTo, routes, { url: `${apiUrl}/v1/x402` }))
app.get('/report', (_request, response) => {
  response.json({ report: 'sunny, 24 °C' })
})

const address = await listening(port, async () => {
  const server = app.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server.address()
})
if (typeof address === 'object') console.log(`listening on http://localhost:${address?.port}`)
