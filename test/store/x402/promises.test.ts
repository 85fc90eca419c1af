import { beforeAll, describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { claimAction } from '../../../store/channels/actions.ts'
import { ACTIONS } from '../../../store/channels/work.ts'
import type { Database } from '../../../store/database/database.ts'
import { advance } from '../../../store/relayer/transition.ts'
import { storeClaims } from '../../../store/x402/claims.ts'
import { type BalanceQuery, promisedTo } from '../../../store/x402/promises.ts'
import { findTerms } from '../../../store/x402/terms.ts'
import { aDeposit } from '../../support/store/channels.ts'
import { forThisFile, newAddress, newHash } from '../../support/store/database.ts'
import {
  aClaim,
  confirmed,
  failPayment,
  NETWORK,
  newShop,
  pending,
  place,
  type Shop,
  settled,
  TOKEN,
} from '../../support/store/x402.ts'

/** What is promised of balances when many ask about them at once. */

let sql: Database
forThisFile((database) => {
  sql = database
})

interface Open {
  readonly nonce: Hex
  readonly amount: bigint
  /** Null while it is owed: it is pending, or its block is gone. */
  readonly block: bigint | null
  readonly isPending: boolean
  readonly isDeposit: boolean
}

/** Payments and deposits of a payer in every state. The answer is those that are not over, and what is over in a block. */
async function openOf(shop: Shop, from: Address): Promise<Open[]> {
  const open: Open[] = []
  let amount = 1n
  for (const block of [null, null, GONE, 100n, 101n, 101n, 102n]) {
    const wanted = aClaim(shop, { from, value: amount })
    if (block === null) await pending(sql, wanted)
    else await settled(sql, wanted, placeIn(block))
    open.push(openOne(wanted.authorization.nonce, amount, block, false))
    amount *= 2n
  }
  for (const [block, isConfirmed] of [
    [null],
    [GONE],
    [100n],
    [102n],
    [100n, true],
    [102n, true],
  ] as const) {
    const wanted = aDeposit(shop, from, amount)
    const nonce = wanted.deposit?.nonce ?? '0x'
    // However much is promised already.
    const deposit = wanted.deposit && { ...wanted.deposit, balance: 1_000_000n }
    const id = await claimAction(sql, { ...wanted, deposit })
    if (id === null) throw new Error('the deposit was not stored')
    const done = [{ id, logIndex: 0, details: { moved: String(amount) } }]
    if (block !== null) await sql.begin((to) => advance(to, ACTIONS, 'mined', done, placeIn(block)))
    if (isConfirmed) await sql.begin((to) => advance(to, ACTIONS, 'confirmed', done))
    open.push(openOne(nonce, amount, block, true))
    amount *= 2n
  }
  await failPayment(sql, await pending(sql, aClaim(shop, { from, value: amount })))
  for (const block of [100n, 102n]) {
    const wanted = aClaim(shop, { from, value: amount })
    await confirmed(sql, wanted, placeIn(block))
    open.push(openOne(wanted.authorization.nonce, amount, block, false))
    amount *= 2n
  }
  return open
}

function openOne(nonce: Hex, amount: bigint, at: bigint | null, isDeposit: boolean): Open {
  const isPending = at === null && !isDeposit
  return { nonce, amount, block: at === GONE ? null : at, isPending, isDeposit }
}

/** A reorganisation took this block. */
const GONE = 98n
/** The chain has this one as it was. */
const KEPT = place(100n)
const placeIn = (block: bigint) =>
  place(block, block === KEPT.block ? { blockHash: KEPT.blockHash } : {})
beforeAll(async () => {
  await sql`
    insert into chain_block (network_id, number, hash, parent_hash, time) values
      (${NETWORK}, ${GONE}, ${newHash()}, ${newHash()}, now()),
      (${NETWORK}, ${KEPT.block}, ${KEPT.blockHash}, ${newHash()}, now())`
})

describe('of many queries each is told what the others have promised of its balance', () => {
  test('by the block that it knows, without itself, and without what was carried out by then', async () => {
    const shop = await newShop(sql)
    const payers = [newAddress(), newAddress(), newAddress()]
    const cases: { query: BalanceQuery; promised: { amount: bigint; payments: number } }[] = []
    for (const from of payers) {
      const open = from === payers[2] ? [] : await openOf(shop, from)
      const nonces = open.map(({ nonce }) => nonce)
      for (const nonce of [...nonces, newHash()]) {
        for (const block of [99n, 100n, 101n, 102n]) {
          for (const usedNonces of [[], nonces.slice(1, 5), [nonce, nonce, newHash()]]) {
            const counted = open.filter(
              (one) =>
                one.nonce !== nonce &&
                (one.block === null
                  ? one.isDeposit || !usedNonces.includes(one.nonce)
                  : one.block > block),
            )
            cases.push({
              query: {
                networkId: NETWORK,
                asset: TOKEN,
                authorization: { from, nonce },
                block,
                usedNonces,
              },
              promised: {
                amount: counted.reduce((sum, { amount }) => sum + amount, 0n),
                payments: counted.filter(({ isPending }) => isPending).length,
              },
            })
          }
        }
      }
    }
    const queries = cases.map(({ query }) => query)
    const promised = await sql.begin((to) => promisedTo(to, queries))
    expect(promised).toEqual(
      cases.map(({ promised: expected }) => ({
        ...{ ...expected, isOfInvoice: false, hasHadCode: false },
      })),
    )
  })

  test('before anything is read from the chain: by what is owed, without itself', async () => {
    const shop = await newShop(sql)
    const [from, nobody] = [newAddress(), newAddress()]
    const open = (await openOf(shop, from)).filter(({ isDeposit }) => !isDeposit)
    const asked = [...open.map(({ nonce }) => nonce), newHash(), nobody]
    const found = await findTerms(
      sql,
      asked.map((nonce) => ({
        ...{ networkId: NETWORK, asset: TOKEN, payTo: shop.forwarder },
        ...{ payer: nonce === nobody ? nobody : from, authorizationNonce: nonce },
        ...{ endpointId: null, amount: baseUnits(1n), resource: null },
      })),
    )
    const others = open.filter(({ block }) => block === null)
    expect(found.map(({ reserved }) => reserved)).toEqual(
      asked.map((nonce) =>
        nonce === nobody
          ? 0n
          : others.reduce((sum, one) => (one.nonce === nonce ? sum : sum + one.amount), 0n),
      ),
    )
  })
})

test('claims of two payers in many transactions at once take both balances to their last unit', async () => {
  const shop = await newShop(sql)
  const [first, second] = [newAddress(), newAddress()]
  const batches = Array.from({ length: 24 }, (_, i) => {
    // In either order, which must not make two wait for each other.
    const payers = i % 2 === 0 ? [first, second] : [second, first]
    return payers.flatMap((from) =>
      [3n, 2n, 1n].map((value) => aClaim(shop, { from, value, balance: 100n })),
    )
  })
  const results = await Promise.all(
    batches.map((claims) => sql.begin((to) => storeClaims(to, claims, 1_000))),
  )
  for (const from of [first, second]) {
    const values = batches.flatMap((claims, i) =>
      claims.flatMap(({ authorization }, n) =>
        authorization.from === from && results[i]?.[n]?.type === 'claimed'
          ? [authorization.value]
          : [],
      ),
    )
    expect(values.reduce((sum, value) => sum + value, 0n)).toBe(100n)
  }
})
