import type { Queryable } from '../database/database.ts'
import type { Violation } from './audit.ts'

/** Invariants of x402 payments in the ledger alone. Each function lists violations. */

/** Payments of others than their merchants, and authorizations that contradict their invoice or the chain's time. */
export async function paymentViolations(sql: Queryable, limit: number): Promise<Violation[]> {
  const elsewhere = await sql<Violation[]>`
    select p.network_id, 'payment ' || p.id as subject,
      'it pays neither its merchant''s forwarder nor its own address' as message
    from x402_payment p
    left join forwarder f on f.merchant_id = p.merchant_id
    where case when p.direct then not is_own_address(p.merchant_id, p.pay_to, p.network_id)
      else f.address is distinct from p.pay_to end
    order by p.id limit ${limit}`
  return [...elsewhere, ...(await authorizationViolations(sql, limit))]
}

/** Authorizations of invoices that contradict their invoice, or whose transfer the ledger lacks. */
async function authorizationViolations(sql: Queryable, limit: number): Promise<Violation[]> {
  return sql<Violation[]>`
    select a.network_id, 'authorization ' || a.id as subject, case
      when a.pay_to <> i.deposit_address then 'it does not pay its invoice''s deposit'
      when a.status <> 'pending' then 'it is settled, and no payment of its invoice has its transfer'
      else 'it is pending long after it has expired' end as message
    from invoice_authorization a
    join invoice i on i.id = a.invoice_id
    left join chain_state s on s.network_id = a.network_id
    where a.pay_to <> i.deposit_address
      or (a.status = 'pending' and a.valid_before < extract(epoch from s.head_time) - ${TIMEOUT_S})
      or (a.confirmed_at < now() - ${TIMEOUT_S} * interval '1 second' and not exists (
        select from payment p where p.network_id = a.network_id and p.tx_hash = a.tx_hash
          and p.log_index = a.log_index and p.invoice_id = a.invoice_id and p.status <> 'reverted'))
    order by a.id limit ${limit}`
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
