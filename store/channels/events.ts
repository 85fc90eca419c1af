import { keccak256, numberToHex } from 'viem'
import {
  asX402PaymentId,
  type ChannelRowId,
  type MerchantId,
  type X402PaymentId,
} from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { CHANNELS, type ChannelConfig } from '../../core/channels/channel.ts'
import { lowestKept } from '../chain/state.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { deriveChannels } from './derive.ts'

/** Booking the events of the channels' contract. */

export interface EventToBook {
  readonly name: string
  readonly channelId: Hex | null
  readonly receiver: Address | null
  readonly token: Address | null
  readonly amount: bigint
  readonly total: bigint | null
  readonly withdrawAt: number | null
  readonly txHash: Hex
  readonly logIndex: number
  readonly block: bigint
  readonly blockHash: Hex
}

/** The block before the first of which events are wanted; null where channels were never used. */
export async function channelsBookedTo(sql: Queryable, networkId: string): Promise<bigint | null> {
  const [row] = await sql<{ block: bigint | null }[]>`
    select coalesce(channels_block, least(
      (select min(claimed_block) from x402_channel_action where network_id = ${networkId}),
      (select min(claimed_block) from x402_channel_voucher where network_id = ${networkId}),
      (select min(base_block) from x402_channel where network_id = ${networkId})) - 1) as block
    from chain_state where network_id = ${networkId}`
  return row?.block ?? null
}

/** Whether something is under way that events of new blocks decide. */
export async function awaitsChannelEvents(sql: Queryable, networkId: string): Promise<boolean> {
  const [row] = await sql<{ isAwaited: boolean }[]>`
    select exists (select from work_item where network_id = ${networkId} and kind = 'x402_channel'
        and state in ('queued', 'assigned'))
      or exists (select from x402_channel_action a, chain_state s
        where a.network_id = ${networkId} and s.network_id = a.network_id and a.status = 'settled'
          and a.block_number > coalesce(s.channels_block, 0)
          and a.created_at > now() - interval '1 day') as is_awaited`
  return row?.isAwaited ?? false
}

/** Registers channels whose receivers are merchants', those that are known already once. */
export async function registerChannels(
  sql: Queryable,
  networkId: string,
  channels: readonly { readonly channelId: Hex; readonly config: ChannelConfig }[],
): Promise<void> {
  if (channels.length === 0) return
  const rows = channels.map(({ channelId, config }) => ({ channelId, ...config }))
  await sql`select register_channels(${networkId}, ${JSON.stringify(rows)}::text::json)`
}

/** What was stored: the channels that events concern, and those whose payers have begun to withdraw. */
export interface StoredEvents {
  readonly channelIds: readonly Hex[]
  readonly withdrawing: readonly ChannelRowId[]
}

/** Stores events of known channels and receivers, once each. */
export async function storeChannelEvents(
  sql: Transaction,
  networkId: string,
  events: readonly EventToBook[],
): Promise<StoredEvents> {
  if (events.length === 0) return { channelIds: [], withdrawing: [] }
  const given = events.map(({ amount, total, block, ...event }) => ({
    ...event,
    amount: amount.toString(),
    total: total?.toString() ?? null,
    block: block.toString(),
  }))
  const stored = await sql<{ channelId: Hex | null; name: string; block: bigint }[]>`
    insert into x402_channel_event (network_id, tx_hash, log_index, block_number, block_hash,
      block_time, name, channel_id, receiver, token, amount, total, withdraw_at)
    select ${networkId}, e."txHash", e."logIndex", e.block, e."blockHash", coalesce(b.time, now()),
      e.name, e."channelId", e.receiver, e.token, e.amount, e.total, e."withdrawAt"
    from json_to_recordset(${JSON.stringify(given)}::text::json) as e ("txHash" text,
      "logIndex" integer, block bigint, "blockHash" text, name text, "channelId" text,
      receiver text, token text, amount numeric, total numeric, "withdrawAt" bigint)
    left join chain_block b on b.network_id = ${networkId} and b.number = e.block
    where exists (select from x402_channel c
        where c.network_id = ${networkId} and c.channel_id = e."channelId")
      or exists (select from forwarder f where f.address = e.receiver)
      or exists (select from x402_own_address o where o.address = e.receiver
        and coalesce(o.network_id, '') in ('', ${networkId}))
    on conflict do nothing
    returning channel_id, name, block_number as block`
  const begun = stored.flatMap(({ name, channelId, block }) =>
    name === 'WithdrawInitiated' && channelId !== null ? [{ channelId, block }] : [],
  )
  // One that the channel's base shows was notified with it.
  const rows = await sql<{ id: ChannelRowId }[]>`
    select distinct c.id from unnest(${begun.map(({ channelId }) => channelId)}::text[],
      ${begun.map(({ block }) => String(block))}::text[]::bigint[]) as e (channel_id, block)
    join x402_channel c on c.network_id = ${networkId} and c.channel_id = e.channel_id
    where e.block > coalesce(c.base_block, -1)`
  return {
    channelIds: [...new Set(stored.flatMap(({ channelId }) => channelId ?? []))],
    withdrawing: rows.map(({ id }) => id),
  }
}

