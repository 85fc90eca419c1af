/** Calls of a merchant's server to Remit's API. They contain its key, so only servers may make them. */
import { apiUrl, secretKey } from './stack.ts'

/** A price, as sent to payers and the API. */
export interface Requirements {
  readonly scheme: string
  /** CAIP-2. */
  readonly network: `${string}:${string}`
  /** In base units. */
  readonly amount: string
  readonly asset: string
  /** The merchant's forwarder. */
  readonly payTo: `0x${string}`
  readonly maxTimeoutSeconds: number
  readonly extra: {
    readonly name: string
    readonly version: string
    readonly merchantId: string
    readonly endpointId: string
  }
  readonly description: string
}

/** The payment requirements of a price. */
export interface Offer {
  readonly x402Version: number
  readonly requirements: Requirements
}

/** Responses of verify, settle and the payment status: only the fields used here. */
export interface Verdict {
  readonly isValid: boolean
  readonly invalidReason?: string
}
export interface Settled {
  readonly success: boolean
  readonly paymentId?: string
  readonly transaction?: string
  readonly amount?: string
  readonly error?: string | undefined
}
export interface Status {
  readonly status: string
  readonly paymentId?: string
  readonly transaction?: string
  readonly error?: string | null
}

/** The registered price of a URL of this server. */
export function offerFor(url: string): Promise<Offer> {
  return call(`/endpoints/requirements?url=${encodeURIComponent(url)}`)
}

/** Registers a price in dollars for a URL of this server, unless it has one. */
export async function register(url: string, amountUsd: string): Promise<Offer> {
  try {
    return await offerFor(url)
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error
  }
  const price = { asset: 'USDC', network: 'eip155:84532', amountUsd }
  await call('/endpoints', { endpointUrl: url, ...price })
  return offerFor(url)
}

/** `header` is X-PAYMENT, unchanged. */
export function verify(header: string, offer: Offer): Promise<Verdict> {
  return call('/verify', bodyOf(header, offer))
}

export function settleHeader(header: string, offer: Offer): Promise<Settled> {
  return call('/settle', bodyOf(header, offer))
}

/** The status of the payment in a header for this price, found by its nonce; nonces are public. */
export async function statusOf(header: string, { requirements }: Offer): Promise<Status> {
  const authorization = authorizationIn(header)
  if (authorization === null) return { status: 'not_found' }
  const { network, extra } = requirements
  const query = new URLSearchParams({ ...authorization, network, endpointId: extra.endpointId })
  return call(`/payments/status?${query}`)
}

/** The payer and nonce; null for a malformed header, for which settle returns the reason. */
function authorizationIn(header: string): { payer: string; nonce: string } | null {
  try {
    const payment = JSON.parse(Buffer.from(header, 'base64').toString())
    const { from: payer, nonce } = (payment.payload ?? payment).authorization
    return /^0x[0-9a-f]{40} 0x[0-9a-f]{64}$/i.test(`${payer} ${nonce}`) ? { payer, nonce } : null
  } catch {
    return null
  }
}

function bodyOf(header: string, { x402Version, requirements }: Offer) {
  return { x402Version, paymentPayload: header, paymentRequirements: requirements }
}

/** A response with an error status. */
class Refused extends Error {
  constructor(
    path: string,
    readonly status: number,
    text: string,
  ) {
    super(`${path} returned ${status}: ${text}`)
  }
}

/** GET, or POST if there is a body. Throws Refused, or fetch's error if the server is unreachable. */
async function call<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${apiUrl}/v1/x402${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'X-Service-Key': secretKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Refused(path, response.status, text)
  const answer = JSON.parse(text)
  return answer.data ?? answer
}
