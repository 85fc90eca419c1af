import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { USDC } from '../../../api/request/examples.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { expectDetail } from '../../support/api/answers.ts'
import { confirm, followChains, pay, randomHash, settle } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { fanOut } from '../../support/api/webhookCalls.ts'

const OTHER = lowerCaseAddress('0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc')
const inAMinute = () => new Date(Date.now() + 60_000).toISOString()

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

describe('paging by cursor', () => {
  const walk = async (path: string, key: string, from = 'after=') => {
    const ids: string[] = []
    for (let query = from; ; ) {
      const answer = await rig.call('GET', `${path}?limit=2&${query}`, { key })
      const { data, metadata } = JSON.parse(answer.text)
      const { limit, next, previous, ...others } = metadata.pagination
      expect({ limit, others }).toEqual({ limit: 2, others: {} })
      ids.push(
        ...data.map(({ id, invoiceId }: { id?: string; invoiceId: string }) => id ?? invoiceId),
      )
      const way: string | null = from === 'after=' ? next : previous
      if (way === null) return ids
      query = `${from}${way}`
    }
  }

  test('goes on from the last element of a page, and back from its first', async () => {
    const first = await rig.call('GET', '/v1/invoices?limit=3&after=')
    const { next, previous } = JSON.parse(first.text).metadata.pagination
    expect({ next, previous }).toEqual({ next: expect.any(String), previous: null })
    const second = await list(`?limit=3&after=${next}`)
    expect(second.refs).toEqual(orders(21, 20, 19))
    const back = JSON.parse(second.answer.text).metadata.pagination.previous
    expect((await list(`?limit=3&before=${back}`)).refs).toEqual(orders(24, 23, 22))
    expect((await list('?limit=3&before=')).refs).toEqual(orders(2, 1, 0))
    expect((await list(`?limit=3&status=completed&after=${next}`)).refs).toEqual([])
  })

  test('shows every list whole, from either end', async () => {
    const { merchant, secretKey } = await rig.newMerchant()
    const of = merchant.id
    for (let n = 0; n < 5; n++) {
      const body = { tokenSymbol: 'USDC', amountExpected: 10, expiresAt: inAMinute() }
      const created = await rig.call('POST', '/v1/invoices', { key: secretKey, body })
      // Held twice: late, and what was paid in part before the end.
      await pay(rig, created.json.data, 1_000_000n, { blockTime: new Date(Date.now() + 120_000) })
      await pay(rig, created.json.data, 2_000_000n)
      await confirm(rig, created.json.data)
      await rig.call('POST', '/v1/webhooks/endpoints', {
        key: secretKey,
        body: { url: `https://example.com/${n}`, eventTypes: ['invoice.created'] },
      })
      await rig.call('POST', '/v1/x402/endpoints', {
        key: secretKey,
        body: {
          ...{ endpointUrl: `https://example.com/${n}`, description: '', asset: 'USDC' },
          ...{ network: 'eip155:84532', amountUsd: 1 },
        },
      })
    }
    await rig.database`
      insert into x402_payment (id, merchant_id, network_id, asset, payer, authorization_nonce,
        pay_to, amount, valid_after, valid_before, signature, is_wallet, claimed_block, created_at)
      select gen_random_uuid(), ${of}, 'base-sepolia', ${USDC.toLowerCase()}, ${OTHER},
        '0x' || md5(${of}::text) || md5(n::text), ${OTHER}, 1, 0, 1, '0x', false, 1,
        now() + (n / 2) * interval '1 microsecond'
      from generate_series(1, 5) n`
    await fanOut(rig)
    rig.setClock(new Date(Date.now() + 300_000))
    for (const path of [
      ...['/v1/invoices', '/v1/recoveries', '/v1/x402/payments', '/v1/x402/endpoints'],
      ...['/v1/webhooks/endpoints', '/v1/webhooks/deliveries'],
    ]) {
      const answer = await rig.call('GET', `${path}?limit=100`, { key: secretKey })
      expect({ path, status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
      const whole = JSON.parse(answer.text).data.map(
        ({ id, invoiceId }: { id?: string; invoiceId: string }) => id ?? invoiceId,
      )
      expect(whole.length).toBeGreaterThanOrEqual(5)
      expect({ path, ids: await walk(path, secretKey) }).toEqual({ path, ids: whole })
      const backwards = await walk(path, secretKey, 'before=')
      expect({ path, ids: backwards.toSorted() }).toEqual({ path, ids: whole.toSorted() })
    }
    rig.setClock(null)
  })
})

describe('400 "invalid query parameters"', () => {
  test('page and offset exclude each other', async () => {
    const answer = await rig.call('GET', '/v1/invoices?page=1&offset=0')
    expectDetail(answer, 'invalid query parameters', 'offset', "can't be combined with page")
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
    ['after', 'order-1'],
    ['before', 'MTIz'],
    ['amountFrom', '-1'],
    ['amountTo', '0.0000001'],
    ['paidFrom', 'today'],
    ['tokenSymbol', 'DAI'],
    ['payer', '0x12'],
    ['txHash', '0x12'],
    ['metadata', 'c-77'],
    ['status.of', 'paid'],
  ])('for %s=%s', async (name, value) => {
    const answer = await rig.call('GET', `/v1/invoices?${name}=${value}`)
    expectDetail(answer, 'invalid query parameters', name)
  })

  test.each([
    ['page=1&after=', 'after', "can't be combined with page"],
    ['after=&before=', 'before', "can't be combined with after"],
    ['offset=2&before=', 'before', "can't be combined with offset"],
    ['metadata.a=1&metadata.b=2', 'metadata.b', 'one key only'],
  ])('for %s', async (query, name, message) => {
    const answer = await rig.call('GET', `/v1/invoices?${query}`)
    expectDetail(answer, 'invalid query parameters', name, message)
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

  test('payer and txHash show what someone paid, and what a transaction paid', async () => {
    const { secretKey } = await rig.newMerchant()
    const created: InvoiceJson[] = []
    for (const amount of ['1', '2', '3']) {
      const body = {
        tokenSymbol: 'USDC',
        amountExpected: amount,
        metadata: { cart: `c-${amount}` },
      }
      const answer = await rig.call('POST', '/v1/invoices', { key: secretKey, body })
      created.push(answer.json.data)
    }
    const [one, two, three] = created
    if (!one || !two || !three) throw new Error('there are three')
    const { txHash } = await pay(rig, one, 1_000_000n, { sender: OTHER })
    await pay(rig, two, 1_000_000n, { sender: OTHER, txHash })
    await pay(rig, two, 1n, { sender: OTHER })
    await pay(rig, three, 1n)
    for (const invoice of created) await confirm(rig, invoice)
    const ids = async (query: string) => {
      const answer = await rig.call('GET', `/v1/invoices?${query}`, { key: secretKey })
      const { data, metadata } = answer.list
      expect({ query, total: metadata?.pagination.total }).toEqual({ query, total: data?.length })
      return data.map(({ amountExpected }) => amountExpected)
    }
    expect(await ids(`payer=${OTHER}`)).toEqual(['2', '1'])
    expect(await ids(`payer=${OTHER.toUpperCase().replace('X', 'x')}&status=paid`)).toEqual(['1'])
    expect(await ids(`txHash=${txHash}`)).toEqual(['2', '1'])
    expect(await ids(`txHash=${txHash}&amountFrom=1.5`)).toEqual(['2'])
    expect(await ids(`txHash=${randomHash()}`)).toEqual([])
    expect(await ids('metadata.cart=c-2')).toEqual(['2'])
    expect(await ids('metadata%5Bcart%5D=c-3')).toEqual(['3'])
    expect(await ids('metadata.Cart=c-3')).toEqual([])
    expect(await ids('amountFrom=2')).toEqual(['3', '2'])
    expect(await ids('amountTo=2&tokenSymbol=USDC')).toEqual(['2', '1'])
    expect(await ids('tokenSymbol=USDT')).toEqual([])
    expect(await ids('paidFrom=2026-01-01T00:00:00Z')).toEqual(['1'])
    expect(await ids('paidTo=2026-01-01T00:00:00Z')).toEqual([])
    const foreign = await rig.call('GET', `/v1/invoices?payer=${OTHER}`)
    expect(foreign.list.data).toEqual([])
    const others = await rig.call('GET', `/v1/invoices?txHash=${txHash}`)
    expect(others.list.data).toEqual([])
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
