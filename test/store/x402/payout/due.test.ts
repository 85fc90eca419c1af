import { describe, expect, test } from 'bun:test'
import { asMerchantId, type MerchantId } from '../../../../core/ids.ts'
import { baseUnits } from '../../../../core/money.ts'
import type { Database } from '../../../../store/database.ts'
import { prepareForwarder } from '../../../../store/x402/payee/forwarders.ts'
import {
  noteRefusals,
  payableWith,
  queueDistributions,
  readDistributions,
} from '../../../../store/x402/payout/due.ts'
import { forThisFile, newAddress, newNetwork } from '../../../support/store/database.ts'
import {
  aClaim,
  changePayment,
  confirmed,
  findItem,
  newShop,
  newTransaction,
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

/** A forwarder is paid out at 100 units or after an hour. */
const POLICY = { distributeFrom: baseUnits(100n), distributeAfterMs: 3_600_000 }
const AT_ONCE = { ...POLICY, distributeAfterMs: 0 }

interface World {
  readonly networkId: string
  readonly shop: Shop
}

/** A merchant whose registry entry is in force on a network of its own. */
async function world(): Promise<World> {
  const networkId = newNetwork()
  const shop = await newShop(sql, { recipient: newAddress() })
  await prepare(networkId, shop)
  return { networkId, shop }
}

const entryKey = (networkId: string, { hub, id }: Shop, version = 1) =>
  `configure:${networkId}:${hub}:${id}:${version}`

async function prepare(networkId: string, shop: Shop, state = 'settled', version = 1) {
  await sql.begin((t) => prepareForwarder(t, shop.id, networkId))
  await setState(entryKey(networkId, shop, version), state)
}

async function setState(dedupeKey: string, state: string): Promise<void> {
  const txId = state === 'assigned' ? await newTransaction(sql) : null
  await sql`
    update work_item set state = ${state}, tx_id = ${txId} where dedupe_key = ${dedupeKey}`
}

async function changeForwarder(
  { networkId, shop }: World,
  columns: Record<string, string | number | Date | null>,
): Promise<void> {
  const given = { failed_at: null, failed_version: null, failure: null, ...columns }
  await sql`
    insert into forwarder_on_chain (merchant_id, network_id, token)
    values (${shop.id}, ${networkId}, ${TOKEN})
    on conflict (merchant_id, network_id, token) do nothing`
  await sql`
    update forwarder_on_chain set ${sql(given)}
    where merchant_id = ${shop.id} and network_id = ${networkId}`
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

describe('a forwarder is paid out along with money that arrives', () => {
  const payable = (
    { networkId }: World,
    arriving: readonly (readonly [Shop, bigint])[],
    policy = POLICY,
    head = 50n,
    most = 100,
  ) => {
    const given = new Map<string, bigint>(arriving.map(([shop, amount]) => [shop.id, amount]))
    return sql.begin((t) => payableWith(t, networkId, TOKEN, given, policy, head, most))
  }
  const isPaidWith = async (
    of: World,
    amount: bigint,
    policy?: typeof POLICY,
    head?: bigint,
  ): Promise<boolean> => (await payable(of, [[of.shop, amount]], policy, head)).length > 0

  test('once it holds enough with it', async () => {
    const of = await world()
    expect(await isPaidWith(of, 99n)).toBe(false)
    expect(await payable(of, [[of.shop, 100n]])).toEqual([
      { merchantId: of.shop.id, token: TOKEN, version: 1 },
    ])
  })

  test('at once where nothing is waited for', async () => {
    const of = await world()
    expect(await isPaidWith(of, 1n, AT_ONCE)).toBe(true)
    const noted = await sql`select from forwarder_on_chain where network_id = ${of.networkId}`
    expect(noted).toHaveLength(0)
  })

  test('of what it holds, only settled payments that were not paid out count', async () => {
    const of = await world()
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
    const of = await world()
    await settled(sql, aClaim(of.shop, { networkId: of.networkId }), place(50n))
    expect(await isPaidWith(of, 40n, POLICY, 50n)).toBe(true)
    expect(await isPaidWith(of, 40n)).toBe(false)
    await settled(sql, aClaim(of.shop, { networkId: of.networkId }), place(51n))
    expect(await isPaidWith(of, 40n, POLICY, 51n)).toBe(true)
    expect(await isPaidWith(of, 99n, POLICY, 52n)).toBe(false)
  })

  test('the head of the last time is its own one of each merchant, network and token', async () => {
    const of = await world()
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
    const of = await world()
    for (const state of ['queued', 'assigned', 'failed', 'review']) {
      await setState(entryKey(of.networkId, of.shop), state)
      expect(await isPaidWith(of, 100n)).toBe(false)
    }
    await setState(entryKey(of.networkId, of.shop), 'settled')
    await sql`update merchant set config_version = 2 where id = ${of.shop.id}`
    expect(await isPaidWith(of, 100n)).toBe(false)
    await prepare(of.networkId, of.shop, 'settled', 2)
    expect(await isPaidWith(of, 100n)).toBe(true)
  })

  test('unless its merchant has no entry at all', async () => {
    const of = await world()
    await sql`update merchant set config_version = 0 where id = ${of.shop.id}`
    await sql`
      update work_item set dedupe_key = ${entryKey(of.networkId, of.shop, 0)}
      where dedupe_key = ${entryKey(of.networkId, of.shop)}`
    expect(await isPaidWith(of, 100n)).toBe(false)
  })

  test('unless the hub refused within the last hour, at this version and here', async () => {
    const of = await world()
    const refusal = { failed_at: minutesAgo(59), failed_version: 1, failure: 'PayeeRefused' }
    await changeForwarder(of, refusal)
    expect(await isPaidWith(of, 100n)).toBe(false)
    await changeForwarder(of, { ...refusal, failed_at: minutesAgo(61) })
    expect(await isPaidWith(of, 100n)).toBe(true)
    await changeForwarder(of, { ...refusal, failed_version: 0 })
    expect(await isPaidWith(of, 100n)).toBe(true)
    await changeForwarder(of, {})
    await changeForwarder({ ...of, networkId: newNetwork() }, refusal)
    await changeForwarder({ ...of, shop: await newShop(sql) }, refusal)
    expect(await isPaidWith(of, 100n)).toBe(true)
  })

  test('again after the very hour of a refusal', async () => {
    const of = await world()
    await changeForwarder(of, { failed_at: new Date(), failed_version: 1, failure: 'PayeeRefused' })
    const due = await sql.begin(async (t) => {
      await t`
        update forwarder_on_chain set failed_at = now() - interval '1 hour'
        where merchant_id = ${of.shop.id}`
      return payableWith(t, of.networkId, TOKEN, new Map([[of.shop.id, 100n]]), POLICY, 50n, 1)
    })
    expect(due).toHaveLength(1)
  })

  test('even if there was nothing to pay out a moment before', async () => {
    const of = await world()
    const failure = 'NothingToDistribute(0x12)'
    await changeForwarder(of, { failed_at: new Date(), failed_version: 1, failure })
    expect(await isPaidWith(of, 100n)).toBe(true)
  })

  test('in the order of the merchants, and no other one', async () => {
    const of = await world()
    const shops = [of.shop]
    for (let i = 0; i < 3; i++) {
      const shop = await newShop(sql, { recipient: newAddress() })
      await prepare(of.networkId, shop)
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

describe('the payout of a forwarder is queued', () => {
  const queue = ({ networkId }: World, block = 20n, policy = POLICY) =>
    sql.begin((t) => queueDistributions(t, networkId, block, policy))
  const payment = ({ networkId, shop }: World, value: bigint, block = 10n) =>
    confirmed(sql, aClaim(shop, { networkId, value }), place(block))
  const itemAt = ({ networkId, shop }: World, block: bigint) =>
    findItem(sql, `distribute:${networkId}:${shop.id}:${TOKEN}:${block}`)

  test('once it holds enough, and once', async () => {
    const of = await world()
    await payment(of, 60n)
    await payment(of, 39n)
    expect(await queue(of)).toBe(0)
    await payment(of, 1n)
    expect(await queue(of)).toBe(1)
    expect(await itemAt(of, 20n)).toMatchObject({
      ...{ kind: 'distribute', networkId: of.networkId, state: 'queued' },
      payload: { merchantId: of.shop.id, token: TOKEN },
    })
    expect(await queue(of)).toBe(0)
  })

  test('once its oldest payment has lain there for long enough', async () => {
    const of = await world()
    await changePayment(sql, await payment(of, 5n), { settled_at: minutesAgo(59) })
    await payment(of, 5n)
    expect(await queue(of)).toBe(0)
    await changePayment(sql, await payment(of, 5n), { settled_at: minutesAgo(61) })
    expect(await queue(of)).toBe(1)
  })

  test('at the very last moment of that time', async () => {
    const of = await world()
    const id = await payment(of, 5n)
    const queued = await sql.begin(async (t) => {
      await t`update x402_payment set settled_at = now() - interval '1 hour' where id = ${id}`
      return queueDistributions(t, of.networkId, 20n, POLICY)
    })
    expect(queued).toBe(1)
  })

  test('of no less than two units, one of which stays behind', async () => {
    const of = await world()
    const anything = { ...POLICY, distributeFrom: baseUnits(1n) }
    await payment(of, 1n)
    expect(await queue(of, 20n, anything)).toBe(0)
    await payment(of, 1n)
    expect(await queue(of, 20n, anything)).toBe(1)
  })

  test('for payments that are settled, deep enough, and not paid out', async () => {
    const of = await world()
    const { networkId, shop } = of
    await settled(sql, aClaim(shop, { networkId }))
    const waiting = await pending(sql, aClaim(shop, { networkId }))
    await changePayment(sql, waiting, { block_number: 10n, confirmed_at: new Date() })
    await changePayment(sql, await payment(of, 60n), { distribution_id: Bun.randomUUIDv7() })
    await payment({ ...of, networkId: newNetwork() }, 60n)
    await payment(of, 60n, 20n)
    await payment(of, 40n, 21n)
    expect(await queue(of)).toBe(0)
    await payment(of, 40n, 20n)
    expect(await queue(of)).toBe(1)
  })

  test('by merchant and by token', async () => {
    const of = await world()
    const { networkId, shop } = of
    await payment(of, 60n)
    await confirmed(sql, aClaim(shop, { networkId, asset: newAddress() }))
    const other = await newShop(sql, { recipient: newAddress() })
    await prepare(networkId, other)
    await payment({ networkId, shop: other }, 60n)
    expect(await queue(of)).toBe(0)
  })

  test('but not for what a distribution after it has paid out, bound to it or not', async () => {
    const of = await world()
    const { networkId, shop } = of
    await payment(of, 100n, 10n)
    await storeDistribution(sql, shop, 12n, { networkId: newNetwork() })
    await storeDistribution(sql, shop, 12n, { networkId, token: newAddress() })
    await storeDistribution(sql, await newShop(sql), 12n, { networkId })
    await storeDistribution(sql, shop, 9n, { networkId, logIndex: 3 })
    const paying = await storeDistribution(sql, shop, 10n, { networkId, logIndex: 1 })
    expect(await queue(of)).toBe(0)
    await sql`update x402_distribution set log_index = 0 where id = ${paying}`
    expect(await queue(of)).toBe(1)
  })

  test.each([
    ['queued', 0],
    ['assigned', 0],
    ['settled', 1],
    ['failed', 1],
  ])('when the one before it is %s: %i', async (state, count) => {
    const of = await world()
    await payment(of, 100n)
    await queue(of)
    await setState(`distribute:${of.networkId}:${of.shop.id}:${TOKEN}:20`, state)
    expect(await queue(of, 21n)).toBe(count)
    // The same block has the same key.
    expect(await queue(of, 20n)).toBe(0)
  })

  test('whatever is on its way elsewhere, for others, of other tokens or of other kinds', async () => {
    const of = await world()
    const { networkId, shop } = of
    const other = newNetwork()
    const payload = (merchantId: string, token: string) => sql.json({ merchantId, token })
    const ours = payload(shop.id, TOKEN)
    await sql`
      insert into work_item (network_id, kind, dedupe_key, payload) values
        (${other}, 'distribute', ${`a${other}`}, ${ours}),
        (${networkId}, 'distribute', ${`b${other}`}, ${payload(Bun.randomUUIDv7(), TOKEN)}),
        (${networkId}, 'distribute', ${`c${other}`}, ${payload(shop.id, newAddress())}),
        (${networkId}, 'deploy', ${`d${other}`}, ${ours})`
    await payment(of, 100n)
    expect(await queue(of)).toBe(1)
  })

  test('unless the hub refused within the last hour', async () => {
    const of = await world()
    await payment(of, 100n)
    const failure = 'PayeeRefused'
    await changeForwarder(of, { failed_at: minutesAgo(59), failed_version: 1, failure })
    expect(await queue(of)).toBe(0)
    await changeForwarder(of, { failed_at: minutesAgo(61), failed_version: 1, failure })
    expect(await queue(of)).toBe(1)
  })

  test('unless it had nothing to pay out within the last hour, and nothing was confirmed since', async () => {
    const of = await world()
    const known = await payment(of, 100n)
    await changePayment(sql, known, { confirmed_at: minutesAgo(60) })
    const failure = 'NothingToDistribute(0x12)'
    await changeForwarder(of, { failed_at: minutesAgo(59), failed_version: 1, failure })
    expect(await queue(of)).toBe(0)
    await changePayment(sql, known, { confirmed_at: minutesAgo(58) })
    expect(await queue(of)).toBe(1)
  })

  test('after the hour of a refusal, though nothing has come since', async () => {
    const of = await world()
    const known = await payment(of, 100n)
    await changePayment(sql, known, { confirmed_at: minutesAgo(62) })
    const failure = 'NothingToDistribute(0x12)'
    await changeForwarder(of, { failed_at: minutesAgo(61), failed_version: 1, failure })
    expect(await queue(of)).toBe(1)
  })

  test('after the registry entry, where that is neither in force nor on its way', async () => {
    const of = await world()
    const { networkId, shop } = of
    await payment(of, 100n)
    for (const state of ['failed', 'review']) {
      await setState(entryKey(networkId, shop), state)
      expect(await queue(of)).toBe(1)
      expect(await itemAt(of, 20n)).toBeNull()
      expect((await findItem(sql, entryKey(networkId, shop)))?.state).toBe('queued')
    }
    for (const state of ['queued', 'assigned']) {
      await setState(entryKey(networkId, shop), state)
      expect(await queue(of)).toBe(0)
    }
    await sql`update merchant set config_version = 2 where id = ${shop.id}`
    await setState(entryKey(networkId, shop), 'settled')
    expect(await queue(of)).toBe(1)
    expect((await findItem(sql, entryKey(networkId, shop, 2)))?.state).toBe('queued')
  })

  test('not at all for a merchant without a recipient', async () => {
    const networkId = newNetwork()
    const of = { networkId, shop: await newShop(sql) }
    await payment(of, 100n)
    expect(await queue(of)).toBe(0)
  })

  test('is read with the version that it is to be made by, if there is one, in the order of the items', async () => {
    const [one, two] = [await world(), await world()]
    await payment(two, 100n)
    await payment(one, 100n)
    await queue(two)
    await queue(one)
    const [first, second] = [await itemAt(two, 20n), await itemAt(one, 20n)]
    await sql`update merchant set config_version = 3 where id = ${one.shop.id}`
    const ids = [second?.id ?? 0n, first?.id ?? 0n]
    expect([...(await readDistributions(sql, ids))]).toEqual([
      { ...wanted(two, 1), itemId: first?.id ?? 0n },
      { ...wanted(one, null), itemId: second?.id ?? 0n },
    ])
    expect(await readDistributions(sql, [first?.id ?? 0n])).toHaveLength(1)
  })

  const wanted = ({ shop }: World, version: number | null) => ({
    ...{ merchantId: shop.id, token: TOKEN, version, hub: shop.hub },
  })
})

test('a refusal is noted with the version that was refused, and replaces the one before', async () => {
  const { networkId, shop } = await world()
  const other = await newShop(sql, { recipient: newAddress(), version: 5 })
  const without = asMerchantId(Bun.randomUUIDv7())
  const note = (reason: string) =>
    sql.begin((t) =>
      noteRefusals(t, networkId, [
        { merchantId: shop.id, token: TOKEN, reason },
        { merchantId: other.id, token: TOKEN, reason: 'other' },
        { merchantId: without, token: TOKEN, reason },
      ]),
    )
  await sql.begin((t) => noteRefusals(t, networkId, []))
  await note('first')
  await sql`update merchant set config_version = 2 where id = ${shop.id}`
  await note('second')
  const rows = await sql`
    select merchant_id, failed_version, failure, failed_at > now() - interval '1 minute' as is_new
    from forwarder_on_chain where network_id = ${networkId} order by failed_version`
  expect([...rows]).toEqual([
    { merchantId: shop.id, failedVersion: 2, failure: 'second', isNew: true },
    { merchantId: other.id, failedVersion: 5, failure: 'other', isNew: true },
  ])
})
