import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import type { Database } from '../../../store/database/database.ts'
import { advance } from '../../../store/relayer/transition.ts'
import { lockPayments } from '../../../store/x402/locking.ts'
import {
  awaitsPayouts,
  type BookedDistribution,
  bookDistributions,
  distributionsBlock,
  findUnbound,
  noteLastBooked,
} from '../../../store/x402/payouts.ts'
import { PAYMENTS } from '../../../store/x402/settles.ts'
import { saveShares } from '../../../store/x402/shares.ts'
import {
  forThisFile,
  newAddress,
  newHash,
  newNetwork,
  openTransaction,
  storeBlock,
} from '../../support/store/database.ts'
import {
  aClaim,
  changePayment,
  confirmed,
  newShop,
  newShopAndNetwork,
  paymentRow,
  pending,
  place,
  QUIET_PAYMENTS,
  type Shop,
  settled,
  storeDistribution,
  TOKEN,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

/** What the hub tells of a payout of a shop's forwarder. */
function event(shop: Shop, block: bigint, given: Partial<BookedDistribution> = {}) {
  return {
    ...{ hub: shop.hub, merchantId: shop.id, token: TOKEN, treasury: newAddress() },
    ...{ remitted: 99n, fee: 1n, feeHeld: 0n, txHash: newHash(), logIndex: 0, block },
    blockHash: newHash(),
    ...given,
  }
}

async function lastBooked({ id }: Shop, networkId: string, token = TOKEN) {
  const [row] = await sql<{ bookedBlock: bigint | null; bookedLogIndex: number | null }[]>`
    select booked_block, booked_log_index from forwarder_on_chain
    where merchant_id = ${id} and network_id = ${networkId} and token = ${token}`
  return row === undefined ? null : [row.bookedBlock, row.bookedLogIndex]
}

describe('the block up to which distributions are booked', () => {
  test('is none before the first payment, and then the one before it was claimed', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    await pending(sql, aClaim(shop, { networkId: newNetwork(), block: 5n }))
    expect(await distributionsBlock(sql, networkId)).toBeNull()
    await pending(sql, aClaim(shop, { networkId, block: 50n }))
    await pending(sql, aClaim(shop, { networkId, block: 40n }))
    expect(await distributionsBlock(sql, networkId)).toBe(39n)
  })

  test('is the last one that was booked on this network', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const other = await newShopAndNetwork(sql)
    await sql.begin((t) => bookDistributions(t, networkId, [], 39n, 60n))
    await pending(sql, aClaim(shop, { networkId, block: 50n }))
    expect(await distributionsBlock(sql, networkId)).toBe(60n)
    expect(await distributionsBlock(sql, other.networkId)).toBeNull()
    expect(await distributionsBlock(sql, newNetwork())).toBeNull()
  })
})

describe('distributions are booked', () => {
  const book = (networkId: string, events: readonly BookedDistribution[], last = 0n, block = 60n) =>
    sql.begin((t) => bookDistributions(t, networkId, events, last, block))

  test('as the hub tells of them, once', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const time = new Date('2026-06-01T12:00:00Z')
    await storeBlock(sql, networkId, 9n)
    await storeBlock(sql, networkId, 10n, { time })
    await storeBlock(sql, networkId, 11n)
    await storeBlock(sql, newNetwork(), 10n)
    const told = event(shop, 10n, { logIndex: 3 })
    const ids = await book(networkId, [told])
    const rows = await sql`select * from x402_distribution where network_id = ${networkId}`
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      ...{ id: ids[0], merchantId: shop.id, token: TOKEN, treasury: told.treasury },
      ...{ remitted: 99n, fee: 1n, feeHeld: 0n, unattributed: 0n },
      ...{ txHash: told.txHash, logIndex: 3, blockNumber: 10n, blockHash: told.blockHash },
    })
    expect(rows[0]?.blockTime).toEqual(time)
    expect(await lastBooked(shop, networkId)).toEqual([10n, 3])
    expect(await book(networkId, [told], 60n, 61n)).toEqual([])
  })

  test('by no one else once someone has gone on from there', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    await book(networkId, [], 0n, 60n)
    expect(await book(networkId, [event(shop, 10n)], 0n, 60n)).toEqual([])
    expect(await distributionsBlock(sql, networkId)).toBe(60n)
    expect(await book(networkId, [event(shop, 61n)], 60n, 70n)).toHaveLength(1)
    expect(await book(newNetwork(), [event(shop, 61n)])).toEqual([])
  })

  test('without moving any other network', async () => {
    const [one, two] = [await newShopAndNetwork(sql), await newShopAndNetwork(sql)]
    await book(one.networkId, [], 0n, 60n)
    expect(await book(two.networkId, [], 0n, 5n)).toEqual([])
    expect(await distributionsBlock(sql, one.networkId)).toBe(60n)
  })

  test('of the hub that the forwarder belongs to, and of forwarders that there are', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const other = await newShop(sql)
    const wrongHub = event(shop, 10n, { hub: other.hub })
    expect(await book(networkId, [wrongHub, event(other, 10n)])).toHaveLength(1)
    expect(await lastBooked(shop, networkId)).toBeNull()
  })
})

