import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { Page, PageRequest } from '../../core/base/page.ts'
import type { ListedSettlement } from '../../core/invoice/listedSettlement.ts'
import type { SettlementStatus } from '../../core/invoice/state.ts'
import type { Database, Queryable } from '../database/database.ts'
import { microsecondsOf, readPageByMoment } from '../database/moments.ts'

export interface SettlementFilter {
  readonly status?: SettlementStatus | undefined
  readonly networkId?: string | undefined
}

/** A merchant's settlements, the newest first; those that were planned again have moved nothing. */
export async function listSettlements(
  database: Database,
  merchantId: MerchantId,
  filter: SettlementFilter,
  page: PageRequest,
): Promise<Page<ListedSettlement>> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const matching = conditions(sql, merchantId, filter)
    return readPageByMoment<ListedSettlement>(sql, page, {
      count: () => sql<{ total: number }[]>`
        select count(*)::int as total from settlement s where ${matching}`,
      read: ({ beyond, order, place }) => sql`
        select s.id, s.invoice_id, i.reference as invoice_ref, i.external_ref, s.network_id, s.token,
          s.recipient, s.amount, s.fee, s.status, s.tx_hash, s.error, s.created_at, s.confirmed_at,
          ${microsecondsOf(sql, 's.created_at')} as microseconds
        from (select s.* from settlement s where ${matching} and ${beyond('s')} ${order('s')} ${place}) s
        join invoice i on i.id = s.invoice_id
        ${order('s')}`,
    })
  })
}

const TIMES_SHOWN = 30

/** How long an invoice took from being paid to being settled. */
export interface SettleTime {
  readonly invoiceId: InvoiceId
  readonly invoiceRef: string
  readonly seconds: number
}

/** Of a merchant's invoices that were settled last, the newest last. */
export async function settleTimes(sql: Queryable, merchantId: MerchantId): Promise<SettleTime[]> {
  return sql<SettleTime[]>`
    select distinct i.completed_at, i.id as invoice_id, i.reference as invoice_ref,
      extract(epoch from i.completed_at - i.paid_at)::float8 as seconds
    from (
      select invoice_id from settlement where merchant_id = ${merchantId} and status = 'confirmed'
      order by confirmed_at desc limit ${TIMES_SHOWN}
    ) s join invoice i on i.id = s.invoice_id
    where i.completed_at >= i.paid_at order by i.completed_at, i.id`
}

/** Each status as text of the query, so that its partial index serves it. */
function conditions(
  sql: Queryable,
  merchantId: MerchantId,
  { status, networkId }: SettlementFilter,
) {
  const statuses = {
    open: sql`and s.status in ('open', 'mined') and s.status = 'open'`,
    mined: sql`and s.status in ('open', 'mined') and s.status = 'mined'`,
    confirmed: sql`and s.status = 'confirmed'`,
    failed: sql`and s.status = 'failed'`,
  } as const satisfies Record<SettlementStatus, unknown>
  return sql`
    s.merchant_id = ${merchantId} and not s.replanned
    ${status === undefined ? sql`` : statuses[status]}
    ${networkId === undefined ? sql`` : sql`and s.network_id = ${networkId}`}`
}
