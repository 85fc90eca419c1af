import type { Chain } from '../../core/chain/registry.ts'
import type { RefundId } from '../../core/ids.ts'
import type { RefundEventType } from '../../core/invoice/events.ts'
import { presentRefund } from '../../core/invoice/present.ts'
import type { Invoice, Refund } from '../../core/invoice/state.ts'
import type { Transaction } from '../database.ts'
import { insertEvent } from '../invoice/ledger.ts'

/** Writes an event about each refund to the outbox, in the transaction that changed them. */
export async function tellRefunds(
  sql: Transaction,
  type: RefundEventType,
  refundIds: readonly RefundId[],
  registry: readonly Chain[],
): Promise<void> {
  if (refundIds.length === 0) return
  const refunds = await sql<Refund[]>`
    update refund set version = version + 1 where id = any(${[...refundIds]}::uuid[])
    returning *`
  for (const refund of refunds) {
    const [invoice] = await sql<Invoice[]>`select * from invoice where id = ${refund.invoiceId}`
    if (!invoice) throw new Error(`refund ${refund.id} has no invoice`)
    const chain = registry.find(({ networkId }) => networkId === refund.networkId)
    if (!chain) throw new Error(`refund ${refund.id} is on an unknown chain`)
    const { version } = refund
    await insertEvent(sql, {
      merchantId: invoice.merchantId,
      type,
      objectId: refund.id,
      version,
      data: {
        ...presentRefund(invoice, refund, registry),
        environment: chain.environment,
        version,
      },
    })
  }
}
