import { describe, expect, test } from 'bun:test'
import type { Hex } from '../../../core/chain/evm.ts'
import type { ChannelConfig } from '../../../core/channels/channel.ts'
import { findChannel } from '../../../store/channels/channels.ts'
import { deriveChannels } from '../../../store/channels/derive.ts'
import {
  bookChannelPayouts,
  type EventToBook,
  revertChannelEvents,
  storeChannelEvents,
} from '../../../store/channels/events.ts'
import { removeUnpaidChannels } from '../../../store/channels/retention.ts'
import { type NewVoucher, storeVoucher } from '../../../store/channels/vouchers.ts'
import {
  channelWithdrawals,
  dueClaims,
  postponeClaim,
  requestClaim,
} from '../../../store/channels/withdrawals.ts'
import type { Database } from '../../../store/database/database.ts'
import { asWorker } from '../../support/servers/database.ts'
import {
  forThisFile,
  newAddress,
  newHash,
  newNetwork,
  storeBlock,
  storeChain,
} from '../../support/store/database.ts'
import { newShop, type Shop, TOKEN } from '../../support/store/x402.ts'

/** What is kept of channels, what is claimed of it when payers withdraw, and what a reorganisation takes back. */

let sql: Database
forThisFile((database) => {
  sql = database
})

const SIGNATURE: Hex = `0x${'12'.repeat(65)}`

interface Kept {
  readonly shop: Shop
  readonly networkId: string
  readonly channelId: Hex
  readonly config: ChannelConfig
}

async function aChannel(): Promise<Kept> {
  const shop = await newShop(sql)
  const payer = newAddress()
  const config: ChannelConfig = {
    ...{ payer, payerAuthorizer: payer, receiver: shop.forwarder, receiverAuthorizer: payer },
    ...{ token: TOKEN, withdrawDelay: 900, salt: newHash() },
  }
  return { shop, networkId: newNetwork(), channelId: newHash(), config }
}

function voucher(kept: Kept, max: bigint, charged: bigint, isSigned = true): NewVoucher {
  const { networkId, channelId, config } = kept
  const signature: Hex = `0x${max.toString(16).padStart(130, '0')}`
  const authorizerSignature = isSigned ? SIGNATURE : null
  return {
    ...{ chain: { networkId }, channelId, config, record: undefined, version: null },
    promise: { voucher: { channelId, maxClaimable: max, signature }, charged, authorizerSignature },
  }
}

const store = (kept: Kept, wanted: NewVoucher, merchantId = kept.shop.id) =>
  storeVoucher(sql, merchantId, wanted, 1n)

async function stateOf({ shop, channelId }: Kept) {
  const channel = await findChannel(sql, shop.id, channelId)
  return (
    channel && [channel.maxClaimable, channel.charged, channel.claimTotal, channel.voucherVersion]
  )
}

describe('a voucher', () => {
  test('is replaced by higher ones only, each amount for itself', async () => {
    const kept = await aChannel()
    await store(kept, voucher(kept, 10n, 5n))
    expect(await stateOf(kept)).toEqual([10n, 5n, 5n, 1])
    for (const lower of [voucher(kept, 10n, 5n), voucher(kept, 9n, 4n), voucher(kept, 1n, 0n)]) {
      expect(await store(kept, lower)).toBe('stored')
    }
    expect(await stateOf(kept)).toEqual([10n, 5n, 5n, 1])
    await store(kept, voucher(kept, 8n, 7n))
    expect(await stateOf(kept)).toEqual([10n, 7n, 7n, 2])
    await store(kept, voucher(kept, 12n, 9n, false))
    expect(await stateOf(kept)).toEqual([12n, 9n, 7n, 3])
    const channel = await findChannel(sql, kept.shop.id, kept.channelId)
    expect(BigInt(channel?.signature ?? 0)).toBe(12n)
  })

  test('of another merchant is neither stored nor found', async () => {
    const kept = await aChannel()
    const other = await newShop(sql)
    expect(await store(kept, voucher(kept, 10n, 5n), other.id)).toBe('foreign')
    await store(kept, voucher(kept, 10n, 5n))
    expect(await findChannel(sql, other.id, kept.channelId)).toBeNull()
  })

  test('of two servers at once ends with the highest, and one record of those that read the same', async () => {
    const kept = await aChannel()
    const both = ['one', 'other'].map((record, i) =>
      store(kept, { ...voucher(kept, 10n + BigInt(i), 5n), record, version: 0 }),
    )
    expect((await Promise.all(both)).sort()).toEqual(['conflict', 'stored'])
    const more = Array.from({ length: 8 }, (_, i) =>
      store(kept, voucher(kept, 20n + BigInt(i), BigInt(i))),
    )
    await Promise.all(more)
    expect((await stateOf(kept))?.slice(0, 2)).toEqual([27n, 7n])
  })
})

