import { expect, test } from 'bun:test'
import { asX402PaymentId, type X402PaymentId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  findStatus,
  listPayments,
  type PaymentFilter,
  readPayment,
  readPayments,
} from '../../../store/x402/payments.ts'
import { forThisFile, newAddress, newHash, newNetwork } from '../../support/store/database.ts'
import {
  aClaim,
  changePayment,
  failPayment,
  newEndpointId,
  newShop,
  pending,
  settled,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const UNKNOWN = asX402PaymentId('00000000-0000-7000-8000-000000000001')
const NOON = new Date('2026-06-01T12:00:00Z')
const after = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000)

test('payments are read by their ids, and no others', async () => {
  const shop = await newShop(sql)
  const ids = [await pending(sql, aClaim(shop)), await settled(sql, aClaim(shop))]
  await pending(sql, aClaim(shop))
  const read = await readPayments(sql, [...ids, UNKNOWN])
  expect(read.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(await readPayments(sql, [])).toEqual([])
  expect(await readPayment(sql, UNKNOWN)).toBeNull()
})

test('a merchant’s payments are listed by every filter, the newest first', async () => {
  const shop = await newShop(sql)
  await pending(sql, aClaim(await newShop(sql)))
  const at = async (seconds: number, id: Promise<X402PaymentId>) => {
    await changePayment(sql, await id, { created_at: after(seconds) })
    return id
  }
  const [endpointId, payer, networkId] = [newEndpointId(), newAddress(), newNetwork()]
  const special = aClaim(shop, { endpointId, networkId, from: payer })
  const first = await at(0, pending(sql, aClaim(shop)))
  const second = await at(1, settled(sql, special))
  const third = await at(1, pending(sql, aClaim(shop)))
  const last = await at(2, pending(sql, aClaim(shop)))
  await failPayment(sql, first)
  const list = async (filter: PaymentFilter = {}, limit = 10, offset = 0n) => {
    const { elements: payments, total } = await listPayments(sql, shop.id, filter, {
      limit,
      offset,
    })
    return { ids: payments.map(({ id }) => id), total }
  }
  expect(await list()).toEqual({ ids: [last, third, second, first], total: 4 })
  expect(await list({}, 2, 1n)).toEqual({ ids: [third, second], total: 4 })
  const authorizationNonce = special.authorization.nonce
  const filters = [{ status: 'settled' }, { endpointId }, { payer }, { networkId }] as const
  for (const filter of [...filters, { authorizationNonce }]) {
    expect(await list(filter)).toEqual({ ids: [second], total: 1 })
  }
  expect((await list({ createdFrom: after(1) })).ids).toEqual([last, third, second])
  expect((await list({ createdTo: after(1) })).ids).toEqual([third, second, first])
  expect((await list({ createdFrom: after(1), createdTo: after(1) })).total).toBe(2)
})

test('the newest payment by a nonce is found, of those that are asked for', async () => {
  const [shop, other] = [await newShop(sql), await newShop(sql)]
  const nonce = newHash()
  const [endpointId, from, networkId] = [newEndpointId(), newAddress(), newNetwork()]
  const wanted = aClaim(shop, { nonce, endpointId, from, networkId, value: 7n })
  const id = await pending(sql, wanted)
  await changePayment(sql, id, { created_at: NOON })
  const newest = await pending(sql, aClaim(other, { nonce }))
  await changePayment(sql, newest, { created_at: after(1) })
  await pending(sql, aClaim(shop))
  const find = async (query: Partial<Parameters<typeof findStatus>[1]> = {}) =>
    (await findStatus(sql, { authorizationNonce: nonce, ...query }))?.id ?? null
  expect(await find()).toBe(newest)
  const amount = baseUnits(7n)
  for (const query of [
    ...[{ payer: from }, { networkId }, { endpointId }, { amount }, { merchantId: shop.id }],
  ]) {
    expect(await find(query)).toBe(id)
  }
  expect(await find({ authorizationNonce: newHash() })).toBeNull()
})
