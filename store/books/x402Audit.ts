import { WORK_KEPT_DAYS } from '../../core/base/retention.ts'
import type { Queryable } from '../database/database.ts'
import type { Violation } from './audit.ts'

/** Invariants of x402 payments in the ledger alone. Each function lists violations. */

/** Payments that contradict their work item, and work without a payment. */
export async function paymentViolations(sql: Queryable, limit: number): Promise<Violation[]> {
  // The work of older ones may have been removed.
  const isYoung = sql`p.created_at > now() - ${WORK_KEPT_DAYS.least} * interval '1 day'`
  const rows = await sql<
    {
      id: string
      networkId: string
      status: string
      item: bigint | null
      state: string | null
      isElsewhere: boolean
    }[]
  >`
    select p.id, p.network_id, p.status, w.id as item, w.state,
      ${isElsewhere(sql)} as is_elsewhere
    from x402_payment p
    left join forwarder f on f.merchant_id = p.merchant_id
    left join work_item w on w.subject_id = p.id
    where ${isElsewhere(sql)}
      or (p.status = 'pending' and coalesce(w.state not in ('queued', 'assigned', 'review', 'held'), true))
      -- One that another party submitted before its settle call never was work.
      or (p.status = 'settled' and coalesce(w.state <> 'settled',
        not p.by_others and (p.confirmed_at is null or ${isYoung})))
      or (p.status = 'failed' and coalesce(w.state <> 'failed', ${isYoung}))
    order by p.id limit ${limit}`
  const orphans = await sql<{ id: bigint; networkId: string; state: string }[]>`
    select w.id, w.network_id, w.state from work_item w
    where w.kind in ('x402', 'x402_wallet') and not exists (
      select from x402_payment p where p.id = w.subject_id)
      and not exists (
        select from invoice_authorization a where a.id = w.subject_id)
    order by w.id limit ${limit}`
  return [
    ...rows.map((row) => ({
      networkId: row.networkId,
      subject: `payment ${row.id}`,
      message: row.isElsewhere
        ? "it pays neither its merchant's forwarder nor its own address"
        : story(row),
    })),
    ...orphans.map((row) => ({
      networkId: row.networkId,
      subject: `work item ${row.id}`,
      message: `it is ${row.state}, and its payment is not there`,
    })),
    ...(await authorizationViolations(sql, limit)),
  ]
}

/** Authorizations of invoices that contradict their work or their invoice, or whose transfer the ledger lacks. */
async function authorizationViolations(sql: Queryable, limit: number): Promise<Violation[]> {
  return sql<Violation[]>`
    select a.network_id, 'authorization ' || a.id as subject, case
      when a.pay_to <> i.deposit_address then 'it does not pay its invoice''s deposit'
      when a.status <> 'pending' then 'it is settled, and no payment of its invoice has its transfer'
      when a.valid_before < extract(epoch from s.head_time) - ${TIMEOUT_S}
        then 'it is pending long after it has expired'
      else 'it is pending, and its work is ' || coalesce(w.state, 'not there') end as message
    from invoice_authorization a
    join invoice i on i.id = a.invoice_id
    left join chain_state s on s.network_id = a.network_id
    left join work_item w on w.subject_id = a.id
    where a.pay_to <> i.deposit_address
      or (a.status = 'pending' and (
        coalesce(w.state not in ('queued', 'assigned', 'review', 'held'), true)
        or a.valid_before < extract(epoch from s.head_time) - ${TIMEOUT_S}))
      or (a.confirmed_at < now() - ${TIMEOUT_S} * interval '1 second' and not exists (
        select from payment p where p.network_id = a.network_id and p.tx_hash = a.tx_hash
          and p.log_index = a.log_index and p.invoice_id = a.invoice_id and p.status <> 'reverted'))
    order by a.id limit ${limit}`
}

function isElsewhere(sql: Queryable) {
  return sql`(case when p.direct then not is_own_address(p.merchant_id, p.pay_to, p.network_id)
    else f.address is distinct from p.pay_to end)`
}

function story(row: { status: string; item: bigint | null; state: string | null }): string {
  if (row.item === null) return `the payment is ${row.status}, and no work was ever queued for it`
  return `the payment is ${row.status}, its work item ${row.item} ${row.state}`
}

/** By how much, in seconds of chain time, the end of a payment may be late before it is a violation. */
const TIMEOUT_S = 600

/** Payments that should have been decided, or confirmed, long ago by the chain's own time. */
export async function overduePayments(sql: Queryable, limit: number): Promise<Violation[]> {
  const rows = await sql<{ id: string; networkId: string; status: string; lateS: number }[]>`
    select p.id, p.network_id, p.status,
      floor(extract(epoch from s.head_time) - p.valid_before)::float8 as late_s
    from x402_payment p join chain_state s on s.network_id = p.network_id
    where p.status = 'pending'
      and p.valid_before < extract(epoch from s.head_time) - ${TIMEOUT_S}
    union all
    select p.id, p.network_id, p.status,
      floor(extract(epoch from s.head_time - p.settled_at))::float8
    from x402_payment p join chain_state s on s.network_id = p.network_id
    where p.status = 'settled' and p.confirmed_at is null
      and p.settled_at < s.head_time - ${TIMEOUT_S} * interval '1 second'
    order by id limit ${limit}`
  return rows.map((row) => ({
    networkId: row.networkId,
    subject: `payment ${row.id}`,
    message:
      row.status === 'pending'
        ? `it is pending ${row.lateS} s after its authorization has expired`
        : `it was settled ${row.lateS} s before the chain's newest block, and is not confirmed`,
  }))
}
