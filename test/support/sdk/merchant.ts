/**
 * A merchant's program, in a project of its own that knows the SDK only as a package: an invoice, lists, a
 * payment in part, a refund, and webhooks that tell of it. The last line that it prints is what it saw.
 */
import { createServer } from 'node:http'
import { Remit, RemitError, verifyWebhook, type WebhookEvent } from '@remit/sdk'

const { API_URL = '', SECRET_KEY = '', ORDER = '' } = process.env
const remit = new Remit({ apiUrl: API_URL, key: SECRET_KEY })

let secret = ''
const forged: string[] = []
const heard: WebhookEvent[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  await verifyWebhook(`${body} `, request.headers, secret).catch((error: Error) => {
    forged.push(error.name)
  })
  heard.push(await verifyWebhook(body, request.headers, secret))
  response.writeHead(204).end()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined

type Typed<T extends WebhookEvent['type']> = Extract<WebhookEvent, { type: T }>

/** Waits for an event of this type and object; its data is typed by it. Others of the merchant come, too. */
async function event<T extends WebhookEvent['type']>(type: T, isIts: (one: Typed<T>) => boolean) {
  for (let looked = 0; looked < 600; looked += 1) {
    const typed = heard.filter((one): one is Typed<T> => one.type === type)
    const found = typed.find(isIts)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no ${type}; heard: ${heard.map((one) => one.type).join(', ')}`)
}

const endpoint = await remit.webhooks.endpoints.create({ url: `http://127.0.0.1:${port}/hook` })
secret = endpoint.secret
await remit.webhooks.endpoints.test(endpoint.id)
await event('test', () => true)

const wanted = { tokenSymbol: 'USDC', amountExpected: '10', externalRef: ORDER }
const invoice = await remit.invoices.create(wanted)
const again = await remit.invoices.create(wanted)
await remit.invoices.create({ ...wanted, externalRef: `${ORDER} second` })

const listed: string[] = []
for await (const one of remit.invoices.iterate({ externalRef: ORDER })) listed.push(one.id)
let count = 0
for await (const _ of remit.invoices.iterate({ limit: 1 })) count += 1

await remit.api.POST('/v1/sandbox/scenarios', {
  body: { invoiceId: invoice.id, scenario: 'partial' },
})
const partly = await event('invoice.partially_paid', ({ data }) => data.id === invoice.id)
const payer = partly.data.transactions[0]?.from ?? ''
const giveBack = { amount: '2', address: payer, idempotencyKey: 'some' }
const refund = await remit.refunds.create(invoice.id, giveBack)
const repeated = await remit.refunds.create(invoice.id, giveBack)
const created = await event('refund.created', ({ data }) => data.id === refund.id)

const price = await remit.prices.create({ amount: '12.5', tokens: ['USDC', 'USDT'] })
const cart = { price: price.id, clientReference: crypto.randomUUID() }
const session = await remit.checkout.sessions.create(cart)
const sameSession = await remit.checkout.sessions.create(cart)
const link = await remit.paymentLinks.create({ price: price.id })

const unknown = await remit.invoices.get(endpoint.id).catch((error: unknown) => {
  if (error instanceof RemitError) return { status: error.status, error: error.error }
  throw error
})

console.log(
  JSON.stringify({
    isSameInvoice: again.id === invoice.id,
    isListed: listed.length === 1 && listed[0] === invoice.id,
    hasAtLeastTwo: count >= 2,
    received: partly.data.receivedAmount,
    refund: { amount: refund.amount, isSame: repeated.id === refund.id },
    isRefundHeardOf: created.data.id === refund.id,
    areForgeriesRefused: forged.length === heard.length && new Set(forged).size === 1,
    session: { isSame: sameSession.id === session.id, state: session.view.state },
    isLinked: link.url.startsWith(API_URL),
    unknown,
  }),
)
process.exit(0)
