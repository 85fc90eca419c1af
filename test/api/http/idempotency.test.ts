import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { canonicalJson } from '../../../api/request/json.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { removeOldKeys } from '../../../store/access/idempotency.ts'
import { expectDetail, expectError } from '../../support/api/answers.ts'
import { confirm, followChains, PAYER, pay } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { openTransaction } from '../../support/store/database.ts'

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
})
afterAll(() => rig.close())

const INVOICE = { tokenSymbol: 'USDC', amountExpected: '10' }

async function ownMerchant() {
  const { secretKey: key, merchant } = await rig.newMerchant()
  const counted = async (
    table: 'invoice' | 'idempotency_key' | 'refund' | 'price' | 'payment_link',
  ) => {
    const [row] = await rig.database<{ rows: number }[]>`
      select count(*)::integer as rows from ${rig.database(table)} where merchant_id = ${merchant.id}`
    return row?.rows
  }
  return {
    id: merchant.id,
    counted,
    post: (idempotencyKey: string, body: unknown = INVOICE, path = '/v1/invoices') =>
      rig.call('POST', path, { key, body, headers: { 'idempotency-key': idempotencyKey } }),
    /** Forgets the answer of a request, as if its process had ended before it could keep it. */
    async crash(idempotencyKey: string, isLong: boolean) {
      await rig.database`
        update idempotency_key set status = null, answer = null,
          leased_until = now() + ${isLong ? '-1 second' : '1 minute'}::interval
        where merchant_id = ${merchant.id} and key = ${idempotencyKey}`
    },
    async age(interval: string) {
      await rig.database`
        update idempotency_key set created_at = now() - ${interval}::interval
        where merchant_id = ${merchant.id}`
    },
  }
}

describe('a request with an Idempotency-Key', () => {
  test('is carried out once, and answered the same again', async () => {
    const { post, counted } = await ownMerchant()
    const first = await post('a')
    const again = await post('a')
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
    const replayed = [first, again].map(({ headers }) => headers.get('idempotency-replayed'))
    expect(replayed).toEqual([null, 'true'])
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect((await post('b')).json.data.id).not.toBe(first.json.data.id)
    expect(await counted('invoice')).toBe(2)
  })

  test('is refused when it is another one than before', async () => {
    const { post, counted } = await ownMerchant()
    const { data } = (await post('a')).json
    expectError(
      await post('a', { ...INVOICE, amountExpected: '11' }),
      409,
      'idempotency key conflict',
    )
    const refund = await post('a', INVOICE, `/v1/invoices/${data.id}/refunds`)
    expectError(refund, 409, 'idempotency key conflict')
    expect(await counted('invoice')).toBe(1)
  })

  test('is the same with another form of the same JSON value, and another one with another value', async () => {
    const { post, counted } = await ownMerchant()
    const metadata = { a: 1, b: { c: [1, 2], d: 'é' } }
    const first = await post('a', { ...INVOICE, amountExpected: 10, metadata })
    const forms = [
      '{"metadata":{"b":{"d":"é","c":[1,2]},"a":1},"amountExpected":10,"tokenSymbol":"USDC"}',
      ' {\n"tokenSymbol" : "\\u0055SDC", "amountExpected":1.0e1,\t"metadata":{"a":1.00,"b":{"c":[1,2e0],"d":"\\u00e9"}}}\r\n',
    ]
    for (const form of forms) {
      const again = await post('a', form)
      expect([again.status, again.text]).toEqual([201, first.text])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
    const others = [
      { amountExpected: '10', metadata },
      { amountExpected: 10, metadata: { ...metadata, b: { c: [2, 1], d: 'é' } } },
      { amountExpected: 10, metadata: { ...metadata, e: null } },
      { amountExpected: 10, metadata: { ...metadata, a: '1' } },
    ]
    for (const other of others) {
      const refused = await post('a', { tokenSymbol: 'USDC', ...other })
      expectError(refused, 409, 'idempotency key conflict')
    }
    expect(await counted('invoice')).toBe(1)
  })

  test('is not the same when its numbers only become the same by losing digits', async () => {
    const { post } = await ownMerchant()
    await post('a', { ...INVOICE, metadata: { n: 0.1 } })
    const longer =
      '{"tokenSymbol":"USDC","amountExpected":"10","metadata":{"n":0.1000000000000000055}}'
    expectError(await post('a', longer), 400, 'invalid request body')
  })

  test('is refused while it is being carried out', async () => {
    const { post, counted } = await ownMerchant()
    const { commit } = await openTransaction(rig.database, (sql) => {
      return sql`lock table invoice in exclusive mode`
    })
    const first = post('a')
    while ((await counted('idempotency_key')) === 0) await Bun.sleep(5)
    const second = await post('a')
    expectError(second, 409, 'idempotency key in flight')
    expect(second.headers.get('retry-after')).toBe('1')
    await commit()
    expect((await first).status).toBe(201)
    expect((await post('a')).text).toBe((await first).text)
    expect(await counted('invoice')).toBe(1)
  })

  test('makes one of many that arrive together', async () => {
    const { post, counted } = await ownMerchant()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('a')))
    const kinds = new Set(answers.map(({ status, json }) => `${status} ${json.error ?? ''}`))
    kinds.delete('409 idempotency key in flight')
    expect([...kinds]).toEqual(['201 '])
    expect(await counted('invoice')).toBe(1)
  })

  test('that was refused may come again, mended', async () => {
    const { post, counted } = await ownMerchant()
    expect((await post('a', { ...INVOICE, amountExpected: '0' })).status).toBe(400)
    expect((await post('a', '{')).status).toBe(400)
    expect((await post('a')).status).toBe(201)
    expect(await counted('invoice')).toBe(1)
  })

  test('makes one price, and one link to it, also when a process ended in between', async () => {
    const { post, counted, crash } = await ownMerchant()
    const price = { amount: '5', tokens: ['USDC'] }
    const made = await post('price', price, '/v1/prices')
    const link = { price: made.json.data.id }
    const linked = await post('link', link, '/v1/payment-links')
    await crash('price', true)
    await crash('link', true)
    expect((await post('price', price, '/v1/prices')).json.data).toEqual(made.json.data)
    expect((await post('link', link, '/v1/payment-links')).json.data).toEqual(linked.json.data)
    expect([await counted('price'), await counted('payment_link')]).toEqual([1, 1])
  })

  test('is its merchant’s alone', async () => {
    const [one, other] = [await ownMerchant(), await ownMerchant()]
    const first = await one.post('a')
    expect((await other.post('a')).json.data.id).not.toBe(first.json.data.id)
  })

  test('is decided by its externalRef where it has one', async () => {
    const { post, counted } = await ownMerchant()
    const first = await post('a', { ...INVOICE, externalRef: 'one' })
    const again = await post('b', { ...INVOICE, externalRef: 'one' })
    const other = await post('a', { ...INVOICE, externalRef: 'two' })
    expect([first.status, again.status, other.status]).toEqual([201, 200, 201])
    expect(again.json.data.id).toBe(first.json.data.id)
    expect(await counted('idempotency_key')).toBe(0)
    // Null is the same as leaving it out.
    expect((await post('c', { ...INVOICE, metadata: {} })).status).toBe(201)
    expect(await counted('idempotency_key')).toBe(1)
  })

  test('needs one of 1 to 255 characters', async () => {
    const { post } = await ownMerchant()
    expect((await post('x'.repeat(255))).status).toBe(201)
    for (const key of ['', 'x'.repeat(256)]) {
      expectDetail(await post(key), 'invalid request body', 'Idempotency-Key', '1 to 255')
    }
  })

  test('is forgotten after 24 hours', async () => {
    const { post, counted, age } = await ownMerchant()
    const first = await post('a')
    await age('23 hours 59 minutes')
    while ((await removeOldKeys(rig.database, 10)) > 0);
    expect((await post('a')).text).toBe(first.text)
    await age('24 hours 1 minute')
    const second = await post('a', { ...INVOICE, amountExpected: '11' })
    expect(second.status).toBe(201)
    expect(await counted('invoice')).toBe(2)
    await age('24 hours 1 minute')
    while ((await removeOldKeys(rig.database, 10)) > 0);
    expect(await counted('idempotency_key')).toBe(0)
  })
})

