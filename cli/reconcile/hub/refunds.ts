import type { HubMovement } from '../../../chain/hub/movements.ts'
import { refundIdOf } from '../../../core/invoice/refund.ts'
import {
  minedRefundsAfter,
  type RefundRecord,
  refundRecords,
} from '../../../store/books/refundAudit.ts'
import type { Scene } from '../findings/comparison.ts'
import { contradictions } from '../findings/contradictions.ts'
import { unmatchedRecords } from '../findings/pages.ts'
import type { Difference } from '../findings/report.ts'

/** Compares refunds with the hub's events, one by one and in both directions. */

/** Holds events against the ledger's refunds. `matched` collects the ids of those that agree. */
export async function matchRefunds(
  { database, client, findings }: Scene,
  events: readonly HubMovement[],
  matched: Set<string>,
): Promise<void> {
  const { networkId } = client.chain
  const idOf = ({ refundId }: HubMovement) => (refundId === null ? null : refundIdOf(refundId))
  const ids = events.map(idOf).filter((id) => id !== null)
  const records = new Map((await refundRecords(database, ids)).map((entry) => [entry.id, entry]))
  for (const event of events) {
    const id = idOf(event)
    const record = id === null ? undefined : records.get(id)
    if (record === undefined || record.networkId !== networkId) {
      findings.differences.push(
        found(networkId, event, 'refund_without_record', 'the ledger has none'),
      )
    } else if (record.status === 'open') {
      findings.differences.push(
        found(networkId, event, 'refund_not_booked', 'the ledger still waits', record),
      )
    } else if (record.status === 'failed') {
      const words = 'the ledger says that this refund failed'
      findings.differences.push(found(networkId, event, 'failed_refund_moved_money', words, record))
    } else {
      matched.add(record.id)
      findings.differences.push(...compareOne(networkId, record, event))
    }
  }
}

/** Refunds that say they were mined although the hub never said so. */
export async function reportUnmatchedRefunds(
  { database, client, block, findings }: Scene,
  matched: ReadonlySet<string>,
): Promise<void> {
  const { networkId } = client.chain
  const unmatched = unmatchedRecords(matched, (after, limit) =>
    minedRefundsAfter(database, networkId, block, after, limit),
  )
  for await (const record of unmatched) {
    findings.differences.push({
      kind: 'refund_without_event',
      networkId,
      invoiceId: record.invoiceId,
      refundId: record.id,
      address: record.deposit,
      token: record.token,
      ...(record.txHash ? { txHash: record.txHash } : {}),
      ledger: record.amount,
      chain: 0n,
      message: `refund ${record.id} is ${record.status} in the ledger, but ${record.txHash ?? 'no transaction'} brought nothing out of ${record.deposit}`,
    })
  }
}

/** Every field of a refund that its event contradicts. */
function compareOne(networkId: string, record: RefundRecord, event: HubMovement): Difference[] {
  const words = contradictions([
    ['the amount is', record.amount, event.amount],
    ['the receiver is', record.recipient, event.recipient],
    ['the deposit is', record.deposit, event.source],
    ['the token is', record.token, event.token],
    ['the transaction is', record.txHash, event.txHash],
    ['the block is', record.blockNumber, event.blockNumber],
    ['its hash is', record.blockHash, event.blockHash],
  ])
  if (words.length === 0) return []
  return [
    {
      ...found(networkId, event, 'refund_differs', '', record),
      message: `refund ${record.id} of invoice ${record.invoiceId}: ${words.join('; ')}`,
    },
  ]
}

function found(
  networkId: string,
  event: HubMovement,
  kind: Difference['kind'],
  words: string,
  record?: RefundRecord,
): Difference {
  const { source: address, token, txHash, amount, recipient } = event
  return {
    kind,
    networkId,
    address,
    token,
    txHash,
    ...(record ? { invoiceId: record.invoiceId, refundId: record.id } : {}),
    ledger: record?.amount ?? 0n,
    chain: amount,
    message: `${txHash} refunded ${amount} base units out of ${address} to ${recipient}; ${words}`,
  }
}
