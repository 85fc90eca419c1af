import type { Queryable } from '../database/database.ts'
import { lowestKept } from './state.ts'

/** What the steps of a leader's turn would find, so that a turn asks nothing of which there is nothing. */

/** What members and operators have stored for the leader of a chain, of each kind whether there is any. */
export interface Requests {
  readonly orders: boolean
  /** Requests for approval, changed memberships, and emails to owners that are to be verified. */
  readonly approvals: boolean
  readonly recipients: boolean
  /** Approvals whose time is over, and refunds that have none. */
  readonly unapproved: boolean
}

/** The requests that a leader sees to at each head: what is new, and what was approved. */
export function newRequests(sql: Queryable, networkId: string) {
  return {
    orders: sql`exists (select from operator_order where network_id = ${networkId} and ended_at is null)`,
    approvals: sql`exists (select from member_change)
      or exists (select from approval_request
        where state = 'open' and checked_at is null or state = 'approved' and done_at is null)`,
    recipients: sql`exists (select from recipient_change
      where notified_at is null and state in ('needs_approval', 'waiting'))`,
  }
}

/** In one question, because there is nearly always nothing. */
export async function openRequests(sql: Queryable, networkId: string): Promise<Requests> {
  const { orders, approvals, recipients } = newRequests(sql, networkId)
  const [row] = await sql<Requests[]>`
    select ${orders} as orders,
      ${approvals} or exists (select from owner_mail where sent_mac is not null and proven_at is null)
        as approvals,
      ${recipients} or exists (select from recipient_change where state = 'waiting')
        or exists (select from recipient_change
          where version is not null and withdrawn_at is null
            and state in ('cancelled', 'refused', 'expired', 'impossible'))
        as recipients,
      exists (select from approval_request where state = 'open' and expires_at <= clock_timestamp())
        or exists (select from approval_request a join refund r on r.id = a.refund_id
          where a.kind = 'refund' and a.state in ('refused', 'expired') and r.network_id = ${networkId}
            and r.status = 'open' and r.deadline is null)
        as unapproved`
  return row ?? { orders: true, approvals: true, recipients: true, unapproved: true }
}

/** What a leader looks after at each head, of each kind whether there is any. */
export interface OpenKinds {
  /** Payments in blocks that were replaced, payments that were reverted within two hours, and pending ones. */
  readonly displaced: boolean
  readonly reverted: boolean
  readonly pending: boolean
  /** Invoices that are to be settled, or could not be. */
  readonly unsettled: boolean
  /** Registry entries that are to be read. */
  readonly entries: boolean
  readonly refunds: boolean
  /** Refunds that merchants have reported, and whose transfers are not proven, or are in blocks that were replaced. */
  readonly externalRefunds: boolean
  /** What others have carried out and may be reorganised yet, and payouts in blocks that were replaced. */
  readonly byOthers: boolean
  /** Paid requests, and authorizations of invoices, that are pending. */
  readonly requests: boolean
  /** Channels, ever. */
  readonly channels: boolean
}

export async function openKinds(sql: Queryable, networkId: string): Promise<OpenKinds> {
  const isByOthers = sql`network_id = ${networkId} and status = 'settled' and by_others`
  const isKept = sql`block_number >= ${lowestKept(sql, networkId)}`
  // Few rows are in blocks that are kept: each block is looked up, and not each row of all blocks.
  const isReplaced = sql`r.network_id = ${networkId} and r.block_number >= ${lowestKept(sql, networkId)}
    and r.block_hash <> (select hash from chain_block where network_id = r.network_id and number = r.block_number)`
  const [row] = await sql<OpenKinds[]>`
    select exists (
        select from chain_block b
        cross join lateral (
          select from payment
          where network_id = ${networkId} and block_number = b.number
            and status <> 'reverted' and block_hash <> b.hash
          offset 0
        ) p
        where b.network_id = ${networkId}) as displaced,
      exists (select from payment where network_id = ${networkId} and status = 'reverted'
        and reverted_at > now() - interval '2 hours') as reverted,
      exists (select from payment where network_id = ${networkId} and status = 'pending') as pending,
      exists (select from invoice where settlement_state = 'due')
        or exists (select from invoice where settlement_state = 'failed') as unsettled,
      exists (select from registry_entry where network_id = ${networkId} and look_at <= now()) as entries,
      exists (select from refund where network_id = ${networkId} and status = 'open') as refunds,
      exists (select from external_refund where network_id = ${networkId} and status = 'mined')
        or exists (select from external_refund r where status = 'confirmed' and ${isReplaced})
        as external_refunds,
      exists (select from x402_payment where ${isByOthers} and ${isKept})
        or exists (select from x402_payment where ${isByOthers} and confirmed_at is null)
        or exists (select from invoice_authorization where ${isByOthers} and ${isKept})
        or exists (select from invoice_authorization where ${isByOthers} and confirmed_at is null)
        or exists (select from x402_distribution r where ${isReplaced}) as by_others,
      exists (select from x402_payment where network_id = ${networkId} and status = 'pending')
        or exists (select from invoice_authorization where network_id = ${networkId} and status = 'pending')
        as requests,
      exists (select from x402_channel where network_id = ${networkId})
        or exists (select from chain_state where network_id = ${networkId} and coalesce(channels_block,
          (select min(claimed_block) from x402_channel_action where network_id = ${networkId}),
          (select min(claimed_block) from x402_channel_voucher where network_id = ${networkId})) is not null)
        as channels`
  if (row === undefined) throw new Error('what is open could not be read')
  return row
}
