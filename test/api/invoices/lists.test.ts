import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { expectDetail } from '../answers.ts'
import { confirm, followChains, pay, settle } from '../ledger.ts'
import { type ApiRig, openRig } from '../rig.ts'

let rig: ApiRig
/** The oldest first. */
const invoices: InvoiceJson[] = []

beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
  for (let i = 0; i < 25; i++) {
    rig.setClock(new Date(Date.UTC(2026, 0, 1, 0, i)))
    invoices.push(await rig.create({ externalRef: `order-${i}` }))
  }
  rig.setClock(null)
})
afterAll(() => rig.close())

async function list(query: string) {
  const answer = await rig.call('GET', `/v1/invoices${query}`)
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
  const { data } = answer.list
  return { refs: data.map(({ externalRef }) => externalRef), data, answer }
}

async function pagination(query: string) {
  return (await list(query)).answer.list.metadata.pagination
}

function orders(...numbers: number[]): string[] {
  return numbers.map((number) => `order-${number}`)
}

describe('paging', () => {
  test('shows 20 invoices by default, the newest first, in the envelope of a list', async () => {
    const { refs, answer } = await list('')
    expect(refs).toEqual(orders(...Array.from({ length: 20 }, (_, i) => 24 - i)))
    expect(answer.json.success).toBe(true)
    expect(answer.list.metadata).toEqual({
      pagination: { page: 1, limit: 20, total: 25, totalPages: 2 },
    })
  })

  test('orders invoices of the same moment by id, so that no page repeats one', async () => {
    const other = await openRig()
    other.setClock(new Date('2026-02-02T00:00:00Z'))
    const ids = (await Promise.all(Array.from({ length: 7 }, () => other.create()))).map(
      (i) => i.id,
    )
    const seen: string[] = []
    for (let page = 1; page <= 4; page++) {
      const answer = await other.call('GET', `/v1/invoices?limit=2&page=${page}`)
      const { data } = answer.list
      seen.push(...data.map(({ id }) => id))
    }
    expect(seen).toEqual(ids.sort().reverse())
    await other.close()
  })

  test('page and limit choose a page', async () => {
    expect((await list('?limit=3&page=2')).refs).toEqual(orders(21, 20, 19))
    expect(await pagination('?limit=3&page=2')).toEqual({
      page: 2,
      limit: 3,
      total: 25,
      totalPages: 9,
    })
  })

  test('the last page holds what is left', async () => {
    expect((await list('?limit=10&page=3')).refs).toEqual(orders(4, 3, 2, 1, 0))
  })

  test('a page past the end is empty and no error', async () => {
    expect((await list('?page=99')).refs).toEqual([])
    expect(await pagination('?page=99')).toEqual({ page: 99, limit: 20, total: 25, totalPages: 2 })
    expect((await list('?page=1000000000000')).refs).toEqual([])
  })

  test('offset skips invoices, and the page shown is floor(offset / limit) + 1', async () => {
    expect((await list('?limit=3&offset=4')).refs).toEqual(orders(20, 19, 18))
    expect((await pagination('?limit=3&offset=4')).page).toBe(2)
    expect((await pagination('?limit=3&offset=0')).page).toBe(1)
    expect((await list('?offset=25')).refs).toEqual([])
  })

  test('limit may be 1 to 100', async () => {
    expect((await list('?limit=1')).refs).toEqual(orders(24))
    expect((await list('?limit=100')).refs).toHaveLength(25)
  })

  test('of nothing has no pages', async () => {
    const { secretKey } = await rig.newMerchant()
    const answer = await rig.call('GET', '/v1/invoices', { key: secretKey })
    expect(answer.list).toEqual({
      success: true,
      data: [],
      metadata: { pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } },
    })
  })
})

