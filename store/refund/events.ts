import { type Chain, chainNamed } from '../../core/chain/registry.ts'
import type { RefundEventType } from '../../core/eventTypes.ts'
import type { RefundId } from '../../core/ids.ts'
import { presentRefund } from '../../core/invoice/present.ts'
import type { Invoice, Refund } from '../../core/invoice/state.ts'
import type { Transaction } from '../database.ts'
import { insertEvent } from '../webhook/outbox.ts'

/**
 * Writes an event about each refund to the outbox, in the transaction that changed them. Returns the
 * refunds, with the versions that their events have.
 */
export async function insertRefundEvents(
  sql: Transaction,
  type: RefundEventType,
  refundIds: readonly RefundId[],
  registry: readonly Chain[],
): Promise<readonly Refund[]> {
  if (refundIds.length === 0) return []
  const refunds = await sql<Refund[]>`
    update refund set version = version + 1 where id = any(${[...refundIds]}::uuid[])
    returning *`
  for (const refund of refunds) {
    const { id: objectId, version } = refund
    const [invoice] = await sql<Invoice[]>`select * from invoice where id = ${refund.invoiceId}`
    if (!invoice) throw new Error(`refund ${objectId} has no invoice`)
    const { environment } = chainNamed(refund.networkId, registry)
    const data = { ...presentRefund(invoice, refund, registry), environment, version }
    await insertEvent(sql, { merchantId: invoice.merchantId, type, objectId, version, data })
  }
  return refunds
}
