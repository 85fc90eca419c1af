import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asRefundId, type RefundId, type X402PaymentId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { ALL_CHAINS } from '../../../core/chain/registry.ts'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import { type Database, isRefusal } from '../../../store/database/database.ts'
import { readBalances } from '../../../store/invoice/balances.ts'
import { reportDays } from '../../../store/invoice/list/movements.ts'
import { reportTransactions } from '../../../store/invoice/list/reports.ts'
import { promisedIn } from '../../../store/refund/orders.ts'
import { refunds } from '../../../store/refund/transition.ts'
import type { MinedIn } from '../../../store/relayer/transactions.ts'
import { advance, type Given, type Step } from '../../../store/relayer/transition.ts'
import { readPayment } from '../../../store/x402/payments.ts'
import { withoutRefunds } from '../../../store/x402/payoutLocks.ts'
import { bindRefunds, findUnbound, noteLastBooked } from '../../../store/x402/payouts.ts'
import { readShares } from '../../../store/x402/shares.ts'
import { databaseUrlOf } from '../../support/servers/database.ts'
import { openAs } from '../../support/servers/roles.ts'
import {
  forThisFile,
  isWaiting,
  newAddress,
  newNetwork,
  openTransaction,
  storeChain,
} from '../../support/store/database.ts'
import {
  aClaim,
  changePayment,
  confirmed,
  newShop,
  place,
  type Shop,
  storeDistribution,
  TOKEN,
} from '../../support/store/x402.ts'

let sql: Database
let api: Database
forThisFile((database) => {
  sql = database
})
beforeAll(async () => {
  api = await openAs(databaseUrlOf(sql), 'api')
})
afterAll(() => api?.end())

/** A payment of 60 units in block 10, which the forwarder holds. */
async function world(networkId = newNetwork()): Promise<{
  shop: Shop
  networkId: string
  payer: Address
  payment: X402PaymentId
}> {
  await storeChain(sql, networkId)
  const shop = await newShop(sql)
  const payer = newAddress()
  const payment = await confirmed(sql, aClaim(shop, { networkId, from: payer }), place(10n))
  return { shop, networkId, payer, payment }
}

async function ask(
  by: Database,
  shop: Pick<Shop, 'id'>,
  payment: X402PaymentId,
  amount: bigint,
  to: Address,
): Promise<RefundId> {
  const id = asRefundId(Bun.randomUUIDv7())
  await by`
    select ask_for_x402_refund(${id}, ${shop.id}, ${payment}, ${id}, ${amount.toString()}, ${to})`
  return id
}

async function figures(payment: X402PaymentId): Promise<{ refunded: bigint; refunding: bigint }> {
  const found = await readPayment(sql, payment)
  return { refunded: BigInt(found?.refunded ?? -1), refunding: BigInt(found?.refunding ?? -1) }
}

describe('the database, asked by the API', () => {
  test('promises no more than the payment was, over all its refunds', async () => {
    const { shop, payment, payer } = await world()
    await ask(api, shop, payment, 40n, payer)
    await expect(ask(api, shop, payment, 21n, payer)).rejects.toThrow('not covered')
    await ask(api, shop, payment, 20n, payer)
    await expect(ask(api, shop, payment, 1n, payer)).rejects.toThrow('not covered')
    await expect(ask(api, shop, payment, 0n, payer)).rejects.toThrow('not covered')
    expect(await figures(payment)).toEqual({ refunded: 0n, refunding: 60n })
  })

  test('promises it to no one but the payer, unless the operator allows others', async () => {
    const { shop, payment } = await world()
    const other = newAddress()
    await expect(ask(api, shop, payment, 1n, other)).rejects.toThrow('not covered')
    await sql`update merchant set refunds_any = true where id = ${shop.id}`
    await ask(api, shop, payment, 1n, other)
  })

  test.each([
    ['was paid out', { distribution_id: Bun.randomUUIDv7() }],
    ['went to an own address', { direct: true }],
    ['came out of channels', { from_channels: true }],
    ['is not confirmed', { confirmed_at: null }],
    ['is elsewhere than in the forwarder', { pay_to: newAddress() }],
  ])('promises nothing of what %s', async (_, change) => {
    const { shop, payment, payer } = await world()
    await changePayment(sql, payment, change)
    await expect(ask(api, shop, payment, 1n, payer)).rejects.toThrow('not covered')
  })

  test('promises nothing of what belongs to another merchant', async () => {
    const { payment, payer } = await world()
    const other = await newShop(sql)
    await expect(ask(api, other, payment, 1n, payer)).rejects.toThrow('not covered')
  })

  test.each([
    [
      'the receiver',
      (id: RefundId) => api`update refund set recipient = ${newAddress()} where id = ${id}`,
    ],
    ['the amount', (id: RefundId) => api`update refund set amount = 1 where id = ${id}`],
    ['the state', (id: RefundId) => api`update refund set status = 'failed' where id = ${id}`],
    [
      'the payment',
      (id: RefundId) => api`update refund set x402_payment_id = null where id = ${id}`,
    ],
    ['what the payment has promised', () => api`update x402_payment set refunding = 0`],
    ['what the payment has given back', () => api`update x402_payment set refunded = 60`],
    [
      'the work by itself',
      () => api`
        insert into work_item (network_id, kind, dedupe_key, payload)
        values ('base-sepolia', 'x402_refund', 'refund:mine', '{}')`,
    ],
    [
      'the row by itself',
      (id: RefundId) => api`
        insert into refund (id, merchant_id, x402_payment_id, idempotency_key, network_id, token,
          amount, recipient)
        select gen_random_uuid(), merchant_id, x402_payment_id, 'x', network_id, token, 1, ${newAddress()}
        from refund where id = ${id}`,
    ],
  ] as const)('lets it neither change nor make %s', async (_, statement) => {
    const { shop, payment, payer } = await world()
    const id = await ask(api, shop, payment, 10n, payer)
    const refused = await statement(id).then(
      () => false,
      (error: unknown) => isRefusal(error),
    )
    expect(refused).toBe(true)
  })
})