describe('400 "invalid query parameters"', () => {
  test('page and offset exclude each other', async () => {
    const answer = await rig.call('GET', '/v1/invoices?page=1&offset=0')
    expectDetail(answer, 'invalid query parameters', 'offset', 'excludes page')
  })

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['limit', ''],
    ['limit', '-1'],
    ['limit', '1e1'],
    ['page', '0'],
    ['page', 'two'],
    ['page', '9999999999999999999'],
    ['offset', '-1'],
    ['status', 'open'],
    ['status', 'PAID'],
    ['expired', 'yes'],
    ['externalRef', ''],
    ['externalRef', 'x'.repeat(256)],
    ['externalRef', '%00'],
    ['reference', ''],
    ['createdFrom', 'yesterday'],
    ['createdFrom', '2026-01-01'],
    ['createdTo', '2026-02-30T00:00:00Z'],
    ['statuses', 'paid'],
  ])('for %s=%s', async (name, value) => {
    const answer = await rig.call('GET', `/v1/invoices?${name}=${value}`)
    expectDetail(answer, 'invalid query parameters', name)
  })

  test('for a parameter that is given twice', async () => {
    const answer = await rig.call('GET', '/v1/invoices?status=paid&status=partial')
    expectDetail(answer, 'invalid query parameters', 'status', 'once')
  })
})

describe('the filter', () => {
  test('status shows invoices with one status only', async () => {
    const other = await openRig()
    await followChains(other)
    const [, partial, paid, completed] = [
      await other.create(),
      await other.create(),
      await other.create(),
      await other.create(),
    ]
    await pay(other, partial, 1n)
    for (const invoice of [paid, completed]) await pay(other, invoice, 10_000_000n)
    for (const invoice of [partial, paid, completed]) await confirm(other, invoice)
    await settle(other, completed)
    for (const status of ['pending', 'partial', 'paid', 'completed']) {
      const answer = await other.call('GET', `/v1/invoices?status=${status}`)
      expect(answer.list.data).toMatchObject([{ status }])
      expect(answer.list.metadata.pagination.total).toBe(1)
    }
    await other.close()
  })

  test('externalRef shows the invoice with exactly this reference', async () => {
    expect((await list('?externalRef=order-2')).refs).toEqual(orders(2))
    expect((await list('?externalRef=order')).refs).toEqual([])
  })

  test('reference shows the invoice with exactly this reference of ours', async () => {
    const wanted = invoices[7]
    expect((await list(`?reference=${wanted?.reference}`)).refs).toEqual(orders(7))
    expect((await list('?reference=ZZZZZZZZZZ')).refs).toEqual([])
  })

  test('createdFrom and createdTo show a range with both of its ends', async () => {
    const range = '?createdFrom=2026-01-01T00:03:00Z&createdTo=2026-01-01T01:05:00%2B01:00'
    expect((await list(range)).refs).toEqual(orders(5, 4, 3))
  })

  test('expired shows invoices past their time and not paid, or all others', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const { secretKey } = await rig.newMerchant()
    const create = async (body: object) => {
      const full = { tokenSymbol: 'USDC', amountExpected: 10, ...body }
      const answer = await rig.call('POST', '/v1/invoices', { key: secretKey, body: full })
      const invoice: InvoiceJson = answer.json.data
      return invoice
    }
    const lapsed = await create({ expiresAt })
    const paid = await create({ expiresAt })
    const open = await create({})
    await pay(rig, paid, 10_000_000n)
    await confirm(rig, paid)
    rig.setClock(new Date(Date.now() + 120_000))
    const ids = async (query: string) => {
      const answer = await rig.call('GET', `/v1/invoices?expired=${query}`, { key: secretKey })
      const { data } = answer.list
      return data.map(({ id }) => id)
    }
    expect(await ids('true')).toEqual([lapsed.id])
    expect(await ids('false')).toEqual([open.id, paid.id])
    rig.setClock(null)
  })

  test('filters combine, and paging counts what they leave', async () => {
    const query = '?status=pending&createdFrom=2026-01-01T00:20:00Z&limit=2'
    expect((await list(query)).refs).toEqual(orders(24, 23))
    expect(await pagination(query)).toEqual({ page: 1, limit: 2, total: 5, totalPages: 3 })
  })

  test("never shows another merchant's invoice", async () => {
    const { secretKey } = await rig.newMerchant()
    const answer = await rig.call('GET', '/v1/invoices?externalRef=order-2', { key: secretKey })
    expect(answer.list.data).toEqual([])
  })
})
