import type { Chain } from '../../core/chain/registry.ts'
import type { RefundId } from '../../core/ids.ts'
import type { RefundEventType } from '../../core/invoice/events.ts'
import { presentRefund } from '../../core/invoice/present.ts'
import type { Transaction } from '../database.ts'
import { insertEvent } from '../invoice/ledger.ts'
import { type InvoiceRow, invoiceFromRow, type RefundRow, refundFromRow } from '../invoice/rows.ts'

/** Writes an event about each refund to the outbox, in the transaction that changed them. */
export async function tellRefunds(
  sql: Transaction,
  type: RefundEventType,
  refundIds: readonly RefundId[],
  registry: readonly Chain[],
): Promise<void> {
  if (refundIds.length === 0) return
  const rows = await sql<(RefundRow & { invoice: number })[]>`
    update refund set version = version + 1 where id = any(${[...refundIds]}::uuid[])
    returning *`
  for (const row of rows) {
    const [invoiceRow] = await sql<InvoiceRow[]>`
      select * from invoice where id = ${row.invoice_id}`
    if (!invoiceRow) throw new Error(`refund ${row.id} has no invoice`)
    const invoice = invoiceFromRow(invoiceRow)
    const refund = refundFromRow(row)
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
