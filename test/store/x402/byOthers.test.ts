import { describe, expect, test } from 'bun:test'
import type { X402PaymentId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  advance,
  type DoneAt,
  type Given,
  idsOf,
  settleByOthers,
} from '../../../store/relayer/transition.ts'
import {
  deepPaidByOthers,
  expiredPayments,
  followBlocks,
  revertUnshown,
  unseenBlocksOfOthers,
} from '../../../store/x402/byOthers.ts'
import { findUnbound } from '../../../store/x402/payouts.ts'
import { PAYMENTS } from '../../../store/x402/settles.ts'
import { forThisFile, newHash, newNetwork, storeBlock } from '../../support/store/database.ts'
import {
  aClaim,
  changeItem,
  changePayment,
  itemOf,
  newShop,
  paymentRow,
  pending,
  place,
  QUIET_PAYMENTS,
  type Shop,
  settled,
  storeDistribution,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

/** A merchant and a network of its own, with another one whose blocks are different. */
async function world() {
  const shop = await newShop(sql)
  const [networkId, elsewhere] = [newNetwork(), newNetwork()]
  return { shop, networkId, elsewhere, of: claimsOf(shop, networkId) }
}

function claimsOf(shop: Shop, networkId: string) {
  return (terms: Parameters<typeof aClaim>[1] = {}) => aClaim(shop, { networkId, ...terms })
}

async function foreign(wanted: ReturnType<typeof aClaim>, at: DoneAt): Promise<X402PaymentId> {
  const id = await pending(sql, wanted)
  if (!(await sql.begin((t) => settleByOthers(t, PAYMENTS, id, at)))) throw new Error('not settled')
  return id
}

const reorganise = (networkId: string) => sql.begin((t) => followBlocks(t, networkId, 0n))
const statusOf = async (id: X402PaymentId) => (await paymentRow(sql, id)).status

describe('what stood on a block that was displaced is taken back', () => {
  test('a foreign payment goes back to work', async () => {
    const { networkId, of } = await world()
    const wanted = of()
    const id = await foreign(wanted, place(10n))
    await changeItem(sql, wanted, { tries: 3, not_before: new Date(Date.now() + 3_600_000) })
    const distribution_id = Bun.randomUUIDv7()
    await changePayment(sql, id, { confirmed_at: new Date(), distribution_id, fee: 1 })
    await storeBlock(sql, networkId, 10n)
    expect(await reorganise(networkId)).toBe(1)
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'pending', txHash: null, logIndex: null, blockNumber: null, blockHash: null },
      ...{ byOthers: false, settledAt: null, confirmedAt: null, distributionId: null, fee: null },
    })
    const item = await itemOf(sql, wanted)
    expect(item).toMatchObject({ state: 'queued', logIndex: null, result: null, tries: 0 })
    expect(item.notBefore.getTime()).toBeLessThanOrEqual(Date.now() + 1_000)
  })

  test.each([
    [false, 'x402'],
    [true, 'x402_wallet'],
  ])('a payment without work gets some, in its own lane', async (isWallet, kind) => {
    const { networkId, of } = await world()
    const wanted = of({ isWallet })
    const id = await foreign(wanted, place(10n))
    await sql`delete from work_item where id = ${(await itemOf(sql, wanted)).id}`
    await storeBlock(sql, networkId, 10n)
    await reorganise(networkId)
    expect(await itemOf(sql, wanted)).toMatchObject({
      ...{ state: 'queued', kind, networkId, payload: { paymentId: id } },
    })
  })

  test('but nothing whose block still stands, or is not known', async () => {
    const { networkId, elsewhere, shop, of } = await world()
    const blockHash = newHash()
    const standing = await foreign(of(), place(10n, { blockHash }))
    const unknown = await foreign(of(), place(11n))
    await storeBlock(sql, networkId, 10n, { hash: blockHash })
    await storeBlock(sql, elsewhere, 11n)
    await storeDistribution(sql, shop, 10n, { networkId, blockHash })
    await storeDistribution(sql, shop, 11n, { networkId })
    expect(await reorganise(networkId)).toBe(0)
    expect([await statusOf(standing), await statusOf(unknown)]).toEqual(['settled', 'settled'])
  })

  test('but nothing of another network', async () => {
    const { networkId, elsewhere, shop } = await world()
    const id = await foreign(aClaim(shop, { networkId: elsewhere }), place(10n))
    await storeDistribution(sql, shop, 10n, { networkId: elsewhere })
    await storeBlock(sql, networkId, 10n)
    await storeBlock(sql, elsewhere, 10n)
    expect(await reorganise(networkId)).toBe(0)
    expect(await statusOf(id)).toBe('settled')
  })

  test('but no payment of our own, which its transaction watches over, and none that waits', async () => {
    const { networkId, of } = await world()
    const own = await settled(sql, of(), place(10n))
    const waiting = await pending(sql, of())
    await changePayment(sql, waiting, {
      ...{ by_others: true, block_number: 10n, block_hash: newHash() },
    })
    await storeBlock(sql, networkId, 10n)
    expect(await reorganise(networkId)).toBe(0)
    expect(await statusOf(own)).toBe('settled')
    expect((await paymentRow(sql, waiting)).blockNumber).toBe(10n)
  })

  test('a distribution leaves its payments to the next one', async () => {
    const { networkId, shop, of } = await world()
    const blockHash = newHash()
    const [early, late] = [await settled(sql, of(), place(5n)), await settled(sql, of(), place(9n))]
    const kept = await storeDistribution(sql, shop, 8n, { networkId, blockHash })
    const lost = await storeDistribution(sql, shop, 10n, { networkId })
    await changePayment(sql, early, { distribution_id: kept, fee: 1 })
    await changePayment(sql, late, { distribution_id: lost, fee: 1 })
    await storeBlock(sql, networkId, 8n, { hash: blockHash })
    await storeBlock(sql, networkId, 10n)
    expect(await reorganise(networkId)).toBe(1)
    expect(await paymentRow(sql, early)).toMatchObject({ distributionId: kept, fee: 1n })
    expect(await paymentRow(sql, late)).toMatchObject({ distributionId: null, fee: null })
    const [last] = await sql`
      select booked_block from forwarder_on_chain
      where merchant_id = ${shop.id} and network_id = ${networkId}`
    expect(last?.bookedBlock).toBe(8n)
    expect(await sql.begin((t) => findUnbound(t, networkId))).toEqual({
      bindings: [],
      isComplete: true,
    })
  })
})

