import { expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import { endHolds, type HoldQuery, storeHolds } from '../../../store/x402/holds.ts'
import {
  forThisFile,
  isWaiting,
  newAddress,
  openTransaction,
} from '../../support/store/database.ts'
import {
  aClaim,
  claim,
  failPayment,
  newShop,
  pending,
  place,
  settled,
  types,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const hold = (...queries: HoldQuery[]) => sql.begin((tx) => storeHolds(tx, queries, 30))

/** Authorizations of one payer, who had 100 units at block 100. */
async function payer() {
  const shop = await newShop(sql)
  const from = newAddress()
  return (value: bigint, terms: Parameters<typeof aClaim>[1] = {}) =>
    aClaim(shop, { from, balance: 100n, value, ...terms })
}

/** Lets so many seconds pass for all holds. */
async function pass(seconds: number): Promise<void> {
  await sql`update x402_hold set until = until - ${seconds} * interval '1 second'`
  await sql`update x402_held set until = until - ${seconds} * interval '1 second'`
}

test('a balance is held to its last unit and not beyond, in one batch or in several', async () => {
  const of = await payer()
  expect(await hold(of(60n), of(60n), of(40n))).toEqual([true, false, true])
  expect(await hold(of(1n))).toEqual([false])
  const other = await payer()
  expect(await hold(other(100n))).toEqual([true])
  expect(await hold(other(1n))).toEqual([false])
})

test('holds of one payer wait for each other', async () => {
  const of = await payer()
  const first = await openTransaction(sql, (tx) => storeHolds(tx, [of(60n)], 30))
  const second = hold(of(60n))
  expect(await isWaiting(sql, second)).toBe(true)
  await first.commit()
  expect(await second).toEqual([false])
})

test('another token, chain or payer is not concerned', async () => {
  const of = await payer()
  await hold(of(100n))
  const others = [
    of(100n, { asset: newAddress() }),
    of(100n, { networkId: 'sepolia' }),
    of(100n, { from: newAddress() }),
  ]
  expect(await hold(...others)).toEqual([true, true, true])
})

test('the same authorization is held once, and no longer than from its first time on', async () => {
  const of = await payer()
  const one = of(60n)
  expect(await hold(one, one)).toEqual([true, true])
  await pass(20)
  expect(await hold(one)).toEqual([true])
  expect(await hold(of(40n))).toEqual([true])
  await pass(12)
  const [{ left } = { left: 0 }] = await sql<{ left: number }[]>`
    select count(*)::integer as left from x402_hold where until > now()
      and authorization_nonce = ${one.authorization.nonce}`
  expect(left).toBe(0)
  expect(await hold(of(60n))).toEqual([true])
})

test('of what is signed with one nonce, the first is held and nothing else', async () => {
  const of = await payer()
  const one = of(1n)
  const { nonce, to, validBefore } = one.authorization
  const more = of(2n, { nonce, to, validBefore })
  expect(await hold(one, more)).toEqual([true, false])
  const others = [
    more,
    of(1n, { nonce, to: newAddress(), validBefore }),
    of(1n, { nonce, to, validBefore: validBefore + 1n }),
    of(1n, { nonce, to, validBefore, validAfter: 1n }),
  ]
  for (const other of others) expect(await hold(other)).toEqual([false])
  expect(await hold(one)).toEqual([true])
})

test('what is over goes, as fast as it comes', async () => {
  await sql`truncate x402_hold, x402_held`
  const of = await payer()
  await hold(of(1n), of(1n), of(1n))
  await pass(40)
  await hold(of(1n), of(1n))
  const [left] = await sql<{ holds: number; sums: number }[]>`
    select (select count(*)::integer from x402_hold where until <= now()) as holds,
      (select count(*)::integer from x402_held where until <= now()) as sums`
  expect(left).toEqual({ holds: 0, sums: 0 })
})

test('however many holds a payer has, a second of them is one row', async () => {
  const of = await payer()
  await hold(...Array.from({ length: 50 }, () => of(1n)))
  const [one] = [of(1n)]
  const rows = await sql<{ amount: bigint }[]>`
    select amount from x402_held where payer = ${one.authorization.from}`
  expect(rows.map(({ amount }) => amount)).toEqual([50n])
})

test('payments that are under way are in the way, and holds are not in the way of claims', async () => {
  const of = await payer()
  await pending(sql, of(60n))
  expect(await hold(of(60n), of(40n))).toEqual([false, true])
  expect(types(await claim(sql, of(40n)))).toEqual(['claimed'])
})

test('a claim ends the hold of its authorization, and keeps the amount itself', async () => {
  const of = await payer()
  const one = of(60n)
  await hold(one)
  await settled(sql, one, place(90n))
  // Settled before the block of the balance: nothing is promised any more.
  expect(await hold(of(100n))).toEqual([true])
})

test('an authorization that was claimed meanwhile is not held besides', async () => {
  const of = await payer()
  const one = of(60n)
  const id = await pending(sql, one)
  expect(await hold(one)).toEqual([true])
  expect(await hold(of(40n))).toEqual([true])
  await failPayment(sql, id)
  expect(await hold(one)).toEqual([true])
  expect(await hold(of(1n))).toEqual([false])
})

test('what holds come to never falls below nothing', async () => {
  const of = await payer()
  const one = of(60n)
  await hold(one, of(10n))
  for (const _ of [1, 2]) await sql.begin((tx) => endHolds(tx, [one]))
  const rows = await sql<{ amount: bigint }[]>`
    select amount from x402_held where payer = ${one.authorization.from}`
  expect(rows.map(({ amount }) => amount)).toEqual([10n])
})