describe('a request whose process ended before its answer was kept', () => {
  test('finds what was created, once its lease is over', async () => {
    const { post, counted, crash } = await ownMerchant()
    const first = await post('a')
    await crash('a', false)
    expectError(await post('a'), 409, 'idempotency key in flight')
    await crash('a', true)
    const again = await post('a')
    expect({ status: again.status, id: again.json.data.id }).toEqual({
      status: 201,
      id: first.json.data.id,
    })
    expect((await post('a')).headers.get('idempotency-replayed')).toBe('true')
    expect(await counted('invoice')).toBe(1)
  })

  test('is carried out when nothing was created', async () => {
    const { post, counted, id: merchantId } = await ownMerchant()
    const request = `POST /v1/invoices\n${canonicalJson(INVOICE)}`
    const hash = new Bun.CryptoHasher('sha256').update(request).digest()
    const objectId = Bun.randomUUIDv7()
    await rig.database`
      insert into idempotency_key (merchant_id, key, request_hash, object_id, owner, leased_until)
      values (${merchantId}, 'a', ${hash}, ${objectId}, gen_random_uuid(), now() - interval '1 second')`
    const made = await post('a')
    expect([made.status, String(made.json.data.id)]).toEqual([201, objectId])
    expect((await post('a')).text).toBe(made.text)
    expect(await counted('invoice')).toBe(1)
  })
})

test('a refund is asked for once', async () => {
  const { post, counted } = await ownMerchant()
  const invoice: InvoiceJson = (await post('invoice')).json.data
  await pay(rig, invoice, 10_000_000n, { blockTime: new Date(Date.now() - 1_000) })
  await confirm(rig, invoice)
  await pay(rig, invoice, 4_000_000n)
  await confirm(rig, invoice)
  const path = `/v1/invoices/${invoice.id}/refunds`
  const body = { amount: '1', address: PAYER, idempotencyKey: 'one' }
  const first = await post('a', body, path)
  const again = await post('a', body, path)
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
  expect(await counted('refund')).toBe(1)
})

test('without a key nothing is kept, and where keys mean nothing they are ignored', async () => {
  const { post, counted } = await ownMerchant()
  const invoice = (await post('a')).json.data
  const ended = await post('a', undefined, `/v1/invoices/${invoice.id}/expire`)
  expect(ended.status).toBe(400)
  expect(await counted('idempotency_key')).toBe(1)
  await rig.create()
  const [row] = await rig.database<{ rows: number }[]>`
    select count(*)::integer as rows from idempotency_key where merchant_id = ${rig.merchant.merchant.id}`
  expect(row?.rows).toBe(0)
})