test('a refund moves through the payment: promised, given back, taken back, failed', async () => {
  const { shop, payment, payer } = await world('base-sepolia')
  const id = await ask(api, shop, payment, 40n, payer)
  await mined(id, 20n)
  expect(await figures(payment)).toEqual({ refunded: 0n, refunding: 40n })
  await take('confirmed', { id })
  expect(await figures(payment)).toEqual({ refunded: 40n, refunding: 0n })
  await take('reopened', { id })
  expect(await figures(payment)).toEqual({ refunded: 0n, refunding: 40n })
  await take('failed', { id, reason: 'it was too late' })
  expect(await figures(payment)).toEqual({ refunded: 0n, refunding: 0n })
  // A reorganisation let it succeed after all.
  await mined(id, 21n)
  expect(await figures(payment)).toEqual({ refunded: 0n, refunding: 40n })
  const told = await sql<{ type: string; data: RefundJson }[]>`
    select type, data from outbox where object_id = ${id} order by version`
  expect(told.map(({ type }) => type)).toEqual(['refund.completed', 'refund.failed'])
  expect(told.map(({ data }) => data)).toMatchObject([
    { id, x402PaymentId: payment, invoiceId: null, status: 'confirmed' },
    { id, x402PaymentId: payment, invoiceId: null, status: 'failed', error: 'it was too late' },
  ])
})

test('a refund moves only once its payment is locked, as requests lock them', async () => {
  const { shop, payment, payer } = await world()
  const id = await ask(api, shop, payment, 40n, payer)
  const request = await openTransaction(sql, (t) => {
    return t`select from x402_payment where id = ${payment} for update`
  })
  const moved = mined(id, 20n)
  expect(await isWaiting(sql, moved)).toBe(true)
  const free = await request.sql`select from refund where id = ${id} for update skip locked`
  expect(free).toHaveLength(1)
  await request.commit()
  await moved
  const [refund] = await sql`select status from refund where id = ${id}`
  expect(refund).toEqual({ status: 'mined' })
})

async function take(step: Step, given: Given, at: MinedIn | null = null): Promise<void> {
  await sql.begin((t) => advance(t, refunds(ALL_CHAINS, false), step, [given], at))
}

/** Confirms it without an event, for which its chain would have to be a known one. */
async function confirm(id: RefundId, at: Date = new Date()): Promise<void> {
  await sql`
    with done as (
      update refund set status = 'confirmed', confirmed_at = ${at}
      where id = ${id} and status = 'mined' returning x402_payment_id, amount)
    update x402_payment p set refunding = p.refunding - done.amount, refunded = p.refunded + done.amount
    from done where p.id = done.x402_payment_id`
}

async function mined(id: RefundId, block: bigint, logIndex = 0): Promise<void> {
  await take('mined', { id, logIndex }, place(block))
}