describe('the place of the last booked distribution', () => {
  const note = (networkId: string, { id: merchantId }: Shop, token = TOKEN) =>
    sql.begin((t) => noteLastBooked(t, networkId, [{ merchantId, token }]))

  test('is the highest by block and then by log', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    await storeDistribution(sql, shop, 10n, { networkId, logIndex: 9 })
    await storeDistribution(sql, shop, 12n, { networkId, logIndex: 1 })
    await storeDistribution(sql, shop, 12n, { networkId, logIndex: 4 })
    await storeDistribution(sql, shop, 11n, { networkId, logIndex: 7 })
    await note(networkId, shop)
    expect(await lastBooked(shop, networkId)).toEqual([12n, 4])
  })

  test('is the own one of each merchant, network and token', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    await storeDistribution(sql, shop, 10n, { networkId })
    await storeDistribution(sql, await newShop(sql), 20n, { networkId })
    await storeDistribution(sql, shop, 20n, { networkId: newNetwork() })
    await storeDistribution(sql, shop, 20n, { networkId, token: newAddress() })
    await note(networkId, shop)
    expect(await lastBooked(shop, networkId)).toEqual([10n, 0])
  })

  test('is none when all have been taken back', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const id = await storeDistribution(sql, shop, 10n, { networkId })
    await note(networkId, shop)
    await sql`delete from x402_distribution where id = ${id}`
    await note(networkId, shop)
    expect(await lastBooked(shop, networkId)).toEqual([null, null])
    await sql.begin((t) => noteLastBooked(t, networkId, []))
  })
})

