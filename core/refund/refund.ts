import { type Refusal, refuse } from '../base/errors.ts'
import type { PaymentId } from '../base/ids.ts'
import { min } from '../base/integers.ts'
import {
  atLeastZero,
  type BaseUnits,
  baseUnits,
  formatAmount,
  parseAmount,
  sum,
  type TokenDecimals,
} from '../base/money.ts'
import type { Address } from '../chain/evm.ts'
import { type Chain, tokenAt } from '../chain/registry.ts'
import { amountEnough } from '../invoice/amounts.ts'
import { type ExternalRefund, refundedOutside } from '../invoice/externalRefund.ts'
import { parseRecipient } from '../invoice/recipient.ts'
import { settledOf, settledText } from '../invoice/settledMoney.ts'
import { activeSettlements } from '../invoice/settlement.ts'
import {
  type Invoice,
  keptOf,
  type Payment,
  type Refund,
  type Settlement,
} from '../invoice/state.ts'

/**
 * What may go back, and whose money it is. A refund takes named amounts of single payments, so that
 * every unit of a payment has one state only: counted, being refunded, refunded, remitted or held.
 */

/** A merchant's request, with the types checked and nothing else. */
export interface RefundRequest {
  /** In the token's major unit. */
  readonly amount: number | string
  readonly address: string
  /** The payment to refund; null for the invoice's on-time money. */
  readonly paymentId: PaymentId | null
}

/** What is known of the invoice, read under its lock. */
export interface RefundScene {
  readonly invoice: Invoice
  readonly payments: readonly Payment[]
  readonly settlements: readonly Settlement[]
  /** All earlier ones, in any state. */
  readonly refunds: readonly Pick<Refund, 'paymentId' | 'createdAt'>[]
  readonly externalRefunds: readonly ExternalRefund[]
  readonly now: Date
  /** Whether refunds may go to others than the payment's sender. */
  readonly refundsAny: boolean
  /** Whether a member requests it, who may use an address that the payer left on the page; a key may not. */
  readonly isByMember?: boolean
  /** The chains on which this deployment can send anything. */
  readonly chains: readonly Chain[]
}

export interface RefundPart {
  readonly paymentId: PaymentId
  readonly amount: BaseUnits
}

export interface PlannedRefund
  extends Pick<Refund, 'networkId' | 'token' | 'amount' | 'recipient' | 'paymentId'> {
  readonly parts: readonly RefundPart[]
}

export type RefundDecision = { readonly ok: true; readonly refund: PlannedRefund } | Refusal

/** How long a refund may be carried out after it was signed, in seconds of chain time. */
export const REFUND_LIFETIME_S = 1_800n

/** How often parts of a payment of unknown value may be refunded within a day. */
const MAX_UNPRICED_REFUNDS = 5
const UNPRICED_WITHIN_MS = 24 * 3_600_000

/** From how many payments one refund is taken at most. */
export const MAX_REFUND_PARTS = 500

/** Payments of one token on one chain, and how much of them may go back now. */
interface Pot {
  readonly chain: Chain
  readonly token: Address
  readonly decimals: TokenDecimals
  /** The newest first: what came last is the excess. */
  readonly payments: readonly Payment[]
  readonly available: BaseUnits
}

/**
 * Decides whether a refund is possible: of the on-time money what no sweep has taken or reserves,
 * as long as nothing was settled, and of a settled invoice what is above what is enough; of a late
 * payment, another token or another chain, that payment. Never more than the ledger has recorded.
 */
export function planRefund(scene: RefundScene, request: RefundRequest): RefundDecision {
  const source = sourceOf(scene, request)
  if ('code' in source) return source
  const { decimals } = source.pot
  const parsed = parseAmount(request.amount, decimals)
  if (!parsed.ok) {
    return refuse('invalid_request_body', [{ path: 'amount', message: parsed.message }])
  }
  return planAmount(scene, request.paymentId, source, parsed.amount)
}

/** The most that may go back to an address, by the same rules; why nothing may, where that is so. */
export function planMost(
  scene: RefundScene,
  request: Pick<RefundRequest, 'address' | 'paymentId'>,
): RefundDecision {
  const source = sourceOf(scene, request)
  if ('code' in source) return source
  const { pot } = source
  if (pot.available === 0n) return exceedsAvailable(scene, pot, baseUnits(1n))
  const parts = shareOut(pot.payments, pot.available).slice(0, MAX_REFUND_PARTS)
  return planAmount(scene, request.paymentId, source, sum(parts.map((part) => part.amount)))
}

