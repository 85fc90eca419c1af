import type { ChannelRowId, MerchantId } from '../../core/base/ids.ts'
import type { Page, PageRequest } from '../../core/base/page.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { X402Channel } from '../../core/channels/present.ts'
import type { Database, Queryable } from '../database/database.ts'
import { microsecondsOf, readPageByMoment } from '../database/moments.ts'

/** Channels as merchants and their servers read them, with what is kept of each. */

export interface ChannelFilter {
  readonly networkId?: string | undefined
  readonly payTo?: Address | undefined
  /** Only those whose payer has begun to withdraw, or only the others. */
  readonly withdrawing?: boolean | undefined
}

/** The merchant's channels, the newest first. */
export async function listChannels(
  database: Database,
  merchantId: MerchantId,
  filter: ChannelFilter,
  page: PageRequest,
): Promise<Page<X402Channel>> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const matching = conditions(sql, merchantId, filter)
    return readPageByMoment<X402Channel>(sql, page, {
      count: () => sql<{ total: number }[]>`
        select count(*)::int as total from x402_channel c where ${matching}`,
      read: ({ beyond, order, place }) => sql`
        select ${columns(sql)}, ${microsecondsOf(sql, 'c.created_at')} as microseconds
        from x402_channel c left join x402_channel_voucher v using (network_id, channel_id)
        where ${matching} and ${beyond('c')}
        ${order('c')} ${place}`,
    })
  })
}

/** A merchant's channel by its hash, which names the chain, too; null where there is none. */
export async function findChannel(
  sql: Queryable,
  merchantId: MerchantId,
  channelId: Hex,
): Promise<X402Channel | null> {
  const [row] = await sql<X402Channel[]>`
    select ${columns(sql)}
    from x402_channel c left join x402_channel_voucher v using (network_id, channel_id)
    where c.channel_id = ${channelId} and c.merchant_id = ${merchantId}
    order by c.created_at limit 1`
  return row ?? null
}

/** True for a channel that pays another merchant. */
export async function isForeignChannel(
  sql: Queryable,
  merchantId: MerchantId,
  channelId: Hex,
): Promise<boolean> {
  const [row] = await sql`
    select from x402_channel where channel_id = ${channelId} and merchant_id <> ${merchantId} limit 1`
  return row !== undefined
}

/** The channels with these ids, in no particular order. */
export async function readChannels(
  sql: Queryable,
  ids: readonly ChannelRowId[],
): Promise<X402Channel[]> {
  if (ids.length === 0) return []
  return sql<X402Channel[]>`
    select ${columns(sql)}
    from x402_channel c left join x402_channel_voucher v using (network_id, channel_id)
    where c.id = any(${[...ids]}::uuid[])`
}

function columns(sql: Queryable) {
  return sql`c.id, c.network_id, c.channel_id, c.merchant_id, c.payer, c.payer_authorizer, c.receiver,
    c.receiver_authorizer, c.token, c.withdraw_delay, c.salt, c.balance, c.total_claimed,
    c.withdraw_amount, c.withdraw_at, c.version, c.changed_at, v.max_claimable,
    v.signature, v.charged, v.claim_total, v.record, v.version as voucher_version`
}

function conditions(
  sql: Queryable,
  merchantId: MerchantId,
  { networkId, payTo, withdrawing }: ChannelFilter,
) {
  return sql`
    c.merchant_id = ${merchantId}
    ${networkId === undefined ? sql`` : sql`and c.network_id = ${networkId}`}
    ${payTo === undefined ? sql`` : sql`and c.receiver = ${payTo}`}
    ${withdrawing === undefined ? sql`` : sql`and (c.withdraw_at is not null) = ${withdrawing}`}`
}
