import { join } from 'node:path'
import { Remit } from '@remit/sdk'
import { shopPage } from './page.ts'

/** A shop with one product, paid with Remit's checkout. */

export interface ShopOptions {
  readonly apiUrl: string
  readonly secretKey: string
  readonly publishableKey: string
  /** 0 for any free port. */
  readonly port: number
}

export interface Shop {
  readonly origin: string
  stop(): Promise<void>
}

const PRODUCT = 'Three months of tea'

/** Opens the shop: creates its price, and allows its origin to show the checkout. */
export async function openShop(options: ShopOptions): Promise<Shop> {
  const { apiUrl, secretKey, publishableKey, port } = options
  const remit = new Remit({ apiUrl, key: secretKey })
  const [script, price] = await Promise.all([buildScript(), priceOfTea(remit)])
  const page = shopPage({ apiUrl, publishableKey, price, product: PRODUCT })
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    routes: {
      '/': () => new Response(page.html, { headers: page.headers }),
      '/shop.js': () => new Response(script, { headers: { 'content-type': 'text/javascript' } }),
      '/orders/:reference': async ({ params: { reference } }) =>
        Response.json({ isPaid: await isPaid(remit, reference) }),
    },
  })
  const origin = `http://localhost:${server.port}`
  await allow(remit, origin)
  return { origin, stop: () => server.stop(true) }
}

/** The browser's script. */
async function buildScript(): Promise<string> {
  const entrypoints = [join(import.meta.dirname, 'browser.ts')]
  const built = await Bun.build({ entrypoints, target: 'browser', minify: true })
  const [script] = built.outputs
  if (script === undefined) throw new Error('the script of the shop was not built')
  return script.text()
}

/** The price of the product: created once, reused at later starts. */
async function priceOfTea(remit: Remit): Promise<string> {
  for await (const price of remit.prices.iterate()) {
    if (price.active && price.description === PRODUCT) return price.id
  }
  const tokens = ['USDC', 'USDT']
  const price = await remit.prices.create({ amount: '12.5', tokens, description: PRODUCT })
  return price.id
}

/** Adds this origin to those that may create and show sessions. */
async function allow(remit: Remit, origin: string): Promise<void> {
  const { allowedOrigins } = await remit.checkout.settings.get()
  if (allowedOrigins.includes(origin)) return
  await remit.checkout.settings.change({ allowedOrigins: [...allowedOrigins, origin] })
}

/** Whether the invoice with this reference is paid. */
async function isPaid(remit: Remit, reference: string): Promise<boolean> {
  const { data } = await remit.invoices.list({ reference })
  return data.some(({ status }) => status === 'paid' || status === 'completed')
}
