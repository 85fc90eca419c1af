import { describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { payableWith } from '../../../store/x402/duePayouts.ts'
import { forThisFile, newAddress, newNetwork } from '../../support/store/database.ts'
import {
  AT_ONCE,
  changeForwarder,
  entryKey,
  minutesAgo,
  newPayee,
  type Payee,
  POLICY,
  prepare,
  setState,
} from '../../support/store/payouts.ts'
import {
  aClaim,
  changePayment,
  newShop,
  pending,
  place,
  type Shop,
  settled,
  TOKEN,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

describe('a forwarder is paid out along with money that arrives', () => {
  const payable = (
    { networkId }: Payee,
    arriving: readonly (readonly [Shop, bigint])[],
    policy = POLICY,
    head = 50n,
    most = 100,
  ) => {
    const given = new Map<string, bigint>(arriving.map(([shop, amount]) => [shop.id, amount]))
    return sql.begin((t) => payableWith(t, networkId, TOKEN, given, policy, head, most))
  }
  const isPaidWith = async (
    of: Payee,
    amount: bigint,
    policy?: typeof POLICY,
    head?: bigint,
  ): Promise<boolean> => (await payable(of, [[of.shop, amount]], policy, head)).length > 0

  test('once it holds enough with it', async () => {
    const of = await newPayee(sql)
    expect(await isPaidWith(of, 99n)).toBe(false)
    expect(await payable(of, [[of.shop, 100n]])).toEqual([
      { merchantId: of.shop.id, token: TOKEN, version: 1 },
    ])
  })

  test('at once where nothing is waited for', async () => {
    const of = await newPayee(sql)
    expect(await isPaidWith(of, 1n, AT_ONCE)).toBe(true)
    const noted = await sql`select from forwarder_on_chain where network_id = ${of.networkId}`
    expect(noted).toHaveLength(0)
  })

  test('of what it holds, only settled payments that were not paid out count', async () => {
    const of = await newPayee(sql)
    const { shop, networkId } = of
    const wanted = (terms = {}) => aClaim(shop, { networkId, ...terms })
    await settled(sql, aClaim(shop, { networkId: newNetwork() }))
    await settled(sql, wanted({ asset: newAddress() }))
    await settled(sql, aClaim(await newShop(sql), { networkId }))
    const waiting = await pending(sql, wanted())
    await changePayment(sql, waiting, { block_number: 10n })
    const paidOut = await settled(sql, wanted())
    await changePayment(sql, paidOut, { distribution_id: Bun.randomUUIDv7() })
    expect(await isPaidWith(of, 40n)).toBe(false)
    await settled(sql, wanted({ value: 59n }))
    expect(await isPaidWith(of, 40n)).toBe(false)
    expect(await isPaidWith(of, 41n)).toBe(true)
  })

  test('only what was mined after the head of the last time counts', async () => {
    const of = await newPayee(sql)
    await settled(sql, aClaim(of.shop, { networkId: of.networkId }), place(50n))
    expect(await isPaidWith(of, 40n, POLICY, 50n)).toBe(true)
    expect(await isPaidWith(of, 40n)).toBe(false)
    await settled(sql, aClaim(of.shop, { networkId: of.networkId }), place(51n))
    expect(await isPaidWith(of, 40n, POLICY, 51n)).toBe(true)
    expect(await isPaidWith(of, 99n, POLICY, 52n)).toBe(false)
  })

  test('the head of the last time is its own one of each merchant, network and token', async () => {
    const of = await newPayee(sql)
    const { shop, networkId } = of
    await settled(sql, aClaim(shop, { networkId }), place(10n))
    for (const [merchantId, network, token] of [
      [(await newShop(sql)).id, networkId, TOKEN],
      [shop.id, newNetwork(), TOKEN],
      [shop.id, networkId, newAddress()],
    ]) {
      await sql`
        insert into forwarder_on_chain (merchant_id, network_id, token, sent_block)
        values (${merchantId ?? null}, ${network ?? null}, ${token ?? null}, 90)`
    }
    expect(await isPaidWith(of, 40n)).toBe(true)
  })

  test('if its merchant has a registry entry that is in force', async () => {
    const of = await newPayee(sql)
    for (const state of ['queued', 'assigned', 'failed', 'review']) {
      await setState(sql, entryKey(of.networkId, of.shop), state)
      expect(await isPaidWith(of, 100n)).toBe(false)
    }
    await setState(sql, entryKey(of.networkId, of.shop), 'settled')
    await sql`update merchant set config_version = 2 where id = ${of.shop.id}`
    expect(await isPaidWith(of, 100n)).toBe(false)
    await prepare(sql, of.networkId, of.shop, 'settled', 2)
    expect(await isPaidWith(of, 100n)).toBe(true)
  })

  test('unless its merchant has no entry at all', async () => {
    const of = await newPayee(sql)
    await sql`update merchant set config_version = 0 where id = ${of.shop.id}`
    await sql`
      update work_item set dedupe_key = ${entryKey(of.networkId, of.shop, 0)}
      where dedupe_key = ${entryKey(of.networkId, of.shop)}`
    expect(await isPaidWith(of, 100n)).toBe(false)
  })

  test('unless the hub refused within the last hour, at this version and here', async () => {
    const of = await newPayee(sql)
    const refusal = { failed_at: minutesAgo(59), failed_version: 1, failure: 'PayeeRefused' }
    await changeForwarder(sql, of, refusal)
    expect(await isPaidWith(of, 100n)).toBe(false)
    await changeForwarder(sql, of, { ...refusal, failed_at: minutesAgo(61) })
    expect(await isPaidWith(of, 100n)).toBe(true)
    await changeForwarder(sql, of, { ...refusal, failed_version: 0 })
    expect(await isPaidWith(of, 100n)).toBe(true)
    await changeForwarder(sql, of, {})
    await changeForwarder(sql, { ...of, networkId: newNetwork() }, refusal)
    await changeForwarder(sql, { ...of, shop: await newShop(sql) }, refusal)
    expect(await isPaidWith(of, 100n)).toBe(true)
  })

  test('again after the very hour of a refusal', async () => {
    const of = await newPayee(sql)
    await changeForwarder(sql, of, {
      failed_at: new Date(),
      failed_version: 1,
      failure: 'PayeeRefused',
    })
    const due = await sql.begin(async (t) => {
      await t`
        update forwarder_on_chain set failed_at = now() - interval '1 hour'
        where merchant_id = ${of.shop.id}`
      return payableWith(t, of.networkId, TOKEN, new Map([[of.shop.id, 100n]]), POLICY, 50n, 1)
    })
    expect(due).toHaveLength(1)
  })

  test('even if there was nothing to pay out a moment before', async () => {
    const of = await newPayee(sql)
    const failure = 'NothingToDistribute(0x12)'
    await changeForwarder(sql, of, { failed_at: new Date(), failed_version: 1, failure })
    expect(await isPaidWith(of, 100n)).toBe(true)
  })

  test('in the order of the merchants, and no other one', async () => {
    const of = await newPayee(sql)
    const shops = [of.shop]
    for (let i = 0; i < 3; i++) {
      const shop = await newShop(sql, { recipient: newAddress() })
      await prepare(sql, of.networkId, shop)
      shops.push(shop)
    }
    const [without, ...given] = shops
    const due = await payable(
      of,
      given.toReversed().map((shop) => [shop, 100n] as const),
    )
    expect(due.map(({ merchantId }) => merchantId)).toEqual(given.map(({ id }) => id))
    expect(due.some(({ merchantId }) => merchantId === without?.id)).toBe(false)
    const noted = await sql<{ merchantId: MerchantId; sentBlock: bigint }[]>`
      select merchant_id, sent_block from forwarder_on_chain
      where network_id = ${of.networkId} order by merchant_id`
    expect([...noted]).toEqual(given.map(({ id }) => ({ merchantId: id, sentBlock: 50n })))
  })
})