describe('payouts of a forwarder', () => {
  test('wait while a refund of what it holds is on its way, in that token alone', async () => {
    const { shop, networkId, payment, payer } = await world()
    const rows = [
      { merchantId: shop.id, token: TOKEN },
      { merchantId: shop.id, token: newAddress() },
    ]
    const free = () => sql.begin((t) => withoutRefunds(t, networkId, rows))
    expect(await free()).toEqual(rows)
    const id = await ask(api, shop, payment, 40n, payer)
    expect(await free()).toEqual(rows.slice(1))
    await mined(id, 20n)
    expect(await free()).toEqual(rows.slice(1))
    await confirm(id)
    expect(await free()).toEqual(rows)
  })

  test('and requests for refunds wait for each other', async () => {
    const { shop, networkId, payment, payer } = await world()
    const rows = [{ merchantId: shop.id, token: TOKEN }]
    const order: string[] = []
    let end = new Date()
    let asked: Promise<unknown> = Promise.resolve()
    await sql.begin(async (t) => {
      expect(await withoutRefunds(t, networkId, rows)).toEqual(rows)
      asked = ask(api, shop, payment, 40n, payer).then(() => order.push('asked'))
      await Bun.sleep(100)
      order.push('signed')
      const [row] = await t<{ at: Date }[]>`select clock_timestamp() as at`
      end = row?.at ?? end
    })
    await asked
    expect(order).toEqual(['signed', 'asked'])
    // What was signed under the lock was begun before it was asked for, by the database's clock.
    const [refund] = await sql<{ createdAt: Date }[]>`
      select created_at from refund where x402_payment_id = ${payment}`
    expect(refund?.createdAt.getTime()).toBeGreaterThanOrEqual(end.getTime())
  })

  test('bear no fee for what went back before, and are less by it', async () => {
    const { shop, networkId, payment, payer } = await world()
    const id = await ask(api, shop, payment, 40n, payer)
    await mined(id, 20n)
    await confirm(id)
    const payout = await storeDistribution(sql, shop, 30n, { networkId, remitted: 18n, fee: 1n })
    await sql.begin((t) => noteLastBooked(t, networkId, [{ merchantId: shop.id, token: TOKEN }]))
    const { bindings } = await sql.begin((t) => findUnbound(t, networkId))
    expect(await sql.begin((t) => bindRefunds(t, networkId))).toEqual([payout])
    expect(await sql.begin((t) => bindRefunds(t, networkId))).toEqual([])
    const [shares] = await sql.begin((t) => readShares(t, [payout], bindings))
    expect(shares).toMatchObject({
      ...{ amount: 19n, fee: 1n, refunded: 40n, isFirst: true },
      payments: [{ id: payment, amount: 60n, refunded: 40n }],
    })
    expect((shares?.amount ?? 0n) + 40n + 1n - 60n).toBe(0n)
  })

  test('before a refund are not less by it', async () => {
    const { shop, networkId, payment, payer } = await world()
    const id = await ask(api, shop, payment, 40n, payer)
    await storeDistribution(sql, shop, 20n, { networkId, logIndex: 1 })
    await mined(id, 20n, 2)
    await confirm(id)
    expect(await sql.begin((t) => bindRefunds(t, networkId))).toEqual([])
  })
})

test('the hub’s limit counts refunds of both kinds together', async () => {
  const { shop, networkId, payment, payer } = await world()
  const id = await ask(api, shop, payment, 40n, payer)
  await sql`update refund set deadline = 9999999999, order_number = 1, fee_left = 0 where id = ${id}`
  const at = { networkId, hub: shop.hub, token: TOKEN }
  expect(await promisedIn(sql, at, 100n, [])).toBe(baseUnits(40n))
  expect(await promisedIn(sql, { ...at, hub: newAddress() }, 100n, [])).toBe(baseUnits(0n))
})

test('books tell refunds of x402 payments apart from those of invoices', async () => {
  const { shop, payment, payer } = await world()
  const id = await ask(api, shop, payment, 40n, payer)
  await mined(id, 20n)
  await confirm(id)
  const range = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 60_000) }
  const days = await reportDays(sql, shop.id, range)
  const sums = { x402Refunds: 1, x402Refunded: 40n, refunds: 0, refunded: 0n, x402Received: 60n }
  expect(days).toMatchObject([sums])
  expect(await readBalances(sql, shop.id)).toEqual([])
  const { transactions } = await reportTransactions(sql, shop.id, range, null, 10)
  expect(transactions.map(({ type, amount, net }) => ({ type, amount, net }))).toEqual([
    { type: 'x402_payment', amount: baseUnits(60n), net: baseUnits(20n) },
    { type: 'x402_refund', amount: baseUnits(40n), net: baseUnits(0n) },
  ])
})
