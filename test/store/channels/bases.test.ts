import { expect, test } from 'bun:test'
import type { Hex } from '../../../core/chain/evm.ts'
import { ALL_CHAINS, chainNamed, tokenOn } from '../../../core/chain/registry.ts'
import type { ChannelConfig } from '../../../core/channels/channel.ts'
import { saveHead } from '../../../store/chain/state.ts'
import { saveBases, unreadChannels } from '../../../store/channels/bases.ts'
import { findChannel } from '../../../store/channels/channels.ts'
import { deriveChannels } from '../../../store/channels/derive.ts'
import {
  channelsBookedTo,
  type EventToBook,
  lockChannelsBlock,
  registerChannels,
  storeChannelEvents,
} from '../../../store/channels/events.ts'
import { notifyWithdrawals } from '../../../store/channels/notify.ts'
import type { Database } from '../../../store/database/database.ts'
import { asWorker } from '../../support/servers/database.ts'
import { openAs } from '../../support/servers/roles.ts'
import {
  forEachTest,
  newAddress,
  newHash,
  storeBlock,
  storeChain,
} from '../../support/store/database.ts'
import { NETWORK, newShop } from '../../support/store/x402.ts'

/** Channels that are older than what is known of them: what the chain said of each at one block. */

let sql: Database
let url: string
forEachTest(
  ['x402_channel_event', 'x402_channel', 'chain_block', 'chain_state', 'outbox'],
  (database, databaseUrl) => {
    sql = database
    url = databaseUrl
  },
)

const CHAIN = chainNamed(NETWORK, ALL_CHAINS)
const USDC = tokenOn(CHAIN, 'USDC')?.address ?? newAddress()
const WITHDRAWAL = { amount: 70n, at: new Date(4_000_000_000_000) }
const BASE = { balance: 100n, totalClaimed: 30n, withdrawal: WITHDRAWAL }

/** A channel of which the chain was not read yet, on a chain with the blocks 5 to 9. */
async function anUnreadChannel() {
  const networkId = NETWORK
  await storeChain(sql, networkId)
  const hashes = new Map<bigint, Hex>()
  for (const block of [5n, 6n, 7n, 8n, 9n]) {
    hashes.set(block, await storeBlock(sql, networkId, block))
  }
  const shop = await newShop(sql)
  const payer = newAddress()
  const config: ChannelConfig = {
    ...{ payer, payerAuthorizer: payer, receiver: shop.forwarder, receiverAuthorizer: payer },
    ...{ token: USDC, withdrawDelay: 900, salt: newHash() },
  }
  const channelId = newHash()
  await registerChannels(sql, networkId, [{ channelId, config }])
  const at = (number: bigint) => ({ number, hash: hashes.get(number) ?? newHash() })
  return {
    networkId,
    channelId,
    config,
    at,
    unread: async () => (await unreadChannels(sql, networkId, 9)).length,
    save: (
      number: bigint,
      base: typeof BASE | (Omit<typeof BASE, 'withdrawal'> & { withdrawal: null }) = BASE,
    ) => saveBases(asWorker(sql), networkId, at(number), [{ channelId, ...base }]),
    /** Books events, as the leader does, each in a transaction of its own. */
    book: (...events: readonly Partial<EventToBook>[]) =>
      sql.begin(async (transaction) => {
        const booked = events.map((event, logIndex) => ({
          ...{ name: 'Deposited', channelId, receiver: null, token: null, amount: 1n, total: null },
          ...{ withdrawAt: null, txHash: newHash(), logIndex, block: 9n, blockHash: newHash() },
          ...event,
        }))
        const stored = await storeChannelEvents(transaction, networkId, booked)
        await deriveChannels(transaction, networkId, stored.channelIds)
        await notifyWithdrawals(transaction, stored.withdrawing)
      }),
    look: async () => {
      const channel = await findChannel(sql, shop.id, channelId)
      if (channel === null) throw new Error('there is no channel')
      const { balance, totalClaimed, withdrawAmount, withdrawAt, version } = channel
      return { balance, totalClaimed, withdrawAmount, withdrawAt, version }
    },
    told: async () => {
      const rows = await sql`
        select from outbox where type = 'x402.channel.withdrawing'
          and data->>'channelId' = ${channelId}`
      return rows.length
    },
  }
}

test('is what the channel is, and a withdrawal that it shows is told of once', async () => {
  const { channelId, networkId, unread, save, look, told } = await anUnreadChannel()
  expect(await unread()).toBe(1)
  expect(await save(7n)).toBe(1)
  expect(await look()).toMatchObject({ balance: 100n, totalClaimed: 30n, withdrawAmount: 70n })
  expect([await unread(), await told()]).toEqual([0, 1])
  // Once it is read it is not read again, whoever else has asked for the same.
  expect(await save(8n, { balance: 1n, totalClaimed: 0n, withdrawal: null })).toBe(0)
  await sql`update x402_channel set base_hash = null where channel_id = ${channelId}`
  const { version } = await look()
  expect(await save(8n)).toBe(1)
  expect([await told(), (await look()).version]).toEqual([1, version])
  // No one has asked for anything: the events are booked from the block that was read.
  expect(await channelsBookedTo(sql, networkId)).toBe(7n)
})

