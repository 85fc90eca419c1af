import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { Queryable } from '../database/database.ts'

/** What checkout must know of a merchant. */

/** The origins whose pages may begin sessions and be returned to. */
export async function readOrigins(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<readonly string[]> {
  const [row] = await sql<{ allowedOrigins: string[] }[]>`
    select allowed_origins from merchant_page where merchant_id = ${merchantId}`
  return row?.allowedOrigins ?? []
}

/** The id of an invoice if it is the merchant's; null for another merchant's. */
export async function findOwnInvoice(
  sql: Queryable,
  merchantId: MerchantId,
  invoiceId: InvoiceId,
): Promise<InvoiceId | null> {
  const [row] = await sql<{ id: InvoiceId }[]>`
    select id from invoice where id = ${invoiceId} and merchant_id = ${merchantId}`
  return row?.id ?? null
}
