import type { InvoiceId, MerchantId } from '../../core/ids.ts'
import type { Queryable } from '../database.ts'

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

/** What a merchant has set for the pages of its sessions. */
export interface PageSettings {
  readonly allowedOrigins: readonly string[]
  /** The languages that are offered; none for all. */
  readonly languages: readonly string[]
}

export async function readPageSettings(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<PageSettings> {
  const [row] = await sql<PageSettings[]>`
    select allowed_origins, languages from merchant_page where merchant_id = ${merchantId}`
  return row ?? { allowedOrigins: [], languages: [] }
}

/** The id of an invoice if it is the merchant's; null for anybody else's. */
export async function findOwnInvoice(
  sql: Queryable,
  merchantId: MerchantId,
  invoiceId: InvoiceId,
): Promise<InvoiceId | null> {
  const [row] = await sql<{ id: InvoiceId }[]>`
    select id from invoice where id = ${invoiceId} and merchant_id = ${merchantId}`
  return row?.id ?? null
}