test('has events before it in itself, and those after it change it', async () => {
  const { save, look, told, book } = await anUnreadChannel()
  await save(7n)
  await book(
    { name: 'Deposited', amount: 40n, total: 40n, block: 6n },
    { name: 'WithdrawInitiated', amount: 10n, withdrawAt: 4_000_000_000, block: 7n },
    { name: 'Refunded', amount: 5n, block: 7n },
  )
  expect(await look()).toMatchObject({ balance: 100n, totalClaimed: 30n, withdrawAmount: 70n })
  expect(await told()).toBe(1)
  await book({ name: 'Refunded', amount: 20n, block: 8n })
  expect(await look()).toMatchObject({ balance: 80n, withdrawAmount: 50n })
  await book({ name: 'WithdrawFinalized', amount: 50n, block: 9n })
  expect(await look()).toMatchObject({ balance: 30n, withdrawAt: null })
  await book({ name: 'WithdrawInitiated', amount: 9n, withdrawAt: 4_000_000_001, block: 9n })
  expect(await told()).toBe(2)
})

test('is not taken from a block that is not the chain’s, or below what is booked', async () => {
  const { networkId, at, channelId, save, look, unread } = await anUnreadChannel()
  const elsewhere = { ...at(7n), hash: newHash() }
  expect(await saveBases(sql, networkId, elsewhere, [{ channelId, ...BASE }])).toBe(0)
  await sql`update chain_state set channels_block = 8 where network_id = ${networkId}`
  expect(await save(7n)).toBe(0)
  expect([await look(), await unread()]).toMatchObject([{ balance: 0n, withdrawAt: null }, 1])
  expect(await save(8n)).toBe(1)
})

test('is read again when another block takes its place, and is what is known until then', async () => {
  const { networkId, save, look, unread, at, book } = await anUnreadChannel()
  await save(8n)
  const replace = (number: bigint) => {
    const header = { number, hash: newHash(), parentHash: newHash(), time: new Date() }
    return saveHead(asWorker(sql), networkId, [header], [], new Date())
  }
  await replace(9n)
  await replace(10n)
  expect(await unread()).toBe(0)
  await replace(8n)
  expect(await unread()).toBe(1)
  await book({ name: 'Claimed', amount: 5n, total: 35n, block: 9n })
  expect(await look()).toMatchObject({ balance: 100n, totalClaimed: 35n, withdrawAmount: 70n })
  await sql`delete from x402_channel_event where network_id = ${networkId}`
  const now = { balance: 60n, totalClaimed: 30n, withdrawal: null }
  expect(await save(8n, now)).toBe(0)
  expect(await saveBases(sql, networkId, at(7n), [])).toBe(0)
  expect(await save(7n, now)).toBe(1)
  expect(await look()).toMatchObject({ balance: 60n, totalClaimed: 30n, withdrawAt: null })
})

test('is read again when its block was replaced while no one watched', async () => {
  const { networkId, save, unread } = await anUnreadChannel()
  await save(8n)
  const header = (number: bigint) => {
    return { number, hash: newHash(), parentHash: newHash(), time: new Date() }
  }
  const after = (head: bigint, mended: bigint) =>
    saveHead(asWorker(sql), networkId, [header(head)], [header(mended)], new Date())
  await after(100n, 9n)
  expect(await unread()).toBe(0)
  await after(200n, 8n)
  expect(await unread()).toBe(1)
})

test('waits for whoever books events, and is not taken below what they have booked', async () => {
  const { networkId, save, unread } = await anUnreadChannel()
  const saved = await sql.begin(async (booking) => {
    await lockChannelsBlock(booking, networkId)
    const saving = save(7n)
    await Bun.sleep(500)
    await booking`update chain_state set channels_block = 8 where network_id = ${networkId}`
    return [saving]
  })
  expect([await saved[0], await unread()]).toEqual([0, 1])
})

test('is the API’s to ask for, of channels that pay a merchant, and nothing more of channels', async () => {
  const { networkId, config } = await anUnreadChannel()
  const count = async () => (await sql`select from x402_channel`).length
  const [api, notifier] = [await openAs(url, 'api', 1), await openAs(url, 'notifier', 1)]
  try {
    const another = { channelId: newHash(), config }
    const strange = { channelId: newHash(), config: { ...config, receiver: newAddress() } }
    await registerChannels(api, networkId, [another, strange])
    await registerChannels(api, networkId, [another])
    expect(await count()).toBe(2)
    await expect(registerChannels(notifier, networkId, [another])).rejects.toThrow(
      'permission denied',
    )
    for (const attempt of [
      api`update x402_channel set base_hash = null`,
      api`update x402_channel set base_balance = 1`,
      api`delete from x402_channel`,
      api`insert into x402_channel select * from x402_channel`,
    ]) {
      await expect(attempt).rejects.toThrow('permission denied')
    }
  } finally {
    await api.end()
    await notifier.end()
  }
})
