import type { PaymentRequirements } from '../shapes.ts'
import { PAGE_HEADERS, paymentPage } from './page/page.ts'

/** Differences between x402 v1, v2 and the API's own flow in messages between payer and merchant. */

/** The names of chains in v1. */
const V1_NETWORKS: Readonly<Record<string, string>> = {
  'eip155:8453': 'base',
  'eip155:84532': 'base-sepolia',
  'eip155:137': 'polygon',
  'eip155:42161': 'arbitrum',
  'eip155:421614': 'arbitrum-sepolia',
  'eip155:43114': 'avalanche',
  'eip155:43113': 'avalanche-fuji',
  'eip155:80002': 'polygon-amoy',
}

/** A list of headers, which a server may extend. */
export const EXPOSE = 'access-control-expose-headers'

/**
 * Lets agents in pages of other origins read payment requirements and receipts, if the server's own CORS
 * policy admits them (Fetch standard, section 3.2.3).
 */
const EXPOSED = { [EXPOSE]: 'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE' }

/** A response, independent of frameworks. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Challenge {
  readonly url: string
  readonly accepts: readonly PaymentRequirements[]
  /** Why a payment was refused; absent without a payment. */
  readonly error?: string | undefined
  /** The same as a message, with what to change. */
  readonly message?: string | undefined
  readonly speaksV1: boolean
  /** Whether the response is shown in a browser. */
  readonly isForBrowser: boolean
}

/**
 * The 402 response: v2 reads the header, v1 and the API's own flow the body. These two differ in the body,
 * so it is v1's only with `speaksV1`. In browsers it is a page.
 */
export function paymentRequired(challenge: Challenge): PlainAnswer {
  const { url, accepts, error, message, speaksV1, isForBrowser } = challenge
  const [first] = accepts
  const sentence = message === undefined ? {} : { errorMessage: message }
  const why = error === undefined ? {} : { error, ...sentence }
  const v2 = { x402Version: 2, ...why, accepts }
  const description = first?.description ?? ''
  const required = {
    ...EXPOSED,
    'PAYMENT-REQUIRED': base64({ ...v2, resource: { url, description, mimeType: '' } }),
  }
  if (isForBrowser) {
    const page = paymentPage({ ...challenge, description }, Math.floor(Date.now() / 1000))
    return { status: 402, headers: { ...PAGE_HEADERS, ...required }, body: page }
  }
  const v1 = { x402Version: 1, error: error ?? 'X-PAYMENT header is required', ...sentence }
  const body = speaksV1 ? { ...v1, accepts: accepts.flatMap((one) => inV1(one, url)) } : v2
  return {
    status: 402,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'accept',
      ...required,
    },
    body: JSON.stringify(body),
  }
}

/** The requirements for v1; null for chains without a name in v1. */
function inV1(requirements: PaymentRequirements, resource: string) {
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra } = requirements
  const name = V1_NETWORKS[network]
  if (name === undefined) return []
  const { description } = requirements
  const about = { resource, description, mimeType: '' }
  const price = { maxAmountRequired: amount, asset, payTo, maxTimeoutSeconds, extra }
  return [{ scheme, network: name, ...about, ...price }]
}

/** The payment response for a served payer. v1 reads base64, the API's own flow plain JSON. */
export function paymentHeaders(result: object, speaksV1: boolean): Record<string, string> {
  const encoded = base64(result)
  return {
    ...EXPOSED,
    'PAYMENT-RESPONSE': encoded,
    'X-PAYMENT-RESPONSE': speaksV1 ? encoded : JSON.stringify(result),
  }
}

/**
 * The price that a payment claims to be for; settling decides. A payment of another amount
 * may be for a price that was replaced recently.
 */
export function priceOf(
  header: string,
  accepts: readonly PaymentRequirements[],
): PaymentRequirements | undefined {
  const payment = Object(parse(header))
  const accepted = Object(payment.accepted)
  const { authorization } = Object(payment.payload ?? payment)
  const network = accepted.network ?? payment.network
  const amount = accepted.amount ?? Object(authorization).value
  const isIts = (price: PaymentRequirements) =>
    (network === undefined ||
      network === price.network ||
      network === V1_NETWORKS[price.network]) &&
    (amount === undefined || amount === price.amount)
  const its = accepts.find(isIts)
  if (its !== undefined || typeof amount !== 'string') return its ?? accepts[0]
  const endpointId = Object(accepted.extra).endpointId
  const [former = accepts[0]] = accepts.filter(({ extra }) => extra.endpointId === endpointId)
  return former && { ...former, amount }
}

function parse(header: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(header), (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

function base64(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
