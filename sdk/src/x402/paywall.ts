import { RemitError } from '../error.ts'
import type { Remit } from '../remit.ts'
import type { Data } from '../shapes.ts'
import { type PlainAnswer, paymentHeaders, paymentRequired, priceOf } from './dialects.ts'
import { PAGE_HEADERS, unavailablePage } from './page/page.ts'

/** Serves a URL once per payment of its price. */

export type SettleResult = Data<'settlePayment'>

export interface PaywallOptions {
  /** A client with a secret key: for servers only. */
  readonly remit: Remit
  /** The URL that was registered with `remit.x402.endpoints.create`. */
  readonly url: string
  /** True to respond in the format of x402 v1, for older clients. */
  readonly speaksV1?: boolean
  /**
   * Stores a payment permanently, and returns whether it was new: `insert … on conflict do
   * nothing` in your database. With it, a payment that was settled but not served, because the server crashed in
   * between, is served when its header is sent again. Without it the payer would have to contact
   * you; no payment is served twice in either case.
   */
  readonly served?: (payment: ServedPayment) => boolean | Promise<boolean>
}

/** An id identifies (network, asset, payer, nonce). */
export interface ServedPayment {
  readonly paymentId: string
  readonly transaction: string
}

/** The decision about a request. */
export type Passage =
  | { readonly paid: true; readonly headers: Record<string, string>; readonly result: SettleResult }
  | { readonly paid: false; readonly answer: PlainAnswer }

/** Attempts at a slow settlement; each waits up to 25 s. */
const MAX_ATTEMPTS = 3

/** The payment headers: that of v1 and the API's own flow, and that of v2. */
export const PAYMENT_HEADERS = ['x-payment', 'payment-signature'] as const

/**
 * Decides about a request by its payment header, null without one. Settling checks the payer's
 * signature and the price, and succeeds once per payment, which grants access.
 * With `isForBrowser`, the response to an unpaid request is a payment page.
 */
export async function admit(
  options: PaywallOptions,
  header: string | null,
  isForBrowser = false,
): Promise<Passage> {
  const { remit, url, speaksV1 = false } = options
  try {
    const { x402Version, accepts } = await remit.x402.endpoints.requirements(url)
    const refuse = (error?: string, message?: string): Passage => {
      const challenge = { url, accepts, error, message, speaksV1, isForBrowser }
      return { paid: false, answer: paymentRequired(challenge) }
    }
    const price = header === null ? undefined : priceOf(header, accepts)
    if (header === null || price === undefined) return refuse()
    const result = await settle(remit, {
      x402Version,
      paymentPayload: header,
      paymentRequirements: price,
    })
    if (!(await mayBeServed(result, options.served))) {
      return refuse(result.error ?? 'served before', result.errorMessage)
    }
    const settled = { ...result, success: true }
    return { paid: true, headers: paymentHeaders(settled, speaksV1), result: settled }
  } catch (error) {
    if (isPassing(error)) return { paid: false, answer: unavailable(isForBrowser) }
    throw error
  }
}

/** Nothing is lost: the same header can be sent again in a minute. */
function unavailable(isForBrowser: boolean): PlainAnswer {
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return {
    status: 503,
    headers: { ...(isForBrowser ? PAGE_HEADERS : type), 'retry-after': '5' },
    body: isForBrowser
      ? unavailablePage()
      : JSON.stringify({ error: 'payments are not available, try again' }),
  }
}

type Payment = Parameters<Remit['x402']['settle']>[0]

async function settle(remit: Remit, payment: Payment): Promise<SettleResult> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await remit.x402.settle(payment)
    if (result.error !== 'settlement_pending' || attempt >= MAX_ATTEMPTS) return result
  }
}

/** `duplicate_settlement` is only returned to a caller with the payer's signature, for this price. */
async function mayBeServed(
  { success, error, paymentId, transaction }: SettleResult,
  served: PaywallOptions['served'],
): Promise<boolean> {
  if (served === undefined) return success
  const isSettled = success || error === 'duplicate_settlement'
  return isSettled && paymentId !== undefined && (await served({ paymentId, transaction }))
}

/** Whether a retry may succeed: the API was busy, unreachable or failing. */
function isPassing(error: unknown): boolean {
  if (error instanceof RemitError) return error.status === 429 || error.status >= 500
  return error instanceof TypeError || (error instanceof DOMException && error.name !== 'DataError')
}
