import type { Hex } from '../../core/chain/evm.ts'
import {
  type BookedChannel,
  type BookedChannelEvent,
  channelAfter,
  UNUSED_CHANNEL,
} from '../../core/channels/state.ts'
import type { Transaction } from '../database/database.ts'

/** Deriving channels from their state on chain at one block, and from the events after it. */

/**
 * Recalculates channels. One that was not read yet is the sum of its events, so that a withdrawal among them is
 * notified.
 */
export async function deriveChannels(
  sql: Transaction,
  networkId: string,
  channelIds: readonly Hex[],
): Promise<void> {
  const bases = await basesOf(sql, networkId, channelIds)
  for (const channelId of [...channelIds].sort()) {
    const { base, block } = bases.get(channelId) ?? NO_BASE
    const events = await decisiveEvents(sql, networkId, channelId, block)
    const { balance, totalClaimed, withdrawal } = channelAfter(events, base)
    const withdrawAt = withdrawal?.at ?? null
    // What was tried for one withdrawal does not apply to the next.
    const keep = (column: string, otherwise: number | null) => sql`
      ${sql(column)} = case when withdraw_at is not distinct from ${withdrawAt}::timestamptz
        then ${sql(column)} else ${otherwise} end`
    await sql`
      update x402_channel set balance = ${balance.toString()},
        total_claimed = ${totalClaimed.toString()},
        withdraw_amount = ${withdrawal?.amount.toString() ?? null},
        ${keep('auto_claim_id', null)}, ${keep('auto_claimed_at', null)}, ${keep('auto_failures', 0)},
        withdraw_at = ${withdrawAt}, version = version + 1, changed_at = now()
      where network_id = ${networkId} and channel_id = ${channelId}`
  }
}

interface Base {
  readonly base: BookedChannel
  /** The block after which it was so; -1 for before the chain's first one. */
  readonly block: bigint
}

const NO_BASE: Base = { base: UNUSED_CHANNEL, block: -1n }

/** Until a displaced base is read again, it is the best that is known. */
async function basesOf(
  sql: Transaction,
  networkId: string,
  channelIds: readonly Hex[],
): Promise<Map<Hex, Base>> {
  const rows = await sql<
    {
      channelId: Hex
      block: bigint
      balance: bigint
      totalClaimed: bigint
      withdrawAmount: bigint | null
      withdrawAt: Date | null
    }[]
  >`
    select channel_id, base_block as block, base_balance as balance, base_claimed as total_claimed,
      base_withdraw_amount as withdraw_amount, base_withdraw_at as withdraw_at
    from x402_channel
    where network_id = ${networkId} and channel_id = any(${[...channelIds]}::text[])
      and base_block is not null`
  return new Map(
    rows.map(
      ({ channelId, block, balance, totalClaimed, withdrawAmount: amount, withdrawAt: at }) => {
        const withdrawal = amount === null || at === null ? null : { amount, at }
        return [channelId, { base: { balance, totalClaimed, withdrawal }, block }]
      },
    ),
  )
}

/**
 * The events of a channel after a block that its state depends on, in the chain's order: of deposits and of
 * claims, each of which has their total, the newest one alone. A channel may have had many
 * thousands.
 */
function decisiveEvents(
  sql: Transaction,
  networkId: string,
  channelId: Hex,
  after: bigint,
): Promise<BookedChannelEvent[]> {
  const all = (name: string) => sql`
    select name, amount, total, withdraw_at, block_number, log_index from x402_channel_event
    where network_id = ${networkId} and channel_id = ${channelId} and name = ${name}
      and block_number > ${after}`
  const newest = (name: string) => sql`
    (${all(name)} order by block_number desc, log_index desc limit 1)`
  // One comparison per name: for a list, Postgres 15 reads all events of the channel.
  return sql<BookedChannelEvent[]>`
    select name, amount, total, withdraw_at from (
      ${newest('Deposited')} union all ${newest('Claimed')} union all
      ${all('Refunded')} union all ${all('WithdrawInitiated')} union all ${all('WithdrawFinalized')}
    ) e order by block_number, log_index`
}
