import { describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  changeEndpoint,
  type EndpointFilter,
  findByUrl,
  findEndpoint,
  listEndpoints,
  registerEndpoint,
} from '../../../store/x402/endpoints.ts'
import { forThisFile, newAddress, newNetwork } from '../../support/store/database.ts'
import { anEndpointDraft, findItem, newEndpointId, newShop } from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const NOW = new Date('2026-06-01T12:00:00Z')
const LATER = new Date('2026-06-01T13:00:00Z')
const HUB = newAddress()

const register = (merchantId: MerchantId, draft = anEndpointDraft(), at = NOW) =>
  registerEndpoint(sql, HUB, merchantId, draft, at)
const registered = async (merchantId: MerchantId, draft = anEndpointDraft(), at = NOW) =>
  (await register(merchantId, draft, at)).endpoint

describe('an endpoint', () => {
  test('is registered once for a price, while it is active', async () => {
    const { id: merchantId } = await newShop(sql)
    const draft = anEndpointDraft()
    const first = await register(merchantId, draft)
    expect(first).toMatchObject({ isNew: true, endpoint: { merchantId, amount: draft.amount } })
    expect((await findItem(sql, `deploy:${draft.networkId}:${merchantId}`))?.state).toBe('queued')
    expect(await register(merchantId, draft)).toEqual({ ...first, isNew: false })
    await changeEndpoint(sql, merchantId, first.endpoint.id, { active: false }, NOW)
    const second = await register(merchantId, draft)
    expect(second.isNew).toBe(true)
    expect(await register(merchantId, draft)).toEqual({ ...second, isNew: false })
  })

  test('is another one at another price, of another merchant, URL, network or token', async () => {
    const { id: merchantId } = await newShop(sql)
    const draft = anEndpointDraft()
    const { id } = await registered(merchantId, draft)
    const others = [
      { ...draft, amount: baseUnits(draft.amount + 1n) },
      { ...draft, urlKey: 'https://shop.example/other' },
      { ...draft, networkId: newNetwork() },
      { ...draft, asset: newAddress() },
    ]
    for (const other of others) {
      expect((await register(merchantId, other)).isNew).toBe(true)
      expect(await register(merchantId, other)).toMatchObject({ isNew: false, endpoint: other })
    }
    const { id: otherMerchantId } = await newShop(sql)
    const beside = await register(otherMerchantId, draft)
    expect(beside.isNew).toBe(true)
    expect((await register(otherMerchantId, draft)).endpoint.id).toBe(beside.endpoint.id)
    expect((await register(merchantId, draft)).endpoint.id).toBe(id)
  })

  test('is its merchant’s alone', async () => {
    const [shop, other] = [await newShop(sql), await newShop(sql)]
    const { id } = await registered(shop.id)
    expect(await findEndpoint(sql, shop.id, id)).toMatchObject({ id, payTo: shop.forwarder })
    expect(await findEndpoint(sql, other.id, id)).toBeNull()
    expect(await findEndpoint(sql, shop.id, newEndpointId())).toBeNull()
  })

  test('is found by its URL on these networks while it is active, the newest first', async () => {
    const [{ id: merchantId }, other] = [await newShop(sql), await newShop(sql)]
    const draft = anEndpointDraft()
    const { urlKey, networkId } = draft
    const at = (amount: bigint, change = {}) => ({ ...draft, amount: baseUnits(amount), ...change })
    const [old, young] = [
      await registered(merchantId, at(1n)),
      await registered(merchantId, at(2n), LATER),
    ]
    const elsewhere = await registered(merchantId, at(3n, { networkId: newNetwork() }), LATER)
    await registered(merchantId, at(4n, { urlKey: 'https://shop.example/other' }))
    await registered(other.id, at(5n))
    const inactive = await registered(merchantId, at(6n))
    await changeEndpoint(sql, merchantId, inactive.id, { active: false }, NOW)
    const find = async (...networkIds: string[]) =>
      (await findByUrl(sql, merchantId, urlKey, networkIds)).map(({ id }) => id)
    expect(await find(networkId)).toEqual([young.id, old.id])
    expect(await find(elsewhere.networkId)).toEqual([elsewhere.id])
    expect(await find()).toEqual([])
  })
})

test('the endpoints of a merchant are listed, the newest first, page by page', async () => {
  const { id: merchantId } = await newShop(sql)
  const one = await registered(merchantId)
  const two = await registered(merchantId, anEndpointDraft({ networkId: newNetwork() }), LATER)
  const three = await registered(merchantId, anEndpointDraft(), LATER)
  await registered((await newShop(sql)).id)
  await changeEndpoint(sql, merchantId, one.id, { active: false }, NOW)
  const list = async (filter: EndpointFilter = {}, limit = 10, offset = 0n) => {
    const page = await listEndpoints(sql, merchantId, filter, { limit, offset })
    return { ids: page.elements.map(({ id }) => id), total: page.total }
  }
  expect(await list()).toEqual({ ids: [three.id, two.id, one.id], total: 3 })
  expect(await list({}, 1, 1n)).toEqual({ ids: [two.id], total: 3 })
  expect(await list({ active: false })).toEqual({ ids: [one.id], total: 1 })
  expect(await list({ networkId: two.networkId })).toEqual({ ids: [two.id], total: 1 })
})

describe('a change of an endpoint', () => {
  test('is of what is given, and of its time only when something changed', async () => {
    const { id: merchantId } = await newShop(sql)
    const before = await registered(merchantId)
    const beside = await registered(merchantId)
    const change = (given: Parameters<typeof changeEndpoint>[3]) =>
      changeEndpoint(sql, merchantId, before.id, given, LATER)
    const same = { active: true, amount: before.amount, description: before.description }
    expect(await change(same)).toEqual({ ok: true, endpoint: before })
    expect(await change({ amount: baseUnits(7n) })).toEqual({
      ...{ ok: true, endpoint: { ...before, amount: baseUnits(7n), updatedAt: LATER } },
    })
    expect(await findEndpoint(sql, merchantId, beside.id)).toEqual(beside)
  })

  test('is refused when another one has that price already', async () => {
    const { id: merchantId } = await newShop(sql)
    const draft = anEndpointDraft()
    const { id } = await registered(merchantId, draft)
    const amount = baseUnits(draft.amount + 1n)
    await registered(merchantId, { ...draft, amount })
    const result = await changeEndpoint(sql, merchantId, id, { amount }, NOW)
    expect(result).toEqual({ ok: false, reason: 'taken' })
  })

  test('is refused for anyone else’s, and any other fault is not hidden', async () => {
    const [shop, other] = [await newShop(sql), await newShop(sql)]
    const { id } = await registered(shop.id)
    const refused = { ok: false, reason: 'not_found' } as const
    const change = { description: 'new' }
    expect(await changeEndpoint(sql, other.id, id, change, NOW)).toEqual(refused)
    expect(await changeEndpoint(sql, shop.id, newEndpointId(), change, NOW)).toEqual(refused)
    const tooLong = { description: 'x'.repeat(1_001) }
    await expect(changeEndpoint(sql, shop.id, id, tooLong, NOW)).rejects.toThrow('check constraint')
  })

  test('gives the address of its own merchant’s forwarder', async () => {
    const shops = [await newShop(sql), await newShop(sql)]
    for (const shop of shops) {
      const { id } = await registered(shop.id)
      const changed = await changeEndpoint(sql, shop.id, id, { description: 'new' }, NOW)
      expect(changed).toMatchObject({ ok: true, endpoint: { payTo: shop.forwarder } })
    }
  })
})
