import { RemitError } from '../error.ts'
import type { Remit } from '../remit.ts'
import type { Data } from '../shapes.ts'
import { type PlainAnswer, paymentHeaders, paymentRequired, priceOf } from './dialects.ts'
import { PAGE_HEADERS, unavailablePage } from './page/page.ts'

/** Serves a URL once for each payment of its price. */

export type SettleResult = Data<'settlePayment'>

export interface PaywallOptions {
  /** With a secret key: the calls never leave the server. */
  readonly remit: Remit
  /** The URL as its price was registered by `remit.x402.endpoints.create`. */
  readonly url: string
  /** True answers in the words of x402 v1, for clients that know no other. */
  readonly speaksV1?: boolean
  /**
   * Writes a payment down for good, and says whether it was the first to do so: `insert … on conflict do
   * nothing` in your database. With it a payment that was settled and not served, because the server died in
   * between, opens the resource when its header is shown again. Without it the payer would have to write to
   * you; no payment is served twice either way.
   */
  readonly served?: (payment: ServedPayment) => boolean | Promise<boolean>
}

/** One id stands for one (network, asset, payer, nonce). */
export interface ServedPayment {
  readonly paymentId: string
  readonly transaction: string
}

/** Whether a request may pass. */
export type Passage =
  | { readonly paid: true; readonly headers: Record<string, string>; readonly result: SettleResult }
  | { readonly paid: false; readonly answer: PlainAnswer }

/** Attempts at a settlement that takes long; each waits up to 25 s. */
const MAX_ATTEMPTS = 3

/** The header that carries a payment: that of v1 and of the API's own flow, and that of v2. */
export const PAYMENT_HEADERS = ['x-payment', 'payment-signature'] as const

/**
 * Decides about a request by its payment header, or null where it has none. Settling checks the payer's
 * signature and the price, and succeeds once for each payment: that opens the resource.
 * With `isForBrowser`, an unpaid request is answered with a page to pay on.
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

/** Nothing is lost: the same header is as good in a minute. */
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

/** `duplicate_settlement` is answered only to a caller with the payer's signature, for this price. */
async function mayBeServed(
  { success, error, paymentId, transaction }: SettleResult,
  served: PaywallOptions['served'],
): Promise<boolean> {
  if (served === undefined) return success
  const isSettled = success || error === 'duplicate_settlement'
  return isSettled && paymentId !== undefined && (await served({ paymentId, transaction }))
}

/** Whether it may be better in a minute: the API was busy, away or broken. */
function isPassing(error: unknown): boolean {
  if (error instanceof RemitError) return error.status === 429 || error.status >= 500
  return error instanceof TypeError || (error instanceof DOMException && error.name !== 'DataError')
}