interface RefundSource {
  readonly recipient: Address
  readonly pot: Pot
}

/** Where a refund to this address is taken from. */
function sourceOf(
  scene: RefundScene,
  { address, paymentId }: Pick<RefundRequest, 'address' | 'paymentId'>,
): RefundSource | Refusal {
  const verdict = parseRecipient(address, scene.invoice.hub, scene.chains)
  if (!verdict.ok) {
    return refuse('invalid_recipient', [{ path: 'address', message: verdict.message }])
  }
  const recipient = verdict.address
  if (scene.isByMember !== true && isPayersWish(scene, recipient)) {
    const message =
      'is what the payer left on the page: a member with the finance role may refund to it'
    return refuse('refund_by_person_only', [{ path: 'address', message }])
  }
  const pot =
    paymentId === null ? potOfAll(scene, recipient) : potOfPayment(scene, paymentId, recipient)
  return 'code' in pot ? pot : { recipient, pot }
}

function planAmount(
  scene: RefundScene,
  paymentId: PaymentId | null,
  { recipient, pot }: RefundSource,
  amount: BaseUnits,
): RefundDecision {
  if (amount > pot.available) return exceedsAvailable(scene, pot, amount)
  const { chain, token } = pot
  if (pricedToken(pot) === undefined && isRequestedTooOften(scene, paymentId)) {
    const message = `is refunded in at most ${MAX_UNPRICED_REFUNDS} parts within 24 hours: refund the rest later, in one part`
    return impossible('transactionId', message)
  }
  const least = leastRefund(pot)
  if (amount < least) {
    const text = formatAmount(least, pot.decimals)
    const where = `on ${chain.networkId}`
    return impossible('amount', `must be at least ${text} ${where}: less is not worth its gas`)
  }
  const parts = shareOut(pot.payments, amount)
  if (parts.length > MAX_REFUND_PARTS) return tooManyParts(pot, parts)
  return {
    ok: true,
    refund: { networkId: chain.networkId, token, amount, recipient, paymentId, parts },
  }
}

/** Each part is held against the chain before anything is signed; the rest is another refund's. */
function tooManyParts(pot: Pot, parts: readonly RefundPart[]): Refusal {
  const most = sum(parts.slice(0, MAX_REFUND_PARTS).map((part) => part.amount))
  const text = formatAmount(most, pot.decimals)
  const message = `must be at most ${text}: that is ${MAX_REFUND_PARTS} payments, and a refund takes no more`
  return refuse('refund_of_too_many_payments', [{ path: 'amount', message }])
}

/** For money that can't be refunded: whether it is in the merchant's treasury, and how much can be refunded. */
function exceedsAvailable(scene: RefundScene, pot: Pot, amount: BaseUnits): Refusal {
  const { invoice, settlements, externalRefunds } = scene
  const most = formatAmount(pot.available, pot.decimals)
  const { networkId } = pot.chain
  const settled = settledOf(settlements.filter((sweep) => sweep.networkId === networkId))
  const left = atLeastZero(settled.amount - refundedOutside(externalRefunds))
  // Late payments and other tokens are never swept.
  const isSwept = pot.payments.some(({ kind }) => kind === 'counted') && left > 0n
  if (!isSwept) {
    return impossible('amount', `must be at most ${most}: the rest is not there or on its way`)
  }
  const missing = min(baseUnits(amount - pot.available), left)
  const text = settledText(invoice, { ...settled, amount: missing })
  const message = pot.available === 0n ? text : `must be at most ${most}: ${text}`
  return refuse('refund_settled', [{ path: 'amount', message }])
}

/** Whether an address is known from the payer's page alone, where anyone with the link could have left it. */
function isPayersWish({ invoice, payments }: RefundScene, recipient: Address): boolean {
  if (recipient !== invoice.payerRefundAddress) return false
  return !payments.some(({ sender, status }) => sender === recipient && status === 'confirmed')
}

/** The value of tokens that only the operator lists, and of coins, is unknown. */
function leastRefund(pot: Pot): bigint {
  const known = pricedToken(pot)
  return known === undefined ? 0n : pot.chain.minRefund[known.symbol]
}