describe('a foreign payment', () => {
  const confirm = async (networkId: string, block: bigint) => {
    const deep = await deepPaidByOthers(sql, networkId, block, [], 10)
    return confirmAll(deep.map(({ paymentId: id, blockHash }) => ({ id, blockHash })))
  }
  const confirmAll = async (given: readonly Given[]) =>
    idsOf(await sql.begin((t) => advance(t, QUIET_PAYMENTS, 'confirmed', given, null, 'others')))

  test('is confirmed at the depth of its block, once', async () => {
    const { networkId, of } = await world()
    const id = await foreign(of(), place(10n, { blockHash: await storeBlock(sql, networkId, 10n) }))
    expect(await confirm(networkId, 9n)).toEqual([])
    expect(await confirm(networkId, 10n)).toEqual([id])
    const { confirmedAt, version } = await paymentRow(sql, id)
    expect(confirmedAt).toBeInstanceOf(Date)
    expect(version).toBe(2)
    expect(await confirm(networkId, 11n)).toEqual([])
  })

  test('is not confirmed by another block, of its height or of its hash', async () => {
    const { networkId, elsewhere, of } = await world()
    const blockHash = newHash()
    await foreign(of(), place(10n, { blockHash }))
    await storeBlock(sql, networkId, 10n)
    await storeBlock(sql, networkId, 9n, { hash: blockHash })
    await storeBlock(sql, elsewhere, 10n, { hash: blockHash })
    expect(await confirm(networkId, 12n)).toEqual([])
  })

  test('is not confirmed when its block was displaced since the chain was asked', async () => {
    const { networkId, of } = await world()
    const { blockHash, ...at } = place(10n)
    const id = await foreign(of(), { ...at, blockHash })
    await storeBlock(sql, networkId, 10n)
    expect(await confirmAll([{ id, blockHash }])).toEqual([])
  })

  test('is taken back when the chain does not show it, unless it is confirmed or our own', async () => {
    const { networkId, of } = await world()
    const wanted = of()
    const at = [place(10n), place(10n), place(10n)] as const
    const id = await foreign(wanted, at[0])
    const own = await settled(sql, of(), at[1])
    const over = await foreign(of(), at[2])
    await changePayment(sql, over, { confirmed_at: new Date() })
    const revert = (paymentId: X402PaymentId, { blockHash }: DoneAt) =>
      sql.begin((t) => revertUnshown(t, { id: paymentId, blockHash }))
    expect(await Promise.all([revert(id, at[0]), revert(own, at[1]), revert(over, at[2])])).toEqual(
      [1, 0, 0],
    )
    expect(await statusOf(id)).toBe('pending')
    expect(await itemOf(sql, wanted)).toMatchObject({ state: 'queued', networkId })
    expect([await statusOf(own), await statusOf(over)]).toEqual(['settled', 'settled'])
  })

  test('is left alone when it is in another block than the one that was looked at', async () => {
    const { of } = await world()
    const id = await foreign(of(), place(10n))
    const elsewhere = { id, blockHash: newHash() }
    expect(await sql.begin((t) => revertUnshown(t, elsewhere))).toBe(0)
    expect(await statusOf(id)).toBe('settled')
  })

  test('is confirmed by its own network', async () => {
    const { networkId, elsewhere, of } = await world()
    const blockHash = await storeBlock(sql, networkId, 10n)
    await storeBlock(sql, elsewhere, 10n, { hash: blockHash })
    await foreign(of(), place(10n, { blockHash }))
    expect(await confirm(elsewhere, 12n)).toEqual([])
  })

  test('is neither one of ours nor one that waits', async () => {
    const { networkId, of } = await world()
    const blockHash = await storeBlock(sql, networkId, 10n)
    await settled(sql, of(), place(10n, { blockHash }))
    const waiting = await pending(sql, of())
    await changePayment(sql, waiting, {
      ...{ by_others: true, block_number: 10n, block_hash: blockHash },
    })
    expect(await confirm(networkId, 12n)).toEqual([])
  })

  test('whose block no one has seen is looked for once it is deep enough', async () => {
    const { networkId, elsewhere, of } = await world()
    await foreign(of(), place(10n))
    await foreign(of(), place(10n))
    await foreign(of(), place(12n))
    await foreign(of(), place(11n))
    await storeBlock(sql, networkId, 11n)
    await storeBlock(sql, elsewhere, 10n)
    expect(await unseenBlocksOfOthers(sql, networkId, 9n, 5)).toEqual([])
    expect(await unseenBlocksOfOthers(sql, networkId, 10n, 5)).toEqual([10n])
    const both = await unseenBlocksOfOthers(sql, networkId, 12n, 5)
    expect(both.toSorted()).toEqual([10n, 12n])
    expect(await unseenBlocksOfOthers(sql, networkId, 12n, 1)).toHaveLength(1)
    expect(await unseenBlocksOfOthers(sql, elsewhere, 12n, 5)).toEqual([])
  })

  test('is looked for no longer once it is confirmed, and others never', async () => {
    const { networkId, of } = await world()
    const done = await foreign(of(), place(10n))
    await changePayment(sql, done, { confirmed_at: new Date() })
    await settled(sql, of(), place(11n))
    const waiting = await pending(sql, of())
    await changePayment(sql, waiting, { by_others: true, block_number: 12n })
    expect(await unseenBlocksOfOthers(sql, networkId, 20n, 5)).toEqual([])
  })
})

