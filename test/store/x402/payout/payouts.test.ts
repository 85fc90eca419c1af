import { describe, expect, test } from 'bun:test'
import type { DistributionId, X402PaymentId } from '../../../../core/ids.ts'
import { baseUnits } from '../../../../core/money.ts'
import type { Database } from '../../../../store/database.ts'
import { lockPayments } from '../../../../store/x402/locking.ts'
import {
  awaitsPayouts,
  type BookedDistribution,
  bookDistributions,
  distributionsBlock,
  findUnbound,
  noteLastBooked,
} from '../../../../store/x402/payout/payouts.ts'
import { readShares, saveShares } from '../../../../store/x402/payout/shares.ts'
import { settlesConfirmed, settlesReopened } from '../../../../store/x402/settlement/settles.ts'
import {
  forThisFile,
  newAddress,
  newHash,
  newNetwork,
  openTransaction,
  storeBlock,
  storeChain,
} from '../../../support/store/database.ts'
import {
  aClaim,
  changePayment,
  confirmed,
  newShop,
  paymentRow,
  pending,
  place,
  type Shop,
  settled,
  storeDistribution,
  TOKEN,
} from '../../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

async function world() {
  const networkId = newNetwork()
  await storeChain(sql, networkId)
  return { networkId, shop: await newShop(sql) }
}

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
    const { networkId, shop } = await world()
    await pending(sql, aClaim(shop, { networkId: newNetwork(), block: 5n }))
    expect(await distributionsBlock(sql, networkId)).toBeNull()
    await pending(sql, aClaim(shop, { networkId, block: 50n }))
    await pending(sql, aClaim(shop, { networkId, block: 40n }))
    expect(await distributionsBlock(sql, networkId)).toBe(39n)
  })

  test('is the last one that was booked on this network', async () => {
    const { networkId, shop } = await world()
    const other = await world()
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
    const { networkId, shop } = await world()
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

  test('by nobody else once somebody has gone on from there', async () => {
    const { networkId, shop } = await world()
    await book(networkId, [], 0n, 60n)
    expect(await book(networkId, [event(shop, 10n)], 0n, 60n)).toEqual([])
    expect(await distributionsBlock(sql, networkId)).toBe(60n)
    expect(await book(networkId, [event(shop, 61n)], 60n, 70n)).toHaveLength(1)
    expect(await book(newNetwork(), [event(shop, 61n)])).toEqual([])
  })

  test('without moving any other network', async () => {
    const [one, two] = [await world(), await world()]
    await book(one.networkId, [], 0n, 60n)
    expect(await book(two.networkId, [], 0n, 5n)).toEqual([])
    expect(await distributionsBlock(sql, one.networkId)).toBe(60n)
  })

  test('of the hub that the forwarder belongs to, and of forwarders that there are', async () => {
    const { networkId, shop } = await world()
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
    const { networkId, shop } = await world()
    await storeDistribution(sql, shop, 10n, { networkId, logIndex: 9 })
    await storeDistribution(sql, shop, 12n, { networkId, logIndex: 1 })
    await storeDistribution(sql, shop, 12n, { networkId, logIndex: 4 })
    await storeDistribution(sql, shop, 11n, { networkId, logIndex: 7 })
    await note(networkId, shop)
    expect(await lastBooked(shop, networkId)).toEqual([12n, 4])
  })

  test('is the own one of each merchant, network and token', async () => {
    const { networkId, shop } = await world()
    await storeDistribution(sql, shop, 10n, { networkId })
    await storeDistribution(sql, await newShop(sql), 20n, { networkId })
    await storeDistribution(sql, shop, 20n, { networkId: newNetwork() })
    await storeDistribution(sql, shop, 20n, { networkId, token: newAddress() })
    await note(networkId, shop)
    expect(await lastBooked(shop, networkId)).toEqual([10n, 0])
  })

  test('is none when all have been taken back', async () => {
    const { networkId, shop } = await world()
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
    const { networkId, shop } = await world()
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
    const { networkId, shop } = await world()
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
    const { networkId, shop } = await world()
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

  test('and no others, for nobody has held those against the chain yet', async () => {
    const { networkId, shop } = await world()
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
    await sql.begin((t) => settlesConfirmed(t, [id]))
    expect(await isAwaited()).toBe(true)
    expect(await bind(networkId)).toEqual({ distributionIds: [distribution], isComplete: true })
    expect(await isAwaited()).toBe(false)
  })

  test('later, when somebody is at work on them', async () => {
    const { networkId, shop } = await world()
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
    const { networkId, shop } = await world()
    const id = await confirmed(sql, aClaim(shop, { networkId }), place(9n))
    await sql.begin((t) => settlesReopened(t, [id]))
    await distribute(networkId, shop, 10n)
    expect((await bind(networkId)).distributionIds).toEqual([])
  })
})

describe('what a distribution paid out', () => {
  async function shares(...ids: Parameters<typeof readShares>[1]) {
    const read = await sql.begin((t) => readShares(t, ids, []))
    expect(read).toHaveLength(ids.length)
    return ids.map((id) => read.find((one) => one.id === id))
  }

  test('is what the treasury got and the fee, and its payments in their order', async () => {
    const { networkId, shop } = await world()
    const [first, second] = [
      await storeDistribution(sql, shop, 10n, { networkId, remitted: 90n, fee: 10n }),
      await storeDistribution(sql, shop, 11n, { networkId, remitted: 50n, fee: 5n }),
    ]
    const at = async (block: bigint, logIndex: number, value: bigint, distribution_id: string) => {
      const id = await settled(sql, aClaim(shop, { networkId, value }), place(block, { logIndex }))
      await changePayment(sql, id, { distribution_id })
      return { id, amount: value, refunded: 0n }
    }
    const late = await at(9n, 1, 40n, first)
    const early = await at(9n, 0, 50n, first)
    const earliest = await at(8n, 3, 10n, first)
    expect(await shares(first, second)).toEqual([
      {
        id: first,
        amount: 100n,
        fee: 10n,
        isFirst: true,
        refunded: 0n,
        payments: [earliest, early, late],
      },
      { id: second, amount: 55n, fee: 5n, isFirst: false, refunded: 0n, payments: [] },
    ])
  })

  test('includes what is about to be bound to each of them', async () => {
    const { networkId, shop } = await world()
    const [first, second] = [
      await storeDistribution(sql, shop, 10n, { networkId }),
      await storeDistribution(sql, shop, 20n, { networkId }),
    ]
    const at = async (block: bigint) => settled(sql, aClaim(shop, { networkId }), place(block))
    const [bound, early, late] = [await at(8n), await at(9n), await at(19n)]
    await changePayment(sql, bound, { distribution_id: first })
    const bindings = [
      { paymentId: late, distributionId: second },
      { paymentId: early, distributionId: first },
    ]
    const read = await sql.begin((t) => readShares(t, [first, second], bindings))
    const paid = new Map(read.map(({ id, payments }) => [id, payments.map((one) => one.id)]))
    expect(paid).toEqual(
      new Map([
        [first, [bound, early]],
        [second, [late]],
      ]),
    )
  })

  test('is nothing once it was taken back, and no payment that was', async () => {
    const { networkId, shop } = await world()
    const [gone, kept] = [
      await storeDistribution(sql, shop, 10n, { networkId }),
      await storeDistribution(sql, shop, 11n, { networkId }),
    ]
    const [left, reopened] = [
      await settled(sql, aClaim(shop, { networkId }), place(8n)),
      await settled(sql, aClaim(shop, { networkId }), place(9n)),
    ]
    const share = (id: DistributionId, paymentId: X402PaymentId) =>
      sql.begin((t) => saveShares(t, id, 0n, [{ paymentId, fee: 1n }]))
    await sql`delete from x402_distribution where id = ${gone}`
    await share(gone, left)
    expect(await paymentRow(sql, left)).toMatchObject({ distributionId: null, fee: null })
    await share(kept, left)
    // It is bound to another one by now.
    await share(await storeDistribution(sql, shop, 12n, { networkId }), left)
    expect(await paymentRow(sql, left)).toMatchObject({ distributionId: kept, fee: 1n })
    const { commit } = await openTransaction(sql, (t) => settlesReopened(t, [reopened]))
    const sharing = share(kept, reopened)
    await commit()
    await sharing
    expect(await paymentRow(sql, reopened)).toMatchObject({ status: 'pending', fee: null })
    expect((await paymentRow(sql, reopened)).distributionId).toBeNull()
  })

  test('includes no fees that were held before and are collected with it', async () => {
    const { networkId, shop } = await world()
    const at = (block: bigint, terms: { fee?: bigint; feeHeld?: bigint; logIndex?: number }) =>
      storeDistribution(sql, shop, block, { networkId, remitted: 100n, ...terms })
    const ids = [
      await at(10n, { feeHeld: 7n }),
      await at(11n, { fee: 10n }),
      await at(12n, { feeHeld: 4n }),
      await at(12n, { feeHeld: 2n, logIndex: 1 }),
      await at(13n, {}),
      await at(14n, { fee: 9n }),
      await at(15n, { fee: 5n }),
    ]
    const read = await shares(...ids)
    expect(read.map((one) => one?.fee)).toEqual([7n, 3n, 4n, 2n, 0n, 3n, 5n])
    expect(read.map((one) => one?.isFirst)).toEqual([true, ...Array(6).fill(false)])
    expect(read.map((one) => one?.amount)).toEqual([107n, 103n, 104n, 102n, 100n, 103n, 105n])
  })

  test('is counted for each merchant, network and token by itself', async () => {
    const { networkId, shop } = await world()
    const held = { networkId, feeHeld: 7n }
    await storeDistribution(sql, await newShop(sql), 9n, held)
    await storeDistribution(sql, shop, 9n, { ...held, networkId: newNetwork() })
    await storeDistribution(sql, shop, 9n, { ...held, token: newAddress() })
    const own = await storeDistribution(sql, shop, 8n, { networkId, feeHeld: 1n })
    // That others collected in between says nothing of what is held here.
    await storeDistribution(sql, await newShop(sql), 9n, { networkId, fee: 1n })
    await storeDistribution(sql, shop, 9n, { networkId: newNetwork(), fee: 1n })
    await storeDistribution(sql, shop, 9n, { networkId, token: newAddress(), fee: 1n })
    const id = await storeDistribution(sql, shop, 10n, { networkId, fee: 5n })
    const [first, second] = await shares(own, id)
    expect(first).toMatchObject({ fee: 1n, isFirst: true })
    expect(second).toMatchObject({ fee: 4n, isFirst: false })
  })

  test('is shared among its payments, of which no others are changed', async () => {
    const { networkId, shop } = await world()
    const id = await storeDistribution(sql, shop, 10n, { networkId })
    const beside = await storeDistribution(sql, shop, 11n, { networkId })
    const payments = []
    for (let i = 0; i < 3; i++) payments.push(await settled(sql, aClaim(shop, { networkId })))
    const [first, second, third] = payments
    if (!first || !second || !third) throw new Error('no payments')
    const given = [
      { paymentId: second, fee: 2n },
      { paymentId: first, fee: 1n },
    ]
    await sql.begin((t) => saveShares(t, id, 5n, given))
    const bound = await Promise.all(payments.map((one) => paymentRow(sql, one)))
    expect(bound.map(({ distributionId }) => distributionId)).toEqual([id, id, null])
    const fees = await Promise.all(payments.map(async (one) => (await paymentRow(sql, one)).fee))
    expect(fees).toEqual([1n, 2n, null])
    await sql.begin((t) => saveShares(t, id, 6n, [{ paymentId: first, fee: 3n }]))
    expect((await paymentRow(sql, first)).fee).toBe(3n)
    const rows = await sql`
      select id, unattributed from x402_distribution where network_id = ${networkId}
      order by block_number`
    expect([...rows]).toEqual([
      { id, unattributed: 6n },
      { id: beside, unattributed: 0n },
    ])
  })
})
