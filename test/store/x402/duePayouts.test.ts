import { describe, expect, test } from 'bun:test'
import { asMerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  noteRefusals,
  queueDistributions,
  readDistributions,
} from '../../../store/x402/duePayouts.ts'
import {
  forThisFile,
  newAddress,
  newHash,
  newNetwork,
  storeBlock,
} from '../../support/store/database.ts'
import {
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
  confirmed,
  findItem,
  newShop,
  pending,
  place,
  settled,
  storeDistribution,
  TOKEN,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

describe('the payout of a forwarder is queued', () => {
  const queue = ({ networkId }: Payee, block = 20n, policy = POLICY) =>
    sql.begin((t) => queueDistributions(t, networkId, block, policy))
  const payment = ({ networkId, shop }: Payee, value: bigint, block = 10n) =>
    confirmed(sql, aClaim(shop, { networkId, value }), place(block))
  const itemAt = ({ networkId, shop }: Payee, block: bigint) =>
    findItem(sql, `distribute:${networkId}:${shop.id}:${TOKEN}:${block}`)

  test('once it holds enough, and once', async () => {
    const of = await newPayee(sql)
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
    const of = await newPayee(sql)
    await changePayment(sql, await payment(of, 5n), { settled_at: minutesAgo(59) })
    await payment(of, 5n)
    expect(await queue(of)).toBe(0)
    await changePayment(sql, await payment(of, 5n), { settled_at: minutesAgo(61) })
    expect(await queue(of)).toBe(1)
  })

  test('at the very last moment of that time', async () => {
    const of = await newPayee(sql)
    const id = await payment(of, 5n)
    const queued = await sql.begin(async (t) => {
      await t`update x402_payment set settled_at = now() - interval '1 hour' where id = ${id}`
      return queueDistributions(t, of.networkId, 20n, POLICY)
    })
    expect(queued).toBe(1)
  })

  test('of no less than two units, one of which stays behind', async () => {
    const of = await newPayee(sql)
    const anything = { ...POLICY, distributeFrom: baseUnits(1n) }
    await payment(of, 1n)
    expect(await queue(of, 20n, anything)).toBe(0)
    await payment(of, 1n)
    expect(await queue(of, 20n, anything)).toBe(1)
  })

  test('for payments that are settled, deep enough, and not paid out', async () => {
    const of = await newPayee(sql)
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
    const of = await newPayee(sql)
    const { networkId, shop } = of
    await payment(of, 60n)
    await confirmed(sql, aClaim(shop, { networkId, asset: newAddress() }))
    const other = await newShop(sql, { recipient: newAddress() })
    await prepare(sql, networkId, other)
    await payment({ networkId, shop: other }, 60n)
    expect(await queue(of)).toBe(0)
  })

  test('but not for what a distribution after it has paid out, bound to it or not', async () => {
    const of = await newPayee(sql)
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
    const of = await newPayee(sql)
    await payment(of, 100n)
    await queue(of)
    await setState(sql, `distribute:${of.networkId}:${of.shop.id}:${TOKEN}:20`, state)
    expect(await queue(of, 21n)).toBe(count)
    // The same block has the same key.
    expect(await queue(of, 20n)).toBe(0)
  })

  test('whatever is on its way elsewhere, for others, of other tokens or of other kinds', async () => {
    const of = await newPayee(sql)
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
    const of = await newPayee(sql)
    await payment(of, 100n)
    const failure = 'PayeeRefused'
    await changeForwarder(sql, of, { failed_at: minutesAgo(59), failed_version: 1, failure })
    expect(await queue(of)).toBe(0)
    await changeForwarder(sql, of, { failed_at: minutesAgo(61), failed_version: 1, failure })
    expect(await queue(of)).toBe(1)
  })

  test('unless it had nothing to pay out within the last hour, and nothing was confirmed since', async () => {
    const of = await newPayee(sql)
    const known = await payment(of, 100n)
    await changePayment(sql, known, { confirmed_at: minutesAgo(60) })
    const failure = 'NothingToDistribute(0x12)'
    await changeForwarder(sql, of, { failed_at: minutesAgo(59), failed_version: 1, failure })
    expect(await queue(of)).toBe(0)
    await changePayment(sql, known, { confirmed_at: minutesAgo(58) })
    expect(await queue(of)).toBe(1)
  })

  test('after the hour of a refusal, though nothing has come since', async () => {
    const of = await newPayee(sql)
    const known = await payment(of, 100n)
    await changePayment(sql, known, { confirmed_at: minutesAgo(62) })
    const failure = 'NothingToDistribute(0x12)'
    await changeForwarder(sql, of, { failed_at: minutesAgo(61), failed_version: 1, failure })
    expect(await queue(of)).toBe(1)
  })

  test('after the registry entry, where that is neither in force nor on its way', async () => {
    const of = await newPayee(sql)
    const { networkId, shop } = of
    await payment(of, 100n)
    for (const state of ['failed', 'review']) {
      await setState(sql, entryKey(networkId, shop), state)
      expect(await queue(of)).toBe(1)
      expect(await itemAt(of, 20n)).toBeNull()
      expect((await findItem(sql, entryKey(networkId, shop)))?.state).toBe('queued')
    }
    for (const state of ['queued', 'assigned']) {
      await setState(sql, entryKey(networkId, shop), state)
      expect(await queue(of)).toBe(0)
    }
    await sql`update merchant set config_version = 2 where id = ${shop.id}`
    await setState(sql, entryKey(networkId, shop), 'settled')
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
    const [one, two] = [await newPayee(sql), await newPayee(sql)]
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

  const wanted = ({ shop }: Payee, version: number | null) => ({
    ...{ merchantId: shop.id, token: TOKEN, version, hub: shop.hub },
  })
})

test('a refusal is noted with the version that was refused, and replaces the one before', async () => {
  const { networkId, shop } = await newPayee(sql)
  const other = await newShop(sql, { recipient: newAddress(), version: 5 })
  const without = asMerchantId(Bun.randomUUIDv7())
  const at = { block: 5n, blockHash: newHash() }
  const note = (reason: string) =>
    sql.begin((t) =>
      noteRefusals(t, networkId, at, [
        { merchantId: shop.id, token: TOKEN, reason },
        { merchantId: other.id, token: TOKEN, reason: 'other' },
        { merchantId: without, token: TOKEN, reason },
      ]),
    )
  await sql.begin((t) => noteRefusals(t, networkId, at, []))
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

describe('a refusal', () => {
  /** One of block 15, with payments that are due. */
  async function refused() {
    const of = await newPayee(sql)
    const { networkId, shop } = of
    await confirmed(sql, aClaim(shop, { networkId, value: 100n }), place(10n))
    const blockHash = await storeBlock(sql, networkId, 15n)
    const refusal = { merchantId: shop.id, token: TOKEN, reason: 'MerchantNotConfigured' }
    await sql.begin((t) => noteRefusals(t, networkId, { block: 15n, blockHash }, [refusal]))
    const queue = () => sql.begin((t) => queueDistributions(t, networkId, 20n, POLICY))
    expect(await queue()).toBe(0)
    const paidOutIn = (block: number) => sql`
      update forwarder_on_chain set booked_block = ${block} where merchant_id = ${shop.id}`
    return { networkId, queue, paidOutIn }
  }

  test('counts while its block is on the chain', async () => {
    const { networkId, queue } = await refused()
    await storeBlock(sql, networkId, 15n)
    expect(await queue()).toBe(1)
  })

  test('counts until the hub has paid out again', async () => {
    const { queue, paidOutIn } = await refused()
    await paidOutIn(15)
    expect(await queue()).toBe(0)
    await paidOutIn(16)
    expect(await queue()).toBe(1)
  })
})
