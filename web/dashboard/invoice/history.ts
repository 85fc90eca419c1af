import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { DashboardMessages } from '../../messages/dashboard/en.ts'
import type { Tone } from '../parts/Pill.tsx'

/** One thing that happened to an invoice. */
export interface Moment {
  readonly at: string
  readonly what: keyof DashboardMessages
  readonly tone: Tone
  /** Null for what has no amount. */
  readonly amount: string | null
  /** What the amount is in; null for the invoice's own token. */
  readonly asset: string | null
  readonly network: string | null
  readonly txHash: string | null
}

/**
 * Everything that is known of an invoice in the order in which it happened. `unapproved` are its refunds
 * that await approval.
 */
export function historyOf(
  invoice: InvoiceJson,
  now: Date,
  unapproved: ReadonlySet<string> = new Set(),
): readonly Moment[] {
  const { createdAt, paidAt, completedAt, closedAt, expiresAt, expired } = invoice
  const isOver = expired && closedAt === null && expiresAt !== null && new Date(expiresAt) <= now
  const all = [
    bare(createdAt, 'created', 'calm'),
    ...invoice.transactions.flatMap(ofPayment),
    ...invoice.otherDeposits.map(ofOtherDeposit),
    ...invoice.settlements.flatMap((settlement) =>
      ofTransfer(settlement, settlement.merchantAmount, SETTLEMENT),
    ),
    ...invoice.refunds.flatMap((refund) =>
      ofTransfer(refund, refund.amount, unapproved.has(refund.id) ? HELD_REFUND : REFUND),
    ),
    ...(paidAt ? [bare(after(paidAt, invoice.transactions), 'becamePaid', 'good')] : []),
    ...(completedAt ? [bare(after(completedAt, invoice.settlements), 'completed', 'good')] : []),
    ...(closedAt ? [bare(closedAt, 'voided', 'bad')] : []),
    ...(isOver ? [bare(expiresAt, 'expired', 'bad')] : []),
  ]
  return all.toSorted((a, b) => a.at.localeCompare(b.at))
}

/** A moment, or that of the first of its causes if it is later: clocks differ by milliseconds. */
function after(at: string, causes: readonly { readonly confirmedAt: string | null }[]): string {
  const [first] = causes.flatMap(({ confirmedAt }) => confirmedAt ?? []).toSorted()
  return first !== undefined && first > at ? first : at
}

function bare(at: string, what: Moment['what'], tone: Tone): Moment {
  return { at, what, tone, amount: null, asset: null, network: null, txHash: null }
}

const SEEN = {
  transfer: 'paymentSeen',
  signature: 'signedPaymentSeen',
  x402: 'x402PaymentSeen',
} as const

function ofPayment(payment: InvoiceJson['transactions'][number]): Moment[] {
  const {
    amount,
    chain: network,
    txHash,
    createdAt,
    confirmedAt,
    acceptedAt,
    status,
    type,
    method,
  } = payment
  const of = (at: string, what: Moment['what'], tone: Tone) => {
    return { at, what, tone, amount, asset: null, network, txHash }
  }
  if (status === 'reverted') return [of(createdAt, 'paymentReverted', 'bad')]
  // Its row may be younger than its confirmation: found after the fact, or by another clock.
  const seenAt = confirmedAt !== null && confirmedAt < createdAt ? confirmedAt : createdAt
  // An accepted late payment counts as received in time.
  const wasLate = type === 'late_payment' || acceptedAt !== null
  return [
    of(seenAt, wasLate ? 'latePayment' : SEEN[method], wasLate ? 'warn' : 'calm'),
    ...(confirmedAt ? [of(confirmedAt, 'paymentConfirmed', 'good')] : []),
    ...(acceptedAt ? [of(acceptedAt, 'paymentAccepted', 'good')] : []),
  ]
}

function ofOtherDeposit(deposit: InvoiceJson['otherDeposits'][number]): Moment {
  const { createdAt: at, amount, asset, chain: network, txHash } = deposit
  return {
    at,
    // The amount of an unlisted token is unknown.
    what: amount === null ? 'unknownDeposit' : 'otherDeposit',
    tone: 'warn',
    amount,
    asset,
    network,
    txHash,
  }
}

interface Transfer {
  readonly chain: string
  readonly asset: string | null
  readonly txHash: string | null
  readonly status: string
  readonly createdAt: string
  readonly confirmedAt: string | null
}

interface TransferWords {
  readonly begun: Moment['what']
  readonly done: Moment['what']
  readonly failed: Moment['what']
}

const SETTLEMENT = {
  begun: 'settlementSent',
  done: 'settlementPaidOut',
  failed: 'settlementFailed',
} as const
const HELD_REFUND = {
  begun: 'refundNeedsApproval',
  done: 'refundDone',
  failed: 'refundFailed',
} as const
const REFUND = { begun: 'refundRequested', done: 'refundDone', failed: 'refundFailed' } as const

function ofTransfer(transfer: Transfer, amount: string | null, words: TransferWords): Moment[] {
  const { chain: network, asset, txHash, createdAt, confirmedAt, status } = transfer
  const of = (at: string, what: Moment['what'], tone: Tone) => {
    return { at, what, tone, amount, asset, network, txHash }
  }
  if (status === 'failed') return [of(createdAt, words.failed, 'bad')]
  return [
    of(
      confirmedAt !== null && confirmedAt < createdAt ? confirmedAt : createdAt,
      words.begun,
      'calm',
    ),
    ...(confirmedAt ? [of(confirmedAt, words.done, 'good')] : []),
  ]
}
