import type { HubMovement } from '../../chain/hub/movements.ts'
import { minedRefundsAfter, type RefundRecord, refundsOf } from '../../store/books/refundAudit.ts'
import type { Comparison } from './comparison.ts'
import { unmatchedRecords } from './pages.ts'
import { contradictions } from './words.ts'

/** Compares refund events with the ledger. `matched` collects the ids of matching refunds. */
export async function matchRefunds(
  comparison: Comparison,
  events: readonly HubMovement[],
  matched: Set<string>,
): Promise<void> {
  const { database, client, differ } = comparison
  const sources = [...new Set(events.map(({ source }) => source))]
  const records = await refundsOf(database, client.chain.networkId, sources)
  const recordsOf = Map.groupBy(records, ({ source }) => source)
  for (const event of events) {
    const { txHash, amount, source, recipient } = event
    const what = `${txHash} refunded ${amount} base units from ${source} to ${recipient}`
    const record = recordOf(event, recordsOf.get(source) ?? [])
    const subject = subjectOf(event, record)
    if (record === undefined) {
      differ('refund_without_record', subjectOf(event), `${what}; the ledger has none`)
    } else if (record.status === 'open') {
      differ('refund_not_booked', subject, `${what}; it is open in the ledger`)
    } else if (record.status === 'failed') {
      const message = `${what}; this refund has failed in the ledger`
      differ('failed_refund_moved_money', subject, message)
    } else {
      matched.add(record.id)
      compareOne(comparison, record, event)
    }
  }
}

/**
 * The refund of an event, by source and order number. If a commit was
 * lost, it has another number by now, or none; then it is an open refund of exactly this payment.
 */
function recordOf(
  { refundId, token, recipient, amount }: HubMovement,
  records: readonly RefundRecord[],
): RefundRecord | undefined {
  const numbered = records.find(({ orderNumber }) => orderNumber === refundId)
  const isSame = (record: RefundRecord) =>
    record.token === token && record.recipient === recipient && record.amount === amount
  return numbered ?? records.find((record) => record.status === 'open' && isSame(record))
}

/** Every field of a refund that differs from its event. */
function compareOne({ differ }: Comparison, record: RefundRecord, event: HubMovement): void {
  const words = contradictions([
    ['the amount is', record.amount, event.amount],
    ['the receiver is', record.recipient, event.recipient],
    ['the source is', record.source, event.source],
    ['the token is', record.token, event.token],
    ['the transaction is', record.txHash, event.txHash],
    ['the block is', record.blockNumber, event.blockNumber],
    ['its hash is', record.blockHash, event.blockHash],
  ])
  if (words.length === 0) return
  const message = `refund ${record.id} of ${nameOf(record)}: ${words.join('; ')}`
  differ('refund_differs', subjectOf(event, record), message)
}

function nameOf({ invoiceId, x402PaymentId }: RefundRecord): string {
  return invoiceId === null ? `x402 payment ${x402PaymentId}` : `invoice ${invoiceId}`
}

/** A refund and the payment that it refunds. */
function idsOf({ id: refundId, invoiceId, x402PaymentId }: RefundRecord) {
  return {
    refundId,
    ...(invoiceId !== null && { invoiceId }),
    ...(x402PaymentId !== null && { paymentId: x402PaymentId }),
  }
}

function subjectOf(event: HubMovement, record?: RefundRecord) {
  return {
    address: event.source,
    token: event.token,
    txHash: event.txHash,
    ...(record && idsOf(record)),
    ledger: record?.amount ?? 0n,
    chain: event.amount,
  }
}

/** Refunds that are mined in the ledger but have no event of the hub. */
export async function reportUnmatchedRefunds(
  { database, client, block, differ }: Comparison,
  matched: ReadonlySet<string>,
): Promise<void> {
  const unmatched = unmatchedRecords(matched, (after, limit) =>
    minedRefundsAfter(database, client.chain.networkId, block, after, limit),
  )
  for await (const record of unmatched) {
    const { id, source, token, txHash, amount, status } = record
    differ(
      'refund_without_event',
      {
        ...idsOf(record),
        address: source,
        token,
        txHash: txHash ?? undefined,
        ledger: amount,
        chain: 0n,
      },
      `refund ${id} is ${status} in the ledger, but ${txHash ?? 'no transaction'} transferred nothing from ${source}`,
    )
  }
}
