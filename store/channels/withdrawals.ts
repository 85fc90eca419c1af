import type { ChannelActionId, ChannelRowId, MerchantId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { ChannelConfig } from '../../core/channels/channel.ts'
import type { Database, Queryable } from '../database/database.ts'
import { type NewAction, storeAction } from './actions.ts'

/** Channels whose payers withdraw, and what is claimed of them before that for servers that have signed for it. */

export interface DueClaim extends ChannelConfig {
  readonly id: ChannelRowId
  readonly merchantId: MerchantId
  readonly channelId: Hex
  /** The claim that both sides have signed, in base units. */
  readonly claimMax: bigint
  readonly claimSignature: Hex
  readonly claimTotal: bigint
  readonly authorizerSignature: Hex
  readonly withdrawAt: Date
  /** The last claim of this withdrawal was refused on-chain. */
  readonly hasFailed: boolean
}

/** Claims of one withdrawal that may be refused on-chain: each costs gas and moves nothing. */
const FAILURES_MAX = 3

/**
 * Channels of which a claim could move something, except quarantined ones: at once when a withdrawal begins,
 * then every ten minutes, and every minute while it can be ended within ten. Once it could have been ended,
 * ever less often, so that what is never claimed costs a node next to nothing. One whose claim is under way
 * waits for it. The node's trial shows whether a channel holds enough: what is booked of one that is older than
 * our books is less than there is. Those that have waited longest come first, so that many that are never
 * claimed keep no other from its turn. One whose claims of this withdrawal were refused on-chain a few times is
 * left alone.
 */
export async function dueClaims(
  sql: Queryable,
  networkId: string,
  limit: number,
  without: readonly string[] = [],
): Promise<DueClaim[]> {
  return sql<DueClaim[]>`
    select c.id, c.merchant_id, c.channel_id, c.payer, c.payer_authorizer, c.receiver,
      c.receiver_authorizer, c.token, c.withdraw_delay, c.salt, c.withdraw_at, v.claim_max,
      v.claim_signature, v.claim_total, v.authorizer_signature,
      a.status is not distinct from 'failed' as has_failed
    from x402_channel c join x402_channel_voucher v using (network_id, channel_id)
    left join x402_channel_action a on a.id = c.auto_claim_id
    where c.network_id = ${networkId} and c.withdraw_at is not null
      and v.claim_total > c.total_claimed
      and a.status is distinct from 'pending'
      and (a.status is distinct from 'failed' or c.auto_failures < ${FAILURES_MAX - 1})
      and c.id <> all(${[...without]}::uuid[])
      and (c.auto_claimed_at is null or c.auto_claimed_at < now() - case
        when c.withdraw_at < now() + interval '10 minutes'
          then greatest(interval '1 minute', (now() - c.withdraw_at) / 10)
        else interval '10 minutes' end)
    order by c.auto_claimed_at nulls first, c.withdraw_at limit ${limit}`
}

/** Records that a channel was read, so that it is not read again at once. */
export async function postponeClaim(sql: Queryable, id: ChannelRowId): Promise<void> {
  await sql`update x402_channel set auto_claimed_at = now() where id = ${id}`
}

/** Queues a claim of a channel, and records which. */
export async function requestClaim(
  database: Database,
  id: ChannelRowId,
  action: NewAction,
): Promise<void> {
  await database.begin(async (sql) => {
    // Before the action, which may be the failed one, is queued again.
    await sql`
      update x402_channel c set auto_failures = c.auto_failures + 1
      from x402_channel_action a
      where c.id = ${id} and a.id = c.auto_claim_id and a.status = 'failed'`
    const actionId = await storeAction(sql, action)
    await sql`update x402_channel_action set is_automatic = true where id = ${actionId}`
    await sql`
      update x402_channel set auto_claim_id = ${actionId}, auto_claimed_at = now() where id = ${id}`
  })
}

export interface DuePayout {
  readonly merchantId: MerchantId
  readonly receiver: Address
  readonly token: Address
  readonly actionIds: readonly ChannelActionId[]
  /** The newest block that has claims of it: an older one would show less to be paid out. */
  readonly claimedBy: bigint
}

/** Receivers for whom something was claimed that way, and not yet paid out. */
export async function duePayouts(sql: Queryable, networkId: string): Promise<DuePayout[]> {
  return sql<DuePayout[]>`
    select merchant_id, receiver, token, array_agg(id order by id) as action_ids,
      max(block_number) as claimed_by
    from x402_channel_action
    where network_id = ${networkId} and is_automatic and kind = 'claim' and status = 'settled'
      and followed_at is null and confirmed_at is not null
      and (follow_after is null or follow_after < now())
    group by merchant_id, receiver, token order by receiver, token limit 20`
}

/** Queues a payout, or none below the minimum, and marks its claims as handled. */
export async function requestPayout(
  database: Database,
  { actionIds }: DuePayout,
  action: NewAction | null,
): Promise<void> {
  await database.begin(async (sql) => {
    if (action !== null) await storeAction(sql, action)
    await sql`
      update x402_channel_action set followed_at = now()
      where id = any(${[...actionIds]}::uuid[])`
  })
}

/** Notes that a payout is refused just now, so that it is tried again in ten minutes and fills no page until then. */
export async function postponePayout(sql: Queryable, { actionIds }: DuePayout): Promise<void> {
  await sql`
    update x402_channel_action set follow_after = now() + interval '10 minutes'
    where id = any(${[...actionIds]}::uuid[])`
}

/** What is reported of channels whose payers withdraw, by chain. */
export interface ChannelWithdrawals {
  readonly networkId: string
  /** `service` where all that is charged is signed for, or else the merchant has to claim. */
  readonly claimedBy: 'service' | 'merchant'
  readonly count: number
  /** When the first of them can be ended. */
  readonly soonestAt: Date
}

/** A withdrawal that its payer could have finished so long ago is no longer notified. */
const NOTIFIED_FOR = '1 day'

/** Withdrawals that would take what was charged. Where servers store nothing, charges are unknown. */
export async function channelWithdrawals(sql: Queryable): Promise<ChannelWithdrawals[]> {
  return sql<ChannelWithdrawals[]>`
    select network_id, claimed_by, count(*)::integer as count, min(withdraw_at) as soonest_at
    from (
      select c.network_id, c.withdraw_at,
        case when v.claim_total >= v.charged then 'service' else 'merchant' end as claimed_by
      from x402_channel c
      -- Looked up for each of the few that there are.
      left join lateral (
        select * from x402_channel_voucher v
        where v.network_id = c.network_id and v.channel_id = c.channel_id offset 0
      ) v on true
      where c.withdraw_at > now() - ${NOTIFIED_FOR}::interval
        and coalesce(v.charged, c.balance) > c.total_claimed
    ) as open
    group by network_id, claimed_by order by network_id, claimed_by`
}