/**
 * Books payouts to receivers as payments, settled by the contract. Those to forwarders are distributed like
 * others. `feeOf` is what the service is owed for one that goes to a merchant's own address.
 */
export async function bookChannelPayouts(
  sql: Transaction,
  networkId: string,
  feeOf: (amount: bigint) => bigint,
): Promise<X402PaymentId[]> {
  const found = await sql<
    {
      merchantId: MerchantId
      isDirect: boolean
      receiver: Address
      token: Address
      amount: bigint
      txHash: Hex
      logIndex: number
      block: bigint
      blockHash: Hex
    }[]
  >`
    select coalesce(f.merchant_id, o.merchant_id) as merchant_id, f.merchant_id is null as is_direct,
      e.receiver, e.token, e.amount, e.tx_hash, e.log_index, e.block_number as block, e.block_hash
    from x402_channel_event e
    left join forwarder f on f.address = e.receiver
    -- Its current or last owner.
    left join lateral (
      select merchant_id from x402_own_address
      where address = e.receiver and coalesce(network_id, '') in ('', e.network_id)
      order by removed_at desc nulls first, created_at desc limit 1
    ) o on true
    where e.network_id = ${networkId} and e.name = 'Settled'
      and e.block_number > coalesce(
        (select channels_block from chain_state where network_id = ${networkId}), -1)
      and not exists (select from x402_payment p
        where p.network_id = e.network_id and p.tx_hash = e.tx_hash
          and p.log_index = e.log_index - 1)
    order by e.block_number, e.log_index`
  const ids: X402PaymentId[] = []
  for (const one of found) {
    const id = asX402PaymentId(Bun.randomUUIDv7())
    // It has no signature: its block and log index identify it.
    const nonce = keccak256(`${one.txHash}${numberToHex(one.logIndex, { size: 32 }).slice(2)}`)
    // The contract moves the money, and reports it in its next log.
    await sql`
      insert into x402_payment (id, merchant_id, network_id, asset, payer, authorization_nonce,
        pay_to, amount, valid_after, valid_before, signature, is_wallet, status, tx_hash, log_index,
        block_number, block_hash, by_others, claimed_block, settled_at, answered_at, direct,
        fee_owed, from_channels)
      values (${id}, ${one.merchantId}, ${networkId}, ${one.token}, ${CHANNELS}, ${nonce},
        ${one.receiver}, ${one.amount.toString()}, 0, 0, '0x', false, 'settled', ${one.txHash},
        ${one.logIndex - 1}, ${one.block}, ${one.blockHash}, true, ${one.block}, now(), now(),
        ${one.isDirect}, ${(one.isDirect ? feeOf(one.amount) : 0n).toString()}, true)
      on conflict do nothing`
    ids.push(id)
  }
  await sql`
    update x402_payment set confirmed_at = now(), version = version + 1
    where id = any(${ids}::uuid[]) and confirmed_at is null`
  return ids
}

/** Records up to which block events are booked, unless another process has meanwhile. */
export async function noteChannelsBlock(
  sql: Transaction,
  networkId: string,
  last: bigint,
  end: bigint,
): Promise<boolean> {
  const rows = await sql`
    update chain_state set channels_block = ${end}
    where network_id = ${networkId} and coalesce(channels_block, ${last}) = ${last}
    returning network_id`
  return rows.length > 0
}

/** Blocks other processes that book events of this chain or read channels at a block until commit. */
export async function lockChannelsBlock(sql: Transaction, networkId: string): Promise<void> {
  await sql`select from chain_state where network_id = ${networkId} for no key update`
}

/** Reverts events of reorganised blocks. Returns how many. */
export async function revertChannelEvents(sql: Transaction, networkId: string): Promise<number> {
  const gone = await sql<{ channelId: Hex | null; txHash: Hex; logIndex: number }[]>`
    delete from x402_channel_event e using chain_block b
    where e.network_id = ${networkId} and e.block_number >= ${lowestKept(sql, networkId)}
      and b.network_id = e.network_id and b.number = e.block_number and b.hash <> e.block_hash
    returning e.channel_id, e.tx_hash, e.log_index`
  if (gone.length === 0) return 0
  await sql`
    select unbook_channel_payouts(${networkId}, ${gone.map(({ txHash }) => txHash)}::text[],
      ${gone.map(({ logIndex }) => String(logIndex))}::text[]::integer[])`
  await deriveChannels(sql, networkId, [...new Set(gone.flatMap((one) => one.channelId ?? []))])
  return gone.length
}
