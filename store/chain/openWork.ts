import type { Fragment, Queryable } from '../database/database.ts'
import { newRequests } from './openKinds.ts'

/** Whether anything waits for a relayer of a chain, or is on its way: without it, no key has anything to do. */
export async function hasRelayerWork(sql: Queryable, networkId: string): Promise<boolean> {
  const [row] = await sql<{ isOpen: boolean }[]>`
    select exists (select from work_item where network_id = ${networkId} and state = 'queued')
      or ${isOnItsWay(sql, networkId)} as is_open`
  return row?.isOpen ?? true
}

/**
 * Whether anything is open that the leader of a chain looks after at each head: payments, transactions, work, and
 * what members and operators have stored for leaders. What becomes due by time alone is not among it.
 */
export async function hasOpenWork(sql: Queryable, networkId: string): Promise<boolean> {
  const { orders, approvals, recipients } = newRequests(sql, networkId)
  const [row] = await sql<{ isOpen: boolean }[]>`
    select exists (select from payment where network_id = ${networkId} and status = 'pending')
      or exists (select from x402_payment where network_id = ${networkId} and status = 'pending')
      or exists (select from x402_payment where network_id = ${networkId} and status = 'settled'
        and by_others and confirmed_at is null)
      or exists (select from invoice_authorization where network_id = ${networkId}
        and status in ('pending', 'settled') and confirmed_at is null)
      or exists (select from x402_channel where network_id = ${networkId} and base_hash is null)
      or exists (select from work_item where network_id = ${networkId} and state = 'queued'
        and waits_for is null)
      or ${isOnItsWay(sql, networkId)}
      or exists (select from refund where network_id = ${networkId} and status = 'open')
      or exists (select from external_refund where network_id = ${networkId} and status = 'mined')
      or exists (select from invoice where settlement_state = 'due')
      or exists (select from invoice_change)
      or exists (select from invoice_tally_change)
      or exists (select from movement_tally_change)
      or ${orders} or ${approvals} or ${recipients}
      or exists (select from chain_state where network_id = ${networkId}
        and hub_read_requested_at is not null)
      as is_open`
  return row?.isOpen ?? true
}

function isOnItsWay(sql: Queryable, networkId: string): Fragment {
  return sql`exists (select from relayer_tx t where t.network_id = ${networkId} and ${isUnfinished(sql)})`
}

/** About a transaction `t`: it is not over, or nothing is decided yet about a nonce that another sender took. */
export function isUnfinished(sql: Queryable): Fragment {
  return sql`(t.state in ('signed', 'mined') or (t.state = 'nonce_taken' and t.confirmed_at is null))`
}