/** A channel with 100 of which the payer withdraws, and 50 of which are charged and signed for. */
async function withdrawing(minutes = 60, networkId = newNetwork()): Promise<Kept> {
  const kept = { ...(await aChannel()), networkId }
  await store(kept, voucher(kept, 50n, 50n))
  await set(kept, { balance: 100, withdraw_amount: 100 })
  await sql`
    update x402_channel set withdraw_at = now() + ${minutes} * interval '1 minute'
    where channel_id = ${kept.channelId}`
  return kept
}

const set = ({ channelId }: Kept, change: Record<string, unknown>) =>
  sql`update x402_channel set ${sql(change)} where channel_id = ${channelId}`
const due = async ({ networkId }: Kept) => (await dueClaims(sql, networkId, 9)).length

describe('a claim before a withdrawal', () => {
  test('is due while more is signed for than was claimed', async () => {
    const kept = await withdrawing()
    expect(await due(kept)).toBe(1)
    await set(kept, { total_claimed: 50 })
    expect(await due(kept)).toBe(0)
    await set(kept, { total_claimed: 49, withdraw_at: null })
    expect(await due(kept)).toBe(0)
  })

  test('is due of a channel that is older than what is booked of it, and counts as the service’s', async () => {
    const kept = await withdrawing()
    await set(kept, { balance: 0 })
    expect(await due(kept)).toBe(1)
    const told = await channelWithdrawals(sql)
    const own = told.find(({ networkId }) => networkId === kept.networkId)
    expect(own?.claimedBy).toBe('service')
  })

  test('comes before those that were looked at, however long ago those could have been ended', async () => {
    const old = await withdrawing(-60)
    await sql`
      update x402_channel set auto_claimed_at = now() - interval '1 hour'
      where channel_id = ${old.channelId}`
    const fresh = await withdrawing(60, old.networkId)
    const [first] = await dueClaims(sql, old.networkId, 1)
    expect(first?.channelId).toBe(fresh.channelId)
    expect(await due(old)).toBe(2)
  })

  test('is tried three times while it is refused on-chain, and again for the next withdrawal', async () => {
    const kept = await withdrawing()
    const { shop, networkId, channelId, config } = kept
    for (let tries = 0; tries < 3; tries += 1) {
      const [one] = await dueClaims(sql, networkId, 9)
      if (one === undefined) throw new Error('nothing is due')
      expect(one.hasFailed).toBe(tries > 0)
      await requestClaim(sql, one.id, {
        ...{ networkId, merchantId: shop.id, kind: 'claim', key: channelId, deposit: null },
        ...{ receiver: shop.forwarder, token: TOKEN, amount: 50n, calldata: '0x12', gas: 1 },
        ...{ channels: [{ channelId, config, totalClaimed: 50n }], block: 1n, isAlone: false },
      })
      await sql`
        update x402_channel_action set status = 'failed', reason = 'it failed'
        where network_id = ${networkId}`
      await sql`
        update x402_channel set auto_claimed_at = now() - interval '1 day'
        where channel_id = ${channelId}`
    }
    expect(await due(kept)).toBe(0)
    const begin = (withdrawAt: number, block: bigint) =>
      sql.begin(async (transaction) => {
        const events = ['Deposited', 'WithdrawInitiated', 'Claimed'].map((name, logIndex) => ({
          ...{ channelId, receiver: null, token: null, txHash: newHash(), logIndex, name, block },
          ...{ blockHash: newHash(), amount: 1n, total: name === 'Deposited' ? 100n : 1n },
          withdrawAt: name === 'WithdrawInitiated' ? withdrawAt : null,
        }))
        await storeChannelEvents(transaction, networkId, events)
        await deriveChannels(transaction, networkId, [channelId])
      })
    await begin(4_000_000_000, 7n)
    const [again] = await dueClaims(sql, networkId, 9)
    expect(again?.hasFailed).toBe(false)
    // What else happens to the channel is no other withdrawal.
    await sql`update x402_channel set auto_failures = 2 where channel_id = ${channelId}`
    await begin(4_000_000_000, 8n)
    const failures = () => sql<{ autoFailures: number }[]>`
      select auto_failures from x402_channel where channel_id = ${channelId}`
    expect((await failures())[0]?.autoFailures).toBe(2)
  })

  test('is asked for once at a time, and looked at again after ten minutes, or one near the end', async () => {
    const [early, late] = [await withdrawing(60), await withdrawing(5)]
    for (const kept of [early, late]) {
      const [one] = await dueClaims(sql, kept.networkId, 9)
      if (one === undefined) throw new Error('nothing is due')
      await postponeClaim(sql, one.id)
      expect(await due(kept)).toBe(0)
      await sql`
        update x402_channel set auto_claimed_at = now() - interval '2 minutes' where id = ${one.id}`
    }
    expect([await due(early), await due(late)]).toEqual([0, 1])
    const [one] = await dueClaims(sql, late.networkId, 9)
    if (one === undefined) throw new Error('nothing is due')
    // Once it could have been ended it is looked at ever less often, and for ever.
    await sql`
      update x402_channel set withdraw_at = now() - interval '30 minutes' where id = ${one.id}`
    expect(await due(late)).toBe(0)
    await sql`
      update x402_channel set auto_claimed_at = now() - interval '4 minutes' where id = ${one.id}`
    expect(await due(late)).toBe(1)
    expect(await dueClaims(sql, late.networkId, 9, [one.id])).toEqual([])
    const { shop, networkId, channelId, config } = late
    await requestClaim(sql, one.id, {
      ...{ networkId, merchantId: shop.id, kind: 'claim', key: newHash(), deposit: null },
      ...{ receiver: shop.forwarder, token: TOKEN, amount: 50n, calldata: '0x12', gas: 1 },
      ...{ channels: [{ channelId, config, totalClaimed: 50n }], block: 1n, isAlone: false },
    })
    await sql`update x402_channel set auto_claimed_at = null where id = ${one.id}`
    expect(await due(late)).toBe(0)
    await sql`update x402_channel_action set status = 'failed', reason = 'it failed'`
    expect(await due(late)).toBe(1)
  })

  test('is the merchant’s to make where not all that is charged is signed for, or nothing is stored', async () => {
    const [signed, unsigned, unknown] = [
      await withdrawing(),
      await withdrawing(),
      await withdrawing(),
    ]
    await store(unsigned, voucher(unsigned, 60n, 60n, false))
    await sql`delete from x402_channel_voucher where channel_id = ${unknown.channelId}`
    const told = await channelWithdrawals(sql)
    const by = ({ networkId }: Kept) => told.find((one) => one.networkId === networkId)?.claimedBy
    expect([signed, unsigned, unknown].map(by)).toEqual(['service', 'merchant', 'merchant'])
  })
})

