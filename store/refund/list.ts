import type { MerchantId } from '../../core/base/ids.ts'
import type { Page, PageRequest } from '../../core/base/page.ts'
import type { RefundStatus } from '../../core/invoice/state.ts'
import type { ListedRefund } from '../../core/refund/listedRefund.ts'
import type { Database, Queryable } from '../database/database.ts'
import { microsecondsOf, readPageByMoment } from '../database/moments.ts'

const MOST_FOUND = 5

/**
 * A merchant's refunds of all kinds, the newest first. Both tables are read in the order of an index, so that a page
 * reads no more of them than it shows.
 */
export async function listRefunds(
  database: Database,
  merchantId: MerchantId,
  status: RefundStatus | undefined,
  page: PageRequest,
): Promise<Page<ListedRefund>> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const matching = sql`merchant_id = ${merchantId} ${status === undefined ? sql`` : statuses(sql)[status]}`
    // What wallets send is recorded once it is mined.
    const all = ofBothTables(sql, matching, status === 'open' ? sql`false` : matching)
    return readPageByMoment<ListedRefund>(sql, page, {
      count: () => sql<{ total: number }[]>`
        select count(*)::int as total from (${all}) r`,
      read: ({ beyond, order, place }) => sql`
        select r.*, i.reference as invoice_ref, i.external_ref,
          ${microsecondsOf(sql, 'r.created_at')} as microseconds
        from (select r.* from (${all}) r where ${beyond('r')} ${order('r')} ${place}) r
        left join invoice i on i.id = r.invoice_id
        ${order('r')}`,
    })
  })
}

/** The merchant's refunds of an id or a transaction. */
export async function findRefunds(
  sql: Queryable,
  merchantId: MerchantId,
  { id, txHash }: { readonly id: string | null; readonly txHash: string | null },
): Promise<ListedRefund[]> {
  if (id === null && txHash === null) return []
  const named = id === null ? sql`tx_hash = ${txHash}` : sql`id = ${id}`
  return sql<ListedRefund[]>`
    select r.*, i.reference as invoice_ref, i.external_ref
    from (${ofBothTables(sql, sql`merchant_id = ${merchantId} and ${named}`)}) r
    left join invoice i on i.id = r.invoice_id
    limit ${MOST_FOUND}`
}

type Condition = ReturnType<typeof microsecondsOf>

function ofBothTables(sql: Queryable, matching: Condition, ofWallets = matching) {
  return sql`
    select id, case when invoice_id is null then 'x402' else 'invoice' end as kind, invoice_id, x402_payment_id,
      network_id, token, recipient, amount, status, waiting_for, tx_hash, error, created_at, confirmed_at
    from refund where ${matching}
    union all
    select id, 'wallet' as kind, invoice_id, null::uuid, network_id, token, recipient, amount, status, null::text,
      tx_hash, error, created_at, confirmed_at
    from external_refund where ${ofWallets}`
}

/** Each status as text of the query, so that its partial index serves it. */
function statuses(sql: Queryable) {
  return {
    open: sql`and status in ('open', 'mined', 'failed') and status = 'open'`,
    mined: sql`and status in ('mined', 'failed') and status = 'mined'`,
    confirmed: sql`and status = 'confirmed'`,
    failed: sql`and status in ('mined', 'failed') and status = 'failed'`,
  } as const satisfies Record<RefundStatus, unknown>
}
