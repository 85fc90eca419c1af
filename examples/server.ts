/**
 * `bun run example:server`: a merchant's server that charges for two routes without middleware, by the plain
 * dialect (docs/x402.md#dialects). Clients of x402 v2 send the same base64 as PAYMENT-SIGNATURE.
 */
import { Database } from 'bun:sqlite'
import { Elysia } from 'elysia'
import {
  type Offer,
  offerFor,
  register,
  type Settled,
  settleHeader,
  statusOf,
  verify,
} from './remit.ts'
import { HOME, listening, placeOn } from './stack.ts'

const { port, publicUrl } = placeOn(4021)

/** Served payments, stored persistently: a header is accepted once, also after a restart. */
const database = new Database(`${HOME}/served.sqlite`)
database.run('create table if not exists served (payment_id text primary key)')
const serve = database.query('insert or ignore into served (payment_id) values (?)')

/** v1 has its own name for the chain; verify and settle accept both. */
const V1 = { network: 'base-sepolia' }

/** A handler for requests that have paid the price of their path. */
function paid(handler: () => object) {
  return async ({ request }: { request: Request }): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const offer = await offerFor(publicUrl + pathname)
    const header = request.headers.get('X-PAYMENT') ?? request.headers.get('PAYMENT-SIGNATURE')
    if (header === null) return paymentRequired(pathname, offer)
    const result = await collect(header, offer)
    if (!result.success || !result.paymentId) return paymentRequired(pathname, offer, result.error)
    // An id identifies (network, asset, payer, nonce). The first request to insert it is served.
    const isFirst = serve.run(result.paymentId).changes === 1
    if (!isFirst) return paymentRequired(pathname, offer, 'this payment was served before')
    const headers = {
      'X-PAYMENT-RESPONSE': versionOf(header) === 1 ? base64(result) : JSON.stringify(result),
      'PAYMENT-RESPONSE': base64(result),
    }
    return Response.json(handler(), { headers })
  }
}

/** Settles the payment, or finds that it is already settled. Doesn't check whether it was served. */
async function collect(header: string, offer: Offer): Promise<Settled> {
  const { status, error, ...known } = await statusOf(header, offer)
  if (status === 'failed') return { success: false, error: error ?? status }
  // Settle waits for a pending payment, and only responds to callers with its signature.
  if (status !== 'settled') return settleHeader(header, offer)
  // A nonce is public: verify checks that the header is signed by the payer for this price.
  const { isValid, invalidReason } = await verify(header, offer)
  const isOwn = isValid || invalidReason === 'duplicate_settlement'
  if (!isOwn) return { success: false, error: invalidReason }
  return { ...known, amount: offer.requirements.amount, success: true }
}

/** A 402 for payers of both versions: v2 reads the header, v1 the body, which also has v2's fields. */
function paymentRequired(path: string, { x402Version, requirements }: Offer, error?: string) {
  const url = publicUrl + path
  const why = error && { error }
  const asV1 = { maxAmountRequired: requirements.amount, resource: url, mimeType: '' }
  const body = { x402Version: 1, accepts: [{ ...requirements, ...V1, ...asV1 }], ...why }
  const forV2 = base64({ x402Version, accepts: [requirements], ...why, resource: { url } })
  return Response.json(body, { status: 402, headers: { 'PAYMENT-REQUIRED': forV2 } })
}

/** The version of a payment, which decides the format of its receipt. */
function versionOf(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString()).x402Version
  } catch {
    return null
  }
}

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

await register(`${publicUrl}/report`, '0.01')
await register(`${publicUrl}/archive`, '0.02')
const app = new Elysia()
  .get(
    '/report',
    paid(() => ({ report: 'sunny, 24 °C' })),
  )
  .get(
    '/archive',
    paid(() => ({ archive: ['rainy', 'cloudy', 'sunny'] })),
  )
  .onError(({ code, error }) => {
    if (code !== 'UNKNOWN') return undefined
    // Remit is unreachable. Nothing is lost: the same header can be sent again in a minute.
    console.error(error)
    return new Response('payments are not available, try again', { status: 503 })
  })
await listening(port, () => app.listen({ port, hostname: '127.0.0.1' }))
console.log(`listening on http://localhost:${app.server?.port}`)