describe('a pending payment expires', () => {
  const NOON = new Date('2026-06-01T12:00:00Z')
  const noon = BigInt(NOON.getTime() / 1000)

  test('at its last second by the time of the confirmed block, the earliest first', async () => {
    const { networkId, of } = await world()
    await storeBlock(sql, networkId, 9n, { time: new Date(NOON.getTime() + 60_000) })
    await storeBlock(sql, networkId, 10n, { time: NOON })
    const [now, before, later] = [
      of({ validBefore: noon }),
      of({ validBefore: noon - 1n }),
      of({ validBefore: noon + 1n }),
    ]
    for (const wanted of [now, before, later]) await pending(sql, wanted)
    const items = [await itemOf(sql, before), await itemOf(sql, now)]
    expect(await expiredPayments(sql, networkId, 10n, 5)).toEqual(items.map(({ id }) => id))
    expect(await expiredPayments(sql, networkId, 10n, 1)).toHaveLength(1)
    expect(await expiredPayments(sql, networkId, 11n, 5)).toEqual([])
  })

  test('on its own network only, and not once it is decided', async () => {
    const { networkId, elsewhere, shop, of } = await world()
    await storeBlock(sql, networkId, 10n, { time: NOON })
    await storeBlock(sql, elsewhere, 10n, { time: new Date(NOON.getTime() - 60_000) })
    await settled(sql, of({ validBefore: 1n }))
    await pending(sql, aClaim(shop, { networkId: elsewhere, validBefore: noon }))
    expect(await expiredPayments(sql, networkId, 10n, 5)).toEqual([])
    expect(await expiredPayments(sql, elsewhere, 10n, 5)).toEqual([])
  })
})
