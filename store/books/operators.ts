import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { Queryable } from '../database/database.ts'

/** Lookups for operators, who see all merchants. Nothing that serves merchants may use them. */

/** Whose invoice this is; null when there is none. */
export async function merchantOfInvoice(
  sql: Queryable,
  invoiceId: InvoiceId,
): Promise<MerchantId | null> {
  const [row] = await sql<{ merchantId: MerchantId }[]>`
    select merchant_id from invoice where id = ${invoiceId}`
  return row?.merchantId ?? null
}

/** How many transactions of each account may still be mined, by `<network id> <address>`. */
export async function openTransactions(sql: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ networkId: string; address: string; open: number }[]>`
    select network_id, address, count(*)::integer as open from relayer_tx
    where state = 'signed' group by network_id, address`
  return new Map(rows.map((row) => [`${row.networkId} ${row.address}`, row.open]))
}
