import { describe, expect, test } from 'bun:test'
import type { DistributionId, X402PaymentId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { advance } from '../../../store/relayer/transition.ts'
import { PAYMENTS } from '../../../store/x402/settles.ts'
import { readShares, saveShares } from '../../../store/x402/shares.ts'
import {
  forThisFile,
  newAddress,
  newNetwork,
  openTransaction,
} from '../../support/store/database.ts'
import {
  aClaim,
  changePayment,
  newShop,
  newShopAndNetwork,
  paymentRow,
  place,
  settled,
  storeDistribution,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

describe('what a distribution paid out', () => {
  async function shares(...ids: Parameters<typeof readShares>[1]) {
    const read = await sql.begin((t) => readShares(t, ids, []))
    expect(read).toHaveLength(ids.length)
    return ids.map((id) => read.find((one) => one.id === id))
  }

  test('is what the treasury got and the fee, and its payments in their order', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
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
    const { networkId, shop } = await newShopAndNetwork(sql)
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
    const { networkId, shop } = await newShopAndNetwork(sql)
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
    const { commit } = await openTransaction(sql, (t) =>
      advance(t, PAYMENTS, 'reopened', [{ id: reopened }]),
    )
    const sharing = share(kept, reopened)
    await commit()
    await sharing
    expect(await paymentRow(sql, reopened)).toMatchObject({ status: 'pending', fee: null })
    expect((await paymentRow(sql, reopened)).distributionId).toBeNull()
  })

  test('includes no fees that were held before and are collected with it', async () => {
    const { networkId, shop } = await newShopAndNetwork(sql)
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
    const { networkId, shop } = await newShopAndNetwork(sql)
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
    const { networkId, shop } = await newShopAndNetwork(sql)
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
