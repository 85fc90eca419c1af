import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware as expressV2 } from '@x402/express'
import { paymentMiddleware as honoV2 } from '@x402/hono'
import express, { type Handler } from 'express'
import { Hono, type MiddlewareHandler } from 'hono'
import { paymentMiddleware as expressV1 } from 'x402-express'
import { paymentMiddleware as honoV1 } from 'x402-hono'
import type { RequirementsJson } from '../../../core/x402/requirements.ts'

/** Merchants' servers with the stock middleware of x402, which charge for GET /report on any free port. */

export interface StockShop {
  /** Of the route that costs something. */
  readonly url: string
  close(): void
}

export type Middleware = '@x402/express' | '@x402/hono' | 'x402-express' | 'x402-hono'

export const REPORT = { report: 'sunny' }

/** What a server asks for; of the extra fields it may know the token's domain alone. */
export type AskedFor = Omit<RequirementsJson, 'extra'> & {
  readonly extra: Pick<RequirementsJson['extra'], 'name' | 'version'>
}

/** Starts a server for each middleware; all of them ask the same price and use the same facilitator. */
export async function openStockShops(
  facilitator: `http://${string}`,
  requirements: AskedFor,
): Promise<Readonly<Record<Middleware, StockShop>>> {
  const { routes, resources } = v2(facilitator, requirements)
  const { payTo, prices } = v1(requirements)
  const url = { url: facilitator }
  return {
    '@x402/express': await openExpress(expressV2(routes, resources)),
    '@x402/hono': openHono(honoV2(routes, resources)),
    'x402-express': await openExpress(expressV1(payTo, prices, url)),
    'x402-hono': openHono(honoV1(payTo, prices, url)),
  }
}

/** How stock middleware of v2 collects: verify, serve and settle, or settle alone and then serve. */
export type PaymentFlow = 'authorization' | 'upfront'

/** A server on @x402/hono that collects by this flow. */
export function openFlowShop(
  facilitator: string,
  requirements: AskedFor,
  paymentFlow: PaymentFlow,
): StockShop {
  const extra = { ...requirements.extra, paymentFlow }
  const { routes, resources } = v2(facilitator, { ...requirements, extra })
  return openHono(honoV2(routes, resources))
}

function v2(facilitator: string, requirements: AskedFor) {
  const { network, payTo, amount, asset, extra } = requirements
  const accepts = { scheme: 'exact', network, payTo, price: { amount, asset, extra } }
  const client = new HTTPFacilitatorClient({ url: facilitator })
  const resources = new x402ResourceServer(client).register(network, new ExactEvmScheme())
  return { routes: { 'GET /report': { accepts, description: 'The report' } }, resources }
}

/** v1 knows chains by names of its own, and no endpoints: the forwarder alone says who is paid. */
function v1({ payTo, amount, asset, extra }: AskedFor) {
  const eip712 = { name: extra.name, version: extra.version }
  const price = { amount, asset: { address: asset, decimals: 6, eip712 } }
  return { payTo, prices: { 'GET /report': { price, network: 'base-sepolia' } } as const }
}

function openHono(middleware: MiddlewareHandler): StockShop {
  const app = new Hono().use(middleware).get('/report', (context) => context.json(REPORT))
  const { fetch } = app
  // A settle may take longer than servers keep silent connections.
  const server = Bun.serve({ fetch, port: 0, hostname: '127.0.0.1', idleTimeout: 120 })
  return { url: `http://127.0.0.1:${server.port}/report`, close: () => void server.stop(true) }
}

function openExpress(middleware: Handler): Promise<StockShop> {
  const app = express()
    .use(middleware)
    .get('/report', (_request, response) => response.json(REPORT))
  return new Promise((resolve, reject) => {
    const server = app.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') {
        reject(new Error('the server listens on no port'))
        return
      }
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resolve({ url: `http://127.0.0.1:${address.port}/report`, close })
    })
  })
}
