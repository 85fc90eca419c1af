import type { InvoiceId } from '../../core/base/ids.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { FoundHash } from '../../core/checkout/lookup.ts'
import type { SessionId, StoredLookup } from '../../core/checkout/session.ts'
import type { Payment } from '../../core/invoice/state.ts'
import type { Database, Queryable } from '../database/database.ts'
import { SESSION_CHANNEL } from '../invoice/sessionNews.ts'

/** Hashes that payers have pasted into sessions. */

/** How many of a session are kept. */
const KEPT = 20

/** The payments that a transaction has made to these invoices, on any of these networks. */
export async function paymentsOfHash(
  sql: Queryable,
  invoiceIds: readonly InvoiceId[],
  networkIds: readonly string[],
  hash: Hex,
): Promise<Payment[]> {
  return sql<Payment[]>`
    select * from payment
    where network_id = any(${[...networkIds]}) and tx_hash = ${hash}
      and invoice_id = any(${[...invoiceIds]}::uuid[])
    order by detected_order`
}

/**
 * Replaces the stored result, and notifies the session's pages. Whether a payment was late is not stored: it is
 * read from the payment, since its merchant may still accept it.
 */
export async function saveLookup(
  database: Database,
  sessionId: SessionId,
  hash: Hex,
  { verdict, networkId }: FoundHash,
  now: Date,
): Promise<StoredLookup> {
  return database.begin(async (sql) => {
    await sql`
      insert into hash_lookup (session_id, hash, verdict, network_id, at)
      values (${sessionId}, ${hash}, ${verdict === 'late' ? 'payment' : verdict}, ${networkId}, ${now})
      on conflict (session_id, hash) do update set
        verdict = excluded.verdict, network_id = excluded.network_id, at = excluded.at`
    await sql`
      delete from hash_lookup where session_id = ${sessionId} and hash in (
        select hash from hash_lookup where session_id = ${sessionId}
        order by at desc, hash offset ${KEPT})`
    await sql`update checkout_session set version = version + 1 where id = ${sessionId}`
    await sql`select pg_notify(${SESSION_CHANNEL}, ${sessionId})`
    return { hash, verdict, networkId, at: now }
  })
}