/**
 * Without a minimum, a payment could be refunded in a million parts, and the code of a receiver of
 * coin may burn all the gas of each, at the relayer's cost. One that failed has cost as much.
 */
function isRequestedTooOften({ refunds, now }: RefundScene, paymentId: PaymentId | null): boolean {
  const since = now.getTime() - UNPRICED_WITHIN_MS
  const before = refunds.filter((refund) => {
    return refund.paymentId === paymentId && refund.createdAt.getTime() > since
  })
  return before.length >= MAX_UNPRICED_REFUNDS
}

function pricedToken({ chain, token }: Pot) {
  return chain.tokens.find(({ address }) => address === token)
}

function potOfPayment(scene: RefundScene, paymentId: PaymentId, to: Address): Pot | Refusal {
  const payment = scene.payments.find(({ id }) => id === paymentId)
  if (!payment) return refuse('transaction_not_found')
  if (payment.sender !== to && !scene.refundsAny) return notAllowed()
  if (payment.status !== 'confirmed') {
    return impossible('transactionId', `is ${payment.status}, and must be confirmed`)
  }
  const free = payment.kind === 'counted' ? onTime(scene, payment.networkId) : payment.amount
  return potOf(scene, [payment], free)
}

/** Of several chains, the one on which most can go back. */
function potOfAll(scene: RefundScene, to: Address): Pot | Refusal {
  const counted = scene.payments.filter((p) => p.kind === 'counted' && p.status === 'confirmed')
  if (counted.length === 0) {
    return impossible('', 'nothing on time is confirmed: name the transactionId of what is')
  }
  const candidates = scene.refundsAny ? counted : counted.filter(({ sender }) => sender === to)
  if (candidates.length === 0) return notAllowed()
  let most: Pot | Refusal | null = null
  for (const [networkId, payments] of Map.groupBy(candidates, (p) => p.networkId)) {
    const pot = potOf(scene, payments, onTime(scene, networkId))
    const isBetter =
      !('code' in pot) && (most === null || 'code' in most || pot.available > most.available)
    if (most === null || isBetter) most = pot
  }
  return most ?? notAllowed()
}

function potOf(scene: RefundScene, payments: readonly Payment[], free: BaseUnits): Pot | Refusal {
  const [first] = payments
  const chain = scene.chains.find(({ networkId }) => networkId === first?.networkId)
  const known = first && tokenAt(first, scene.chains)
  if (!chain || !known) {
    return impossible('', `nothing can be sent on ${first?.networkId ?? 'that chain'} at present`)
  }
  return {
    chain,
    token: known.address,
    decimals: known.decimals,
    payments: payments.toReversed(),
    available: min(free, sum(payments.map(keptOf))),
  }
}

/**
 * What of a chain's on-time money may go back: what no sweep has taken or reserves. Once anything was
 * settled or is being settled, the invoice must stay paid.
 */
function onTime(scene: RefundScene, networkId: string): BaseUnits {
  const sweeps = activeSettlements(scene.settlements)
  const here = sweeps.filter((sweep) => sweep.networkId === networkId)
  const counted = scene.payments.filter((p) => p.kind === 'counted')
  const free =
    kept(counted.filter((p) => p.networkId === networkId)) - sum(here.map(({ amount }) => amount))
  const excess = kept(counted) - amountEnough(scene.invoice)
  const most = sweeps.length > 0 && excess < free ? excess : free
  return atLeastZero(most)
}

/** What is confirmed of these payments and was not refunded; below zero after a reorganisation. */
function kept(payments: readonly Payment[]): bigint {
  let total = 0n
  for (const { amount, status, refunded, refunding } of payments) {
    total += (status === 'confirmed' ? amount : 0n) - refunded - refunding
  }
  return total
}

function shareOut(payments: readonly Payment[], amount: BaseUnits): RefundPart[] {
  const parts: RefundPart[] = []
  let left: bigint = amount
  for (const payment of payments) {
    const part = min(keptOf(payment), baseUnits(left))
    if (part > 0n) parts.push({ paymentId: payment.id, amount: part })
    left -= part
  }
  return parts
}

function notAllowed(): Refusal {
  const message = 'must be the sender of the payment; the operator can allow others'
  return refuse('refund_address_not_allowed', [{ path: 'address', message }])
}

function impossible(path: string, message: string): Refusal {
  return refuse('refund_not_possible', [{ path, message }])
}
