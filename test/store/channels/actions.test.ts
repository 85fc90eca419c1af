import { describe, expect, test } from 'bun:test'
import type { ChannelActionId } from '../../../core/base/ids.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { claimAction } from '../../../store/channels/actions.ts'
import { bookChannelPayouts, storeChannelEvents } from '../../../store/channels/events.ts'
import { ACTIONS, lockDueActions } from '../../../store/channels/work.ts'
import type { Database } from '../../../store/database/database.ts'
import { advance } from '../../../store/relayer/transition.ts'
import { assignItems } from '../../../store/relayer/workItems.ts'
import { storeHolds } from '../../../store/x402/holds.ts'
import { aDeposit, BALANCE } from '../../support/store/channels.ts'
import { forThisFile, newAddress, newHash, newNetwork } from '../../support/store/database.ts'
import { storeKey, storeTransaction } from '../../support/store/relayer.ts'
import {
  aClaim,
  claim,
  NETWORK,
  newShop,
  pending,
  place,
  type Shop,
  TOKEN,
  types,
} from '../../support/store/x402.ts'

/** What is asked of channels, as rows: a payer's money is promised once, and each action says what it is. */

let sql: Database
forThisFile((database) => {
  sql = database
})

test('of those that ask contracts two are sent at a time, and others beside them', async () => {
  const shop = await newShop(sql)
  const networkId = newNetwork()
  for (const isAlone of [true, true, true, false]) {
    await claimAction(sql, { ...aDeposit(shop, newAddress(), 1n), networkId, isAlone })
  }
  const send = () =>
    sql.begin(async (transaction) => {
      const items = await lockDueActions(transaction, networkId, 1)
      const txId = await storeTransaction(transaction, await storeKey(transaction))
      await assignItems(
        transaction,
        items.map(({ id }) => id),
        txId,
      )
      return items
    })
  const sent = [await send(), await send(), await send(), await send()].flat()
  expect(sent.map(({ batchLimit }) => batchLimit)).toEqual([1, 1, 100])
  await sql`update work_item set state = 'failed' where state = 'assigned'`
  // While another worker chooses, only what asks no contract is taken.
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtextextended(${networkId}, 4338))`
    expect(await sql.begin((other) => lockDueActions(other, networkId, 9))).toEqual([])
  })
  expect(await sql.begin((other) => lockDueActions(other, networkId, 9))).toHaveLength(1)
})

const deposit = (shop: Shop, payer: Address, amount: bigint) =>
  claimAction(sql, aDeposit(shop, payer, amount))

function settle(id: ChannelActionId | null, block: bigint) {
  if (id === null) throw new Error('the deposit was not stored')
  const done = [{ id, logIndex: 0, details: { moved: '60' } }]
  return sql.begin((to) => advance(to, ACTIONS, 'mined', done, place(block)))
}

describe('the balance of a payer', () => {
  test('is promised to one deposit, and not to a second one', async () => {
    const [shop, payer] = [await newShop(sql), newAddress()]
    const [one, other] = await Promise.all([deposit(shop, payer, 60n), deposit(shop, payer, 60n)])
    expect([one, other].filter((id) => id !== null)).toHaveLength(1)
    expect(await deposit(shop, payer, 40n)).not.toBeNull()
    expect(await deposit(shop, newAddress(), 60n)).not.toBeNull()
  })

  test('is promised to a deposit or a payment, whichever is first', async () => {
    const shop = await newShop(sql)
    const [first, second] = [newAddress(), newAddress()]
    const payment = (from: Address) => aClaim(shop, { from, value: 60n, balance: BALANCE })
    expect(await deposit(shop, first, 60n)).not.toBeNull()
    expect(types(await claim(sql, payment(first)))).toEqual(['insufficient_funds'])
    await pending(sql, payment(second))
    expect(await deposit(shop, second, 60n)).toBeNull()
  })

  test('is not promised any more once the deposit has left it, or has failed', async () => {
    const shop = await newShop(sql)
    const [mined, failed] = [newAddress(), newAddress()]
    await settle(await deposit(shop, mined, 60n), 100n)
    expect(await deposit(shop, mined, 60n)).not.toBeNull()
    const id = await deposit(shop, failed, 60n)
    if (id === null) throw new Error('the deposit was not stored')
    await sql.begin((to) => advance(to, ACTIONS, 'failed', [{ id, reason: 'it failed' }]))
    expect(await deposit(shop, failed, 60n)).not.toBeNull()
  })

  test('is promised while a deposit is in a later block than the balance', async () => {
    const [shop, payer] = [await newShop(sql), newAddress()]
    await settle(await deposit(shop, payer, 60n), 101n)
    expect(await deposit(shop, payer, 60n)).toBeNull()
  })

  test('is held by verify until the deposit is asked for, and not twice after that', async () => {
    const [shop, payer] = [await newShop(sql), newAddress()]
    const wanted = aDeposit(shop, payer, 60n)
    const hold = (nonce: `0x${string}`, value: bigint) =>
      sql.begin((transaction) => {
        const times = { validAfter: 0n, validBefore: 4_000_000_000n }
        const authorization = { from: payer, to: shop.forwarder, nonce, value, ...times }
        const about = { networkId: NETWORK, asset: TOKEN, block: 100n, usedNonces: [] }
        return storeHolds(transaction, [{ ...about, authorization, balance: BALANCE }], 60)
      })
    expect(await hold(wanted.deposit?.nonce ?? '0x', 60n)).toEqual([true])
    await claimAction(sql, wanted)
    expect(await hold(newHash(), 40n)).toEqual([true])
    expect(await hold(newHash(), 1n)).toEqual([false])
  })
})

test('a deposit that failed is asked for again with what is carried out now', async () => {
  const [shop, payer] = [await newShop(sql), newAddress()]
  const wanted = aDeposit(shop, payer, 60n)
  const id = await claimAction(sql, wanted)
  if (id === null || wanted.deposit === null) throw new Error('the deposit was not stored')
  await sql.begin((to) => advance(to, ACTIONS, 'failed', [{ id, reason: 'it failed' }]))
  const again = { ...wanted, amount: 30n, deposit: { ...wanted.deposit, validBefore: 5n } }
  expect(await claimAction(sql, again)).toBe(id)
  const [row] = await sql`
    select status, amount, valid_before from x402_channel_action where id = ${id}`
  expect({ ...row }).toEqual({ status: 'pending', amount: 30n, validBefore: 5n })
})

test('a payout to an address is booked for its current or last owner', async () => {
  const [first, then, now] = [await newShop(sql), await newShop(sql), await newShop(sql)]
  const [address, left] = [newAddress(), newAddress()]
  const register = (shop: Shop, at: Address, removedAt: string | null) => sql`
    insert into x402_own_address (id, merchant_id, address, signature, created_at, removed_at)
    values (${Bun.randomUUIDv7()}, ${shop.id}, ${at}, '0x', now(), ${removedAt})`
  await register(first, address, '2026-01-01')
  await register(now, address, null)
  await register(then, address, '2026-02-01')
  await register(first, left, '2026-01-01')
  await register(then, left, '2026-02-01')
  const events = [address, left].map((receiver, logIndex) => ({
    ...{ name: 'Settled', channelId: null, receiver, token: TOKEN, amount: 5n, total: null },
    ...{ withdrawAt: null, txHash: newHash(), logIndex: logIndex + 1, block: 7n },
    blockHash: newHash(),
  }))
  await sql.begin(async (transaction) => {
    await storeChannelEvents(transaction, NETWORK, events)
    await bookChannelPayouts(transaction, NETWORK, () => 0n)
  })
  const rows = await sql<{ payTo: Address; merchantId: string }[]>`
    select pay_to, merchant_id from x402_payment where pay_to = any(${[address, left]}::text[])`
  expect(new Map(rows.map(({ payTo, merchantId }) => [payTo, merchantId]))).toEqual(
    new Map<Address, string>([
      [address, now.id],
      [left, then.id],
    ]),
  )
})
