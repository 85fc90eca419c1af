import type { InvoiceId, MerchantId } from '../../core/ids.ts'
import type { Queryable } from '../database.ts'

/** Look-ups for operators, who see all merchants. Nothing that serves merchants may use them. */

/** Whose invoice this is; null when there is none. */
export async function merchantOfInvoice(
  sql: Queryable,
  invoiceId: InvoiceId,
): Promise<MerchantId | null> {
  const [row] = await sql<{ merchant_id: MerchantId }[]>`
    select merchant_id from invoice where id = ${invoiceId}`
  return row?.merchant_id ?? null
}

/** How many transactions of each account may still be mined, by `<network id> <address>`. */
export async function openTransactions(sql: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ network_id: string; address: string; open: number }[]>`
    select network_id, address, count(*)::integer as open from relayer_tx
    where state = 'signed' group by network_id, address`
  return new Map(rows.map((row) => [`${row.network_id} ${row.address}`, row.open]))
}
