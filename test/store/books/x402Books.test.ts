import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { payoutsAfter, payoutsAt } from '../../../store/books/payouts.ts'
import { chainsWithMoney } from '../../../store/books/reconciliation.ts'
import { overduePayments, paymentViolations } from '../../../store/books/x402Audit.ts'
import {
  forwarderBooks,
  paymentsByAuthorization,
  readForwarders,
  readX402Progress,
  settledPaymentsAfter,
  settledTransfers,
} from '../../../store/books/x402Reconciliation.ts'
import type { Database } from '../../../store/database/database.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress, newHash } from '../../support/store/database.ts'
import { NETWORK, OTHER_NETWORK } from '../../support/store/invoice.ts'
import {
  aClaim,
  changePayment,
  confirmed,
  failPayment,
  newShop,
  pending,
  place,
  type Shop,
  settled,
  storeDistribution,
  TOKEN,
} from '../../support/store/x402.ts'

let sql: Database
let shop: Shop
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`
    truncate x402_payment, x402_distribution, work_item, relayer_key, relayer_tx, chain_state cascade`
  shop = await newShop(sql)
})
afterAll(() => sql.end({ timeout: 1 }))

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

describe('a payment', () => {
  test('must be of the merchant’s own forwarder', async () => {
    const id = await pending(sql, aClaim(shop))
    await sql`update x402_payment set pay_to = ${newAddress()} where id = ${id}`
    expect((await paymentViolations(sql, 10)).map(({ message }) => message)).toEqual([
      "it pays neither its merchant's forwarder nor its own address",
    ])
  })

  test('is overdue ten minutes after its end, by the time of its chain', async () => {
    const HEAD = 10_000n
    await sql`
      insert into chain_state (network_id, chain_id, genesis_hash, head_time)
      values (${NETWORK}, 1, ${newHash()}, to_timestamp(${HEAD}::bigint)),
        (${OTHER_NETWORK}, 1, ${newHash()}, to_timestamp(0))`
    const late = await pending(sql, aClaim(shop, { validBefore: HEAD - 601n }))
    await pending(sql, aClaim(shop, { validBefore: HEAD - 600n }))
    await pending(sql, aClaim(shop, { validBefore: HEAD - 601n, networkId: OTHER_NETWORK }))
    await failPayment(sql, await pending(sql, aClaim(shop, { validBefore: HEAD - 601n })))
    const settledAt = (second: bigint) => new Date(Number(second) * 1_000)
    const unconfirmed = await settled(sql, aClaim(shop))
    await changePayment(sql, unconfirmed, { settledAt: settledAt(HEAD - 601n) })
    await changePayment(sql, await settled(sql, aClaim(shop)), {
      settledAt: settledAt(HEAD - 600n),
    })
    const over = await confirmed(sql, aClaim(shop))
    await changePayment(sql, over, { settledAt: settledAt(HEAD - 601n) })
    const told = (await overduePayments(sql, 10)).map((one) => `${one.subject}: ${one.message}`)
    expect(told).toHaveLength(2)
    expect(told).toContain(
      `payment ${late}: it is pending 601 s after its authorization has expired`,
    )
    expect(told).toContain(
      `payment ${unconfirmed}: it was settled 601 s before the chain's newest block, and is not confirmed`,
    )
    expect(await overduePayments(sql, 1)).toHaveLength(1)
  })

  test('is found by its transfer and by its authorization, on its own chain', async () => {
    const wanted = aClaim(shop)
    const [txHash, logIndex] = [newHash(), 3]
    const at = { ...place(10n), txHash, logIndex }
    const id = await settled(sql, wanted, at)
    await settled(sql, aClaim(shop))
    expect(await settledTransfers(sql, NETWORK, [at, { ...at, txHash: newHash() }])).toEqual(
      new Set([`${txHash} ${logIndex}`]),
    )
    expect(await settledTransfers(sql, NETWORK, [{ ...at, logIndex: 9 }])).toEqual(new Set())
    expect(await settledTransfers(sql, OTHER_NETWORK, [at])).toEqual(new Set())
    expect(await settledTransfers(sql, NETWORK, [])).toEqual(new Set())
    const { from: payer, nonce } = wanted.authorization
    const find = async (networkId: string, token = TOKEN, of = { payer, nonce }) =>
      idsOf(await paymentsByAuthorization(sql, networkId, token, [of]))
    expect(await find(NETWORK)).toEqual([id])
    expect(await find(OTHER_NETWORK)).toEqual([])
    expect(await find(NETWORK, newAddress())).toEqual([])
    expect(await find(NETWORK, TOKEN, { payer: newAddress(), nonce })).toEqual([])
    expect(await find(NETWORK, TOKEN, { payer, nonce: newHash() })).toEqual([])
    expect(await paymentsByAuthorization(sql, NETWORK, TOKEN, [])).toEqual([])
  })

  test('that is settled up to a block is walked through in the order of ids', async () => {
    const [first, second] = [
      await settled(sql, aClaim(shop), place(20n)),
      await settled(sql, aClaim(shop), place(20n)),
    ]
    await settled(sql, aClaim(shop), place(21n))
    await settled(sql, aClaim(shop, { networkId: OTHER_NETWORK }), place(20n))
    await settled(sql, aClaim(shop, { asset: newAddress() }), place(20n))
    await changePayment(sql, await pending(sql, aClaim(shop)), { blockNumber: 20n })
    const read = async (after: string | null, limit = 10) =>
      idsOf(await settledPaymentsAfter(sql, NETWORK, TOKEN, 20n, after, limit))
    expect(await read(null)).toEqual([first, second])
    expect(await read(null, 1)).toEqual([first])
    expect(await read(first)).toEqual([second])
  })
})

