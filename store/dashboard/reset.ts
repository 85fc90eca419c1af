import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { Database, Queryable } from '../database/database.ts'

/** A merchant's fresh start in a sandbox. What was paid stays: money has books, in a sandbox too. */

export interface Withdrawn {
  readonly prices: number
  readonly paymentLinks: number
  readonly x402Endpoints: number
  readonly requests: number
}

/** Withdraws what is offered, and forgets the requests. */
export function withdrawOffers(
  database: Database,
  merchantId: MerchantId,
  now: Date,
): Promise<Withdrawn> {
  return database.begin(async (sql) => {
    const prices = await sql`
      update price set deleted_at = ${now}, active = false, version = version + 1
      where merchant_id = ${merchantId} and deleted_at is null returning id`
    const links = await sql`
      update payment_link set active = false, updated_at = ${now}
      where merchant_id = ${merchantId} and active returning id`
    const endpoints = await sql`
      update x402_endpoint set active = false, updated_at = ${now}
      where merchant_id = ${merchantId} and active returning id`
    const requests = await sql`delete from api_request where merchant_id = ${merchantId}`
    return {
      prices: prices.length,
      paymentLinks: links.length,
      x402Endpoints: endpoints.length,
      requests: requests.count,
    }
  })
}

/** The merchant's invoices that can still be paid, the oldest first. */
export async function payableInvoices(
  sql: Queryable,
  merchantId: MerchantId,
  limit: number,
): Promise<{ readonly id: InvoiceId; readonly chains: readonly string[] }[]> {
  return sql`
    select id, chains from invoice
    where merchant_id = ${merchantId} and status in ('pending', 'partial') and closed_at is null
    order by created_at, id limit ${limit}`
}
