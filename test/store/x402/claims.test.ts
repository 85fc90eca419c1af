import { describe, expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import { openClaims, storeClaims } from '../../../store/x402/claims.ts'
import {
  forThisFile,
  isWaiting,
  newAddress,
  newHash,
  newNetwork,
  openTransaction,
} from '../../support/store/database.ts'
import {
  aClaim,
  changeItem,
  claim,
  confirmed,
  failPayment,
  itemOf,
  newEndpointId,
  newShop,
  newTransaction,
  paymentRow,
  pending,
  place,
  type Shop,
  settled,
  types,
} from '../../support/store/x402.ts'

let sql: Database
let shop: Shop
forThisFile((database) => {
  sql = database
})

/** Claims of one payer, who had 100 units at block 100. */
async function payer() {
  shop = await newShop(sql)
  const from = newAddress()
  return (terms: Parameters<typeof aClaim>[1] = {}) =>
    aClaim(shop, { from, balance: 100n, ...terms })
}

describe('the payments of a payer that are under way', () => {
  const most = (count: number, ...claims: Parameters<typeof storeClaims>[1][]) =>
    sql.begin((transaction) => storeClaims(transaction, claims.flat(), count))

  test('are no more than so many, in one batch or in several', async () => {
    const of = await payer()
    const small = () => of({ value: 1n })
    expect(types(await most(3, [small(), small()]))).toEqual(['claimed', 'claimed'])
    expect(types(await most(3, [small(), small()]))).toEqual(['claimed', 'too_many'])
    const another = of({ value: 1n, from: newAddress() })
    expect(types(await most(3, [another]))).toEqual(['claimed'])
  })

  test('are those that are pending, and no others', async () => {
    const of = await payer()
    const small = () => of({ value: 1n })
    await settled(sql, small(), place(101n))
    await failPayment(sql, await pending(sql, small()))
    await pending(sql, small())
    expect(types(await most(2, [small(), small()]))).toEqual(['claimed', 'too_many'])
  })

  test('leave no row behind when they are too many', async () => {
    const of = await payer()
    const refused = of({ value: 1n })
    await most(1, [of({ value: 1n }), refused])
    const { nonce } = refused.authorization
    const rows = await sql`select from x402_payment where authorization_nonce = ${nonce}`
    expect(rows).toHaveLength(0)
  })
})

describe('what is promised of a balance', () => {
  test('a balance can be claimed to its last unit, and not beyond', async () => {
    const of = await payer()
    expect(types(await claim(sql, of({ value: 101n })))).toEqual(['insufficient_funds'])
    expect(types(await claim(sql, of({ value: 100n })))).toEqual(['claimed'])
    expect(types(await claim(sql, of({ value: 1n })))).toEqual(['insufficient_funds'])
  })

  test('the claims of one batch share the balance', async () => {
    const of = await payer()
    const results = await claim(sql, of(), of(), of({ value: 40n }))
    expect(types(results)).toEqual(['claimed', 'insufficient_funds', 'claimed'])
  })

  test('payers, tokens and networks have balances of their own', async () => {
    const of = await payer()
    const others = () => [
      of({ from: newAddress() }),
      of({ asset: newAddress() }),
      of({ networkId: newNetwork() }),
    ]
    const results = await claim(sql, of(), ...others())
    expect(types(results)).toEqual(['claimed', 'claimed', 'claimed', 'claimed'])
    const [from, asset, networkId] = [newAddress(), newAddress(), newNetwork()]
    await pending(sql, of({ from }))
    await pending(sql, of({ asset }))
    await pending(sql, of({ networkId }))
    expect(types(await claim(sql, of({ value: 40n })))).toEqual(['claimed'])
  })

  test('a claim that waits for its own transaction to be granted holds its part', async () => {
    const of = await payer()
    await pending(sql, of())
    expect(types(await claim(sql, of()))).toEqual(['insufficient_funds'])
  })

  test('a settled payment holds its part until the balance knows of its block', async () => {
    const of = await payer()
    await settled(sql, of(), place(101n))
    expect(types(await claim(sql, of({ block: 100n })))).toEqual(['insufficient_funds'])
    expect(types(await claim(sql, of({ block: 101n })))).toEqual(['claimed'])
  })

  test('a failed payment holds nothing, nor does a confirmed one in a block that the balance knows', async () => {
    const of = await payer()
    await failPayment(sql, await pending(sql, of()))
    await confirmed(sql, of(), place(101n))
    const all = (block: bigint) => of({ value: 100n, block })
    expect(types(await claim(sql, all(100n)))).toEqual(['insufficient_funds'])
    expect(types(await claim(sql, all(101n)))).toEqual(['claimed'])
  })

  test('a pending payment whose nonce is used up on-chain holds nothing, a settled one does', async () => {
    const of = await payer()
    const [used, mined] = [of(), of({ value: 40n })]
    await pending(sql, used)
    await settled(sql, mined, place(101n))
    const usedNonces = [newHash(), used.authorization.nonce, mined.authorization.nonce]
    expect(types(await claim(sql, of({ value: 61n, usedNonces })))).toEqual(['insufficient_funds'])
    expect(types(await claim(sql, of({ value: 60n, usedNonces })))).toEqual(['claimed'])
  })

  test('a payer who is being claimed from is waited for', async () => {
    const of = await payer()
    const first = await openTransaction(sql, (transaction) =>
      storeClaims(transaction, [of()], 1_000),
    )
    const second = claim(sql, of())
    expect(await isWaiting(sql, second)).toBe(true)
    await first.commit()
    expect(types(await second)).toEqual(['insufficient_funds'])
  })
})

describe('one authorization', () => {
  test('is claimed once in a batch', async () => {
    const of = await payer()
    const once = of({ value: 10n })
    expect(types(await claim(sql, once, { ...once }))).toEqual(['claimed', 'taken'])
  })

  test('is taken while its payment is pending, and once it is settled', async () => {
    const of = await payer()
    const [waiting, done] = [of(), of({ value: 40n })]
    const ids = [await pending(sql, waiting), await settled(sql, done)]
    expect(types(await claim(sql, waiting))).toEqual(['taken'])
    expect(types(await claim(sql, done))).toEqual(['taken'])
    const rows = await Promise.all(ids.map((id) => paymentRow(sql, id)))
    expect(rows.map(({ status, version }) => `${status} ${version}`)).toEqual([
      'pending 1',
      'settled 1',
    ])
  })

  test('is claimed again once its payment has failed', async () => {
    const of = await payer()
    const failed = of()
    const id = await pending(sql, failed)
    await failPayment(sql, id)
    const again = { ...failed, signature: '0x5678', isWallet: true } as const
    expect(await claim(sql, again)).toEqual([{ type: 'claimed', paymentId: id }])
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'pending', reason: null, version: 2 },
      ...{ signature: '0x5678', isWallet: true },
    })
  })

  test('is not claimed again for other terms', async () => {
    const of = await payer()
    const failed = of()
    await failPayment(sql, await pending(sql, failed))
    const { nonce } = failed.authorization
    for (const terms of [
      { to: newAddress() },
      { value: 59n },
      { validAfter: 1n },
      { validBefore: 3_999_999_999n },
      { endpointId: newEndpointId() },
    ]) {
      expect(types(await claim(sql, of({ nonce, ...terms })))).toEqual(['taken'])
    }
  })

  test('of another payer, token or network is another one', async () => {
    const of = await payer()
    const { nonce } = of().authorization
    const asset = newAddress()
    const networkId = newNetwork()
    const from = newAddress()
    for (const terms of [{}, { from }, { asset }, { networkId }]) {
      const wanted = of({ nonce, ...terms })
      const id = await pending(sql, wanted)
      expect((await itemOf(sql, wanted)).payload).toEqual({ paymentId: id })
    }
  })
})