test('a chain has money when a payment on it has not failed', async () => {
  await pending(sql, aClaim(shop))
  await failPayment(sql, await pending(sql, aClaim(shop, { networkId: OTHER_NETWORK })))
  expect(await chainsWithMoney(sql)).toEqual(new Map([[NETWORK, 1]]))
})

describe('the books of a forwarder', () => {
  test('tell what was settled and paid out up to a block', async () => {
    await settled(sql, aClaim(shop), place(20n))
    await settled(sql, aClaim(shop), place(21n))
    await settled(sql, aClaim(shop, { networkId: OTHER_NETWORK }), place(20n))
    await settled(sql, aClaim(await newShop(sql)), place(20n))
    await changePayment(sql, await pending(sql, aClaim(shop)), { blockNumber: 20n })
    await storeDistribution(sql, shop, 20n, { remitted: 50n, fee: 5n })
    await storeDistribution(sql, shop, 21n, { remitted: 100n })
    await storeDistribution(sql, shop, 20n, { remitted: 200n, networkId: OTHER_NETWORK })
    await storeDistribution(sql, await newShop(sql), 20n, { remitted: 400n })
    expect(await forwarderBooks(sql, NETWORK, [shop.id], 20n)).toMatchObject([
      { merchantId: shop.id, token: TOKEN, settled: 60n, remitted: 50n, fees: 5n, other: 0n },
    ])
  })

  test('name every forwarder, and how far its chain is known', async () => {
    const forwarders = await readForwarders(sql)
    expect(forwarders.map(({ address }) => address)).toContain(shop.forwarder)
    expect(await readX402Progress(sql, NETWORK)).toEqual({ bookedBlock: null, firstBlock: null })
    await sql`
      insert into chain_state (network_id, chain_id, genesis_hash, distributions_block)
      values (${NETWORK}, 1, ${newHash()}, 7), (${OTHER_NETWORK}, 1, ${newHash()}, 8)`
    await pending(sql, aClaim(shop, { block: 100n }))
    await pending(sql, aClaim(shop, { block: 90n }))
    await pending(sql, aClaim(shop, { block: 80n, networkId: OTHER_NETWORK }))
    expect(await readX402Progress(sql, NETWORK)).toEqual({ bookedBlock: 7n, firstBlock: 90n })
  })
})

describe('the payouts', () => {
  test('at places of a chain are read with their payments, in the chain’s order', async () => {
    const id = await storeDistribution(sql, shop, 20n, { logIndex: 3 })
    await storeDistribution(sql, shop, 20n)
    const [row] = await sql`select tx_hash from x402_distribution where id = ${id}`
    const txHash = row?.txHash
    const second = await settled(sql, aClaim(shop), place(11n))
    const first = await settled(sql, aClaim(shop), place(10n))
    await settled(sql, aClaim(shop), place(9n))
    for (const payment of [first, second]) await changePayment(sql, payment, { distributionId: id })
    await changePayment(sql, first, { fee: 1n })
    const payouts = await payoutsAt(sql, NETWORK, [{ txHash, logIndex: 3 }])
    expect(payouts).toMatchObject([
      {
        id,
        payments: [
          { id: first, amount: 60n, fee: 1n },
          { id: second, amount: 60n, fee: null },
        ],
      },
    ])
    expect(await payoutsAt(sql, NETWORK, [{ txHash, logIndex: 4 }])).toEqual([])
    expect(await payoutsAt(sql, NETWORK, [{ txHash: newHash(), logIndex: 3 }])).toEqual([])
    expect(await payoutsAt(sql, OTHER_NETWORK, [{ txHash, logIndex: 3 }])).toEqual([])
    expect(await payoutsAt(sql, NETWORK, [])).toEqual([])
  })

  test('up to a block are walked through in the order of ids', async () => {
    const [first, second] = [
      await storeDistribution(sql, shop, 20n),
      await storeDistribution(sql, shop, 19n),
    ]
    await storeDistribution(sql, shop, 21n)
    await storeDistribution(sql, shop, 20n, { networkId: OTHER_NETWORK })
    const read = async (after: string | null, limit = 10) =>
      idsOf(await payoutsAfter(sql, NETWORK, 20n, after, limit))
    expect(await read(null)).toEqual([first, second])
    expect(await read(null, 1)).toEqual([first])
    expect(await read(first)).toEqual([second])
  })
})
