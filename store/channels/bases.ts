import type { ChannelRowId } from '../../core/base/ids.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { BookedChannel } from '../../core/channels/state.ts'
import type { Database, Queryable } from '../database/database.ts'
import { deriveChannels } from './derive.ts'
import { lockChannelsBlock } from './events.ts'
import { notifyWithdrawals } from './notify.ts'

/** The state of channels on chain at a block, from which they are derived. */

export interface UnreadChannel {
  readonly channelId: Hex
  /** In seconds. */
  readonly withdrawDelay: number
}

/** Channels of which the chain's state is to be read, the newest first, without quarantined ones. */
export async function unreadChannels(
  sql: Queryable,
  networkId: string,
  limit: number,
  without: readonly string[] = [],
): Promise<UnreadChannel[]> {
  return sql<UnreadChannel[]>`
    select channel_id, withdraw_delay from x402_channel
    where network_id = ${networkId} and base_hash is null
      and channel_id <> all(${[...without]}::text[])
    order by created_at desc limit ${limit}`
}

/** What a channel was after the block at which it was read. */
export type ChannelBase = BookedChannel & { readonly channelId: Hex }

/**
 * Stores what was read of channels after a block, derives them, and notifies merchants of new withdrawals.
 * Stores none where the block was replaced meanwhile, or events of later blocks are booked: some may have been
 * left out. Returns how many were stored.
 */
export async function saveBases(
  database: Database,
  networkId: string,
  { number, hash }: { readonly number: bigint; readonly hash: Hex },
  bases: readonly ChannelBase[],
): Promise<number> {
  return database.begin(async (sql) => {
    await lockChannelsBlock(sql, networkId)
    const [known] = await sql`
      select from chain_state s join chain_block b using (network_id)
      where s.network_id = ${networkId} and b.number = ${number} and b.hash = ${hash}
        and coalesce(s.channels_block, -1) <= ${number}`
    if (known === undefined) return 0
    const ids = bases.map(({ channelId }) => channelId)
    const before = await sql<Known[]>`
      select id, channel_id, balance, total_claimed, withdraw_amount, withdraw_at from x402_channel
      where network_id = ${networkId} and channel_id = any(${ids}::text[]) and base_hash is null
      order by channel_id for update`
    const unread = new Map(before.map((row) => [row.channelId, row]))
    const fresh = bases.filter(({ channelId }) => unread.has(channelId))
    const rows = fresh.map(({ channelId, balance, totalClaimed, withdrawal }) => ({
      channel_id: channelId,
      balance: balance.toString(),
      claimed: totalClaimed.toString(),
      withdraw_amount: withdrawal?.amount.toString() ?? null,
      withdraw_at: withdrawal?.at ?? null,
    }))
    await sql`
      update x402_channel c set base_balance = b.balance, base_claimed = b.claimed,
        base_withdraw_amount = b.withdraw_amount, base_withdraw_at = b.withdraw_at,
        base_block = ${number}, base_hash = ${hash}
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as b (channel_id text,
        balance numeric, claimed numeric, withdraw_amount numeric, withdraw_at timestamptz)
      where c.network_id = ${networkId} and c.channel_id = b.channel_id`
    const changed = fresh.filter((base) => isNews(base, unread.get(base.channelId)))
    await deriveChannels(
      sql,
      networkId,
      changed.map(({ channelId }) => channelId),
    )
    await notifyWithdrawals(
      sql,
      changed.flatMap(({ channelId, withdrawal }) => {
        const row = unread.get(channelId)
        const isKnown = row?.withdrawAt?.getTime() === withdrawal?.at.getTime()
        return row === undefined || withdrawal === null || isKnown ? [] : [row.id]
      }),
    )
    return fresh.length
  })
}

/** What was derived of a channel so far. */
interface Known {
  readonly id: ChannelRowId
  readonly channelId: Hex
  readonly balance: bigint
  readonly totalClaimed: bigint
  readonly withdrawAmount: bigint | null
  readonly withdrawAt: Date | null
}

function isNews({ balance, totalClaimed, withdrawal }: ChannelBase, known?: Known): boolean {
  return (
    known?.balance !== balance ||
    known.totalClaimed !== totalClaimed ||
    known.withdrawAmount !== (withdrawal?.amount ?? null) ||
    known.withdrawAt?.getTime() !== withdrawal?.at.getTime()
  )
}