test('what servers note of channels that no one has paid into goes in time, and all else stays', async () => {
  const networkId = newNetwork()
  const note = async () => {
    const kept = { ...(await aChannel()), networkId }
    await store(kept, { ...voucher(kept, 1n, 1n), promise: null, record: '{}' })
    return kept
  }
  const [unpaid, funded, unread] = [await note(), await note(), await note()]
  const [older, promised] = [await note(), await note()]
  await set(older, { balance: 5 })
  // What the chain has of it was not read yet, and may be money.
  await sql`
    update x402_channel set base_hash = ${newHash()}
    where network_id = ${networkId} and channel_id <> ${unread.channelId}`
  await sql.begin((transaction) =>
    storeChannelEvents(transaction, networkId, [
      {
        ...{ name: 'Deposited', channelId: funded.channelId, receiver: null, token: null },
        ...{ amount: 5n, total: 5n, withdrawAt: null, txHash: newHash(), logIndex: 1 },
        ...{ block: 7n, blockHash: newHash() },
      },
    ]),
  )
  await store(promised, voucher(promised, 5n, 5n))
  const remove = (ageMs: number) =>
    removeUnpaidChannels(asWorker(sql), networkId, new Date(Date.now() - ageMs), 9)
  expect(await remove(60_000)).toBe(0)
  expect(await remove(-60_000)).toBe(1)
  const left = await Promise.all(
    [unpaid, funded, older, promised, unread].map(({ shop, channelId }) =>
      findChannel(sql, shop.id, channelId),
    ),
  )
  expect(left.map((channel) => channel !== null)).toEqual([false, true, true, true, true])
})

test('a reorganisation takes events back: the channel is as before them, and a payout is no payment', async () => {
  const kept = await aChannel()
  const { shop, networkId, channelId } = kept
  await store(kept, voucher(kept, 50n, 50n))
  await storeChain(sql, networkId)
  const [old, gone] = [await storeBlock(sql, networkId, 7n), await storeBlock(sql, networkId, 8n)]
  const event = (name: string, logIndex: number, more: Partial<EventToBook>): EventToBook => ({
    ...{ name, channelId, receiver: null, token: null, amount: 50n, total: null, withdrawAt: null },
    ...{ txHash: newHash(), logIndex, block: 8n, blockHash: gone, ...more },
  })
  const book = (events: readonly EventToBook[]) =>
    sql.begin(async (transaction) => {
      await storeChannelEvents(transaction, networkId, events)
      await deriveChannels(transaction, networkId, [channelId])
      await bookChannelPayouts(transaction, networkId, () => 0n)
    })
  const first = event('Deposited', 1, { amount: 100n, total: 100n, block: 7n, blockHash: old })
  await book([first])
  const paid = { channelId: null, receiver: shop.forwarder, token: TOKEN }
  await book([
    event('Claimed', 1, { total: 50n }),
    event('WithdrawInitiated', 2, { withdrawAt: 4_000_000_000 }),
    event('Settled', 4, paid),
  ])
  const look = async () => {
    const channel = await findChannel(sql, shop.id, channelId)
    const payments = await sql`
      select from x402_payment where network_id = ${networkId} and from_channels`
    const { balance, totalClaimed, withdrawAt } = channel ?? {}
    return [balance, totalClaimed, withdrawAt === null, payments.length]
  }
  expect(await look()).toEqual([100n, 50n, false, 1])
  await storeBlock(sql, networkId, 8n)
  expect(await sql.begin((transaction) => revertChannelEvents(transaction, networkId))).toBe(3)
  expect(await look()).toEqual([100n, 0n, true, 0])
})
