import { type Address, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import type { ChannelActionRow } from '../../core/channels/action.ts'
import { WALLET_TRANSACTIONS_MAX } from '../../core/x402/wallets.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { idsOf, type Ledger, REQUESTS } from '../relayer/transition.ts'
import { lockDueItems, type WorkItem } from '../relayer/workItems.ts'
import { notifyDecided } from '../x402/outcomes.ts'

/** Actions of channels as the work of a relayer: how they advance. */

export interface ActionWork extends ChannelActionRow {
  readonly itemId: bigint
  readonly calldata: Hex
  readonly gas: number
  readonly claimedBlock: bigint
}

/** The actions behind work items, in the order of the items' ids. */
export async function readActionWork(
  sql: Queryable,
  itemIds: readonly bigint[],
): Promise<ActionWork[]> {
  return sql<ActionWork[]>`
    select w.id as item_id, a.id, a.network_id, a.merchant_id, a.kind, a.receiver, a.token, a.payer,
      a.authorization_nonce, a.valid_before, a.amount, a.channels, a.calldata, a.gas, a.status,
      a.claimed_block
    from work_item w join x402_channel_action a on a.id = w.subject_id
    where w.id = any(${itemIds.map(String)}::bigint[])
    order by w.id`
}

/**
 * Locks actions that may share a transaction now, those that wait longest. Those that call contracts for
 * signatures stay behind while as many transactions with them are open as may be, or while another worker
 * is choosing some: they may burn their gas, and others must not wait for that.
 */
export async function lockDueActions(
  sql: Transaction,
  networkId: string,
  limit: number,
  without: readonly bigint[] = [],
): Promise<WorkItem[]> {
  const [lock] = await sql<{ isOurs: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${networkId}, 4338)) as is_ours`
  const ofContracts = await sql<{ id: bigint; isOpen: boolean }[]>`
    select w.id, coalesce(t.state = 'signed', false) as is_open
    from work_item w left join relayer_tx t on t.id = w.tx_id
    where w.network_id = ${networkId} and w.kind = 'x402_channel'
      and w.state in ('queued', 'assigned') and w.payload ? 'asksContract'`
  const open = ofContracts.filter(({ isOpen }) => isOpen).length
  const isFull = !lock?.isOurs || open >= WALLET_TRANSACTIONS_MAX
  const kept = isFull ? ofContracts.map(({ id }) => id) : []
  return lockDueItems(sql, networkId, 'x402_channel', limit, [...without, ...kept])
}

/** What becomes of actions. */
export const ACTIONS: Ledger = {
  table: 'x402_channel_action',
  words: REQUESTS,
  isOfInvoice: false,
  hasOthers: false,
  also: {
    mined: (sql) => sql`, log_index = given.log_index, moved = (given.details->>'moved')::numeric`,
    reopened: (sql) => sql`, log_index = null, moved = null`,
  },
  // Their ids share a channel with those of payments: both are unique.
  async derive(sql, step, changed) {
    if (step === 'mined' || step === 'failed') await notifyDecided(sql, idsOf(changed))
  },
}

/** The work items of queued deposits whose time had run out by the block up to which events are booked. */
export async function lateDeposits(
  sql: Queryable,
  networkId: string,
  limit: number,
  without: readonly string[],
): Promise<bigint[]> {
  const rows = await sql<{ id: bigint }[]>`
    select w.id from x402_channel_action a
    join chain_state s on s.network_id = a.network_id
    join chain_block b on b.network_id = s.network_id and b.number = s.channels_block
    join work_item w on w.subject_id = a.id
    where a.network_id = ${networkId} and a.kind = 'deposit' and a.status = 'pending'
      and a.confirmed_at is null and a.valid_before <= extract(epoch from b.time)
      and w.state = 'queued' and w.id <> all(${[...without]}::bigint[])
    order by w.id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** The accounts whose code, if any, verifies a signature in an action. */
export interface ItemSigners {
  readonly itemId: bigint
  readonly addresses: readonly Address[]
}

/** Of each action, in the order of the items' ids: of deposits the payer, and of claims and refunds the authorizers. */
export async function signersIn(
  sql: Queryable,
  itemIds: readonly bigint[],
): Promise<ItemSigners[]> {
  return sql<ItemSigners[]>`
    select w.id as item_id, coalesce(array_agg(distinct s.address) filter (
      where s.address is not null and s.address <> ${ZERO_ADDRESS}), '{}') as addresses
    from work_item w join x402_channel_action a on a.id = w.subject_id
    left join x402_channel c on c.network_id = a.network_id
      and c.channel_id in (select one->>'channelId' from jsonb_array_elements(a.channels) one)
    left join lateral (
      select a.payer as address where a.kind = 'deposit'
      union all select c.receiver_authorizer where a.kind in ('claim', 'refund')
      union all select c.payer
        where a.kind in ('claim', 'refund') and c.payer_authorizer = ${ZERO_ADDRESS}
    ) s on true
    where w.id = any(${itemIds.map(String)}::bigint[])
    group by w.id order by w.id`
}

/** A booked event about a channel. */
export interface BookedEvent {
  readonly name: string
  readonly channelId: Hex | null
  readonly receiver: Address | null
  readonly token: Address | null
  readonly amount: bigint
  readonly total: bigint | null
  readonly txHash: Hex
  readonly logIndex: number
  readonly block: bigint
  readonly blockHash: Hex
}

/** Up to which block the contract's events are booked; null before the first. */
export async function channelsBlock(sql: Queryable, networkId: string): Promise<bigint | null> {
  const [row] = await sql<{ block: bigint | null }[]>`
    select channels_block as block from chain_state where network_id = ${networkId}`
  return row?.block ?? null
}

/** What was done since then with these channels, or paid out to these receivers, in the chain's order. */
export async function eventsSince(
  sql: Queryable,
  networkId: string,
  actions: readonly ActionWork[],
): Promise<BookedEvent[]> {
  const since = actions.reduce<bigint | null>(
    (least, { claimedBlock }) => (least === null || claimedBlock < least ? claimedBlock : least),
    null,
  )
  if (since === null) return []
  const ids = actions.flatMap(({ channels }) => channels.map(({ channelId }) => channelId))
  return sql<BookedEvent[]>`
    select name, channel_id, receiver, token, amount, total, tx_hash, log_index,
      block_number as block, block_hash
    from x402_channel_event
    where network_id = ${networkId} and block_number > ${since}
      and ((channel_id = any(${ids}::text[]) and name in ('Deposited', 'Claimed', 'Refunded'))
        or (name = 'Settled' and receiver = any(${actions.map(({ receiver }) => receiver)}::text[])))
    order by block_number, log_index`
}