describe('confirmed payments are bound to the first distribution after them', () => {
  const bind = (networkId: string) =>
    sql.begin(async (t) => {
      const { bindings, isComplete } = await findUnbound(t, networkId)
      const byDistribution = Map.groupBy(bindings, ({ distributionId }) => distributionId)
      for (const [id, payments] of byDistribution) {
        const shares = payments.map(({ paymentId }) => ({ paymentId, fee: 0n }))
        await saveShares(t, id, 0n, shares)
      }
      return { distributionIds: [...byDistribution.keys()], isComplete }
    })

  /** Stores a distribution and notes that it is the last one, as booking does. */
  async function distribute(networkId: string, shop: Shop, block: bigint, logIndex = 0) {
    const id = await storeDistribution(sql, shop, block, { networkId, logIndex })
    await sql.begin((t) => noteLastBooked(t, networkId, [{ merchantId: shop.id, token: TOKEN }]))
    return id
  }

  test('by block and by log', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const at = async (block: bigint, logIndex: number) =>
      confirmed(sql, aClaim(shop, { networkId }), place(block, { logIndex }))
    const payments = [
      await at(9n, 9),
      await at(10n, 4),
      await at(10n, 6),
      await at(12n, 4),
      await at(12n, 6),
      await at(13n, 0),
    ]
    const first = await storeDistribution(sql, shop, 10n, { networkId, logIndex: 5 })
    const second = await distribute(networkId, shop, 12n, 5)
    const { distributionIds, isComplete } = await bind(networkId)
    expect(distributionIds.toSorted()).toEqual([first, second].toSorted())
    expect(isComplete).toBe(true)
    const rows = await Promise.all(payments.map((id) => paymentRow(sql, id)))
    expect(rows.map(({ distributionId }) => distributionId)).toEqual([
      ...[first, first, second, second],
      ...[null, null],
    ])
    expect(await bind(networkId)).toEqual({ distributionIds: [], isComplete: true })
  })

  test('which is of the same merchant, network and token', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const other = await newShop(sql)
    const elsewhere = newNetwork()
    const token = newAddress()
    const strangers = [
      await confirmed(sql, aClaim(other, { networkId }), place(9n)),
      await confirmed(sql, aClaim(shop, { networkId: elsewhere }), place(9n)),
      await confirmed(sql, aClaim(shop, { networkId, asset: token }), place(9n)),
    ]
    const id = await confirmed(sql, aClaim(shop, { networkId }), place(9n))
    await storeDistribution(sql, other, 10n, { networkId })
    await storeDistribution(sql, shop, 10n, { networkId: elsewhere })
    await storeDistribution(sql, shop, 10n, { networkId, token })
    const ours = await distribute(networkId, shop, 11n)
    await distribute(elsewhere, shop, 12n)
    expect(await bind(networkId)).toEqual({ distributionIds: [ours], isComplete: true })
    expect((await paymentRow(sql, id)).distributionId).toBe(ours)
    for (const stranger of strangers) {
      expect((await paymentRow(sql, stranger)).distributionId).toBeNull()
    }
  })

  test('unless they have one, or are not settled', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const bound = await confirmed(sql, aClaim(shop, { networkId }), place(9n))
    const distribution_id = Bun.randomUUIDv7()
    await changePayment(sql, bound, { distribution_id })
    const waiting = await pending(sql, aClaim(shop, { networkId }))
    await changePayment(sql, waiting, { block_number: 9n, log_index: 1 })
    await distribute(networkId, shop, 10n)
    expect(await bind(networkId)).toEqual({ distributionIds: [], isComplete: true })
    expect((await paymentRow(sql, bound)).distributionId).toBe(distribution_id)
    expect((await paymentRow(sql, waiting)).distributionId).toBeNull()
  })

  test('and no others, for no one has held those against the chain yet', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const id = await settled(sql, aClaim(shop, { networkId }), place(9n))
    const distribution = await distribute(networkId, shop, 10n)
    // The next turn looks again, though no block may follow.
    expect(await bind(networkId)).toEqual({ distributionIds: [], isComplete: false })
    expect((await paymentRow(sql, id)).distributionId).toBeNull()
    const isAwaited = () =>
      awaitsPayouts(
        sql,
        networkId,
        { last: 60n, sentAfter: 60n },
        { distributeFrom: baseUnits(1_000n), distributeAfterMs: 3_600_000 },
      )
    expect(await isAwaited()).toBe(true)
    await sql.begin((t) => advance(t, QUIET_PAYMENTS, 'confirmed', [{ id }]))
    expect(await isAwaited()).toBe(true)
    expect(await bind(networkId)).toEqual({ distributionIds: [distribution], isComplete: true })
    expect(await isAwaited()).toBe(false)
  })

  test('later, when someone is at work on them', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const busy = await confirmed(sql, aClaim(shop, { networkId }), place(8n))
    const free = await confirmed(sql, aClaim(shop, { networkId }), place(9n))
    const id = await distribute(networkId, shop, 10n)
    const { commit } = await openTransaction(sql, (t) => lockPayments(t, [busy]))
    expect(await bind(networkId)).toEqual({
      distributionIds: [id ?? ''],
      isComplete: false,
    } as never)
    expect((await paymentRow(sql, free)).distributionId).toBe(id)
    await commit()
    expect(await bind(networkId)).toEqual({
      distributionIds: [id ?? ''],
      isComplete: true,
    } as never)
    expect((await paymentRow(sql, busy)).distributionId).toBe(id)
  })

  test('but not those that were taken back', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
    const id = await confirmed(sql, aClaim(shop, { networkId }), place(9n))
    await sql.begin((t) => advance(t, PAYMENTS, 'reopened', [{ id }]))
    await distribute(networkId, shop, 10n)
    expect((await bind(networkId)).distributionIds).toEqual([])
  })
})
