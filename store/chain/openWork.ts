import type { Fragment, Queryable } from '../database/database.ts'
import { type Announced, type AnnouncedRow, announcedColumns, announcedOf } from './heads.ts'
import { newRequests } from './openKinds.ts'

/** What is open on a chain, and its head, in one question: nearly always nothing is. */
export interface OpenWork {
  /** Whether anything waits for a relayer of the chain, or is on its way: without it, no key has anything to do. */
  readonly forRelayers: boolean
  /**
   * Whether anything is open that the leader of the chain looks after at each head: payments, transactions, work, and
   * what members and operators have stored for leaders. What becomes due by time alone is not among it.
   */
  readonly forLeader: boolean
  /** As of `readAnnounced`. */
  readonly announced: Announced | null
}

export async function readOpenWork(sql: Queryable, networkId: string): Promise<OpenWork> {
  const { orders, approvals, recipients } = newRequests(sql, networkId)
  const [row] = await sql<(Pick<OpenWork, 'forRelayers' | 'forLeader'> & AnnouncedRow)[]>`
    select r.is_on_its_way or exists (
        select from work_item where network_id = ${networkId} and state = 'queued') as for_relayers,
      r.is_on_its_way
      or exists (select from payment where network_id = ${networkId} and status = 'pending')
      or exists (select from x402_payment where network_id = ${networkId} and status = 'pending')
      or exists (select from x402_payment where network_id = ${networkId} and status = 'settled'
        and by_others and confirmed_at is null)
      or exists (select from invoice_authorization where network_id = ${networkId}
        and status in ('pending', 'settled') and confirmed_at is null)
      or exists (select from x402_channel where network_id = ${networkId} and base_hash is null)
      or exists (select from work_item where network_id = ${networkId} and state = 'queued'
        and waits_for is null)
      or exists (select from refund where network_id = ${networkId} and status = 'open')
      or exists (select from external_refund where network_id = ${networkId} and status = 'mined')
      or exists (select from invoice where settlement_state = 'due')
      or exists (select from invoice_change)
      or exists (select from invoice_tally_change)
      or exists (select from movement_tally_change)
      or ${orders} or ${approvals} or ${recipients}
      or exists (select from chain_state where network_id = ${networkId}
        and hub_read_requested_at is not null) as for_leader,
      ${announcedColumns(sql)}
    from (
      select exists (
        select from relayer_tx t where t.network_id = ${networkId} and ${isUnfinished(sql)}
      ) as is_on_its_way
    ) r left join chain_head h on h.network_id = ${networkId}`
  if (row === undefined) throw new Error('what is open could not be read')
  const { forRelayers, forLeader, ...head } = row
  return { forRelayers, forLeader, announced: announcedOf(head) }
}

/** About a transaction `t`: it is not over, or nothing is decided yet about a nonce that another sender took. */
export function isUnfinished(sql: Queryable): Fragment {
  return sql`(t.state in ('signed', 'mined') or (t.state = 'nonce_taken' and t.confirmed_at is null))`
}