describe('the work for a claim', () => {
  test('goes with others, and with wallets in a lane of their own', async () => {
    const of = await payer()
    const [plain, alone] = [of({ value: 1n }), of({ value: 1n, isAlone: true, isWallet: true })]
    await claim(sql, plain, alone)
    expect(await itemOf(sql, plain)).toMatchObject({ kind: 'x402', batchLimit: 100 })
    expect(await itemOf(sql, alone)).toMatchObject({ kind: 'x402_wallet', batchLimit: 1 })
  })

  test.each(['failed', 'review'])('is queued again from the state %s', async (state) => {
    const of = await payer()
    const failed = of()
    const id = await pending(sql, failed)
    await failPayment(sql, id)
    const tx_id = await newTransaction(sql, 'mined')
    const not_before = new Date(Date.now() + 3_600_000)
    await changeItem(sql, failed, { state, tx_id, tries: 3, log_index: 1, not_before })
    await pending(sql, { ...failed, isAlone: true, isWallet: true })
    const item = await itemOf(sql, failed)
    expect(item).toMatchObject({
      ...{ state: 'queued', kind: 'x402_wallet', batchLimit: 1 },
      ...{ txId: null, tries: 0, logIndex: null, result: null },
    })
    expect(item.notBefore.getTime()).toBeLessThan(not_before.getTime())
  })

  test('stays with its transaction while that is not over', async () => {
    const of = await payer()
    const failed = of()
    await failPayment(sql, await pending(sql, failed))
    const tx_id = await newTransaction(sql)
    await changeItem(sql, failed, { state: 'assigned', tx_id })
    await pending(sql, failed)
    expect(await itemOf(sql, failed)).toMatchObject({ state: 'assigned', txId: tx_id })
  })
})

test('only networks with a new claim are told that work waits', async () => {
  const of = await payer()
  const told: (readonly string[])[] = []
  const claims = openClaims(sql, 1_000, { onClaimed: (networkIds) => told.push(networkIds) })
  const [first, second] = [newNetwork(), newNetwork()]
  const results = await Promise.all([
    claims.claim(of({ networkId: first })),
    claims.claim(of({ networkId: second, value: 101n })),
    claims.claim(of({ networkId: first, value: 20n })),
    claims.claim(of({ networkId: first, value: 20n })),
  ])
  expect(types(results)).toEqual(['claimed', 'insufficient_funds', 'claimed', 'claimed'])
  expect(told.flat().filter((networkId) => networkId === second)).toEqual([])
  expect(told.every((networkIds) => networkIds.join() === first)).toBe(true)
  expect(told.length).toBeGreaterThan(0)
})

test('a claim that can not be stored is refused, and those that arrived with it are stored', async () => {
  const of = await payer()
  const claims = openClaims(sql, 1_000, { onClaimed: () => {} })
  const tooLarge = of({ value: 10n ** 80n, balance: 10n ** 81n, from: newAddress() })
  const ends = await Promise.allSettled([
    claims.claim(of({ value: 1n })),
    claims.claim(tooLarge),
    claims.claim(of({ value: 1n })),
  ])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
