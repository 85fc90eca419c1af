import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import {
  confirm,
  followChains,
  PAYER,
  paidInvoice,
  pay,
  randomHash,
  settle,
} from '../../support/api/ledger.ts'
import { newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { insertPayment, register } from '../../support/api/x402Calls.ts'

/** What the dashboard's pages about money read and keep beyond the API. */

let rig: ApiRig
let merchantId: MerchantId
let owner: SignedIn

beforeAll(async () => {
  rig = await openDashboardRig()
  merchantId = rig.merchant.merchant.id
  await followChains(rig)
  owner = await newMember(rig, 'owner')
}, 120_000)
afterAll(() => rig.close())

const get = (path: string) => owner.browser.api('GET', merchantId, path)
const rowsOf = (answer: Awaited<ReturnType<typeof get>>): Record<string, unknown>[] =>
  Object(answer.json).data

describe('settlements', () => {
  test('are listed with their invoices, the newest first, by status and by network', async () => {
    const first = await paidInvoice(rig)
    const second = await paidInvoice(rig)
    const txHash = await settle(rig, first)
    const all = rowsOf(await get('/v1/settlements'))
    expect(all.map(({ invoiceRef }) => invoiceRef)).toEqual([second.reference, first.reference])
    expect(all[1]).toMatchObject({
      ...{ status: 'confirmed', txHash, chain: 'base-sepolia', asset: 'USDC', amount: '10' },
      ...{ fee: '0.05', merchantAmount: '9.95' },
    })
    const { settleTimes } = Object((await get('/v1/overview')).json).data
    expect(settleTimes).toEqual([
      { invoiceId: first.id, invoiceRef: first.reference, seconds: expect.any(Number) },
    ])
    const confirmed = rowsOf(await get('/v1/settlements?status=confirmed'))
    expect(confirmed.map(({ invoiceId }) => invoiceId)).toEqual([first.id])
    const open = rowsOf(await get('/v1/settlements?status=open'))
    expect(open.map(({ invoiceId }) => invoiceId)).toEqual([second.id])
    expect(rowsOf(await get('/v1/settlements?network=sepolia'))).toEqual([])
    const page = await get('/v1/settlements?after=&limit=1')
    expect(rowsOf(page)).toHaveLength(1)
    const { next } = Object(page.json).metadata.pagination
    const rest = rowsOf(await get(`/v1/settlements?after=${next}&limit=1`))
    expect(rest.map(({ invoiceId }) => invoiceId)).toEqual([first.id])
  })

  test('of others are not among them', async () => {
    const { id } = (await rig.newMerchant()).merchant
    const stranger = await newMember(rig, 'owner', id)
    const found = await stranger.browser.api('GET', id, '/v1/settlements')
    expect(Object(found.json).data).toEqual([])
  })
})

describe('refunds', () => {
  test('of all kinds are listed, the newest first, by status and a page at a time', async () => {
    const list = async (query: string) => rowsOf(await get(`/v1/refunds?after=&${query}`))
    expect(await list('')).toEqual([])
    const invoice = await paidInvoice(rig)
    const paymentId = await insertPayment(rig, await register(rig), { status: 'settled' })
    const [own, sent, x402] = [1, 2, 3].map(() => Bun.randomUUIDv7())
    const chain = rig.config.chains.find(({ networkId }) => networkId === 'base-sepolia')
    const place = { network_id: 'base-sepolia', token: chain?.tokens[0]?.address }
    const common = { ...place, recipient: PAYER, amount: 2_500_000n, merchant_id: merchantId }
    const block = { tx_hash: randomHash(), block_number: 7n, block_hash: randomHash() }
    await rig.database`insert into refund ${rig.database([
      { ...common, id: own, invoice_id: invoice.id, idempotency_key: 'a', status: 'failed' },
    ])}`
    await rig.database`insert into external_refund ${rig.database([
      { ...common, ...block, id: sent, invoice_id: invoice.id, sender: PAYER, status: 'mined' },
    ])}`
    await rig.database`insert into refund ${rig.database([
      { ...common, id: x402, x402_payment_id: paymentId, idempotency_key: 'b', status: 'open' },
    ])}`
    const all = await list('')
    expect(all).toMatchObject([
      { id: x402, kind: 'x402', status: 'open', x402PaymentId: paymentId, invoiceId: null },
      { id: sent, kind: 'wallet', status: 'mined', invoiceId: invoice.id, txHash: block.tx_hash },
      { id: own, kind: 'invoice', status: 'failed', invoiceRef: invoice.reference, amount: '2.5' },
    ])
    for (const [at, status] of ['open', 'mined', 'failed'].entries()) {
      expect(await list(`status=${status}`)).toEqual(all.slice(at, at + 1))
    }
    expect(await list('status=confirmed')).toEqual([])
    const page = await get('/v1/refunds?after=&limit=2')
    expect(rowsOf(page)).toEqual(all.slice(0, 2))
    const { next } = Object(page.json).metadata.pagination
    expect(rowsOf(await get(`/v1/refunds?after=${next}&limit=2`))).toEqual(all.slice(2))
    expect(Object((await get('/v1/refunds')).json).metadata.pagination).toMatchObject({ total: 3 })
    const other = (await rig.newMerchant()).merchant.id
    const stranger = await newMember(rig, 'owner', other)
    expect(rowsOf(await stranger.browser.api('GET', other, '/v1/refunds'))).toEqual([])
    await rig.database`delete from refund where id in (${own ?? ''}, ${x402 ?? ''})`
  })
})

describe('payouts of x402', () => {
  test('are listed, the newest first', async () => {
    const { id } = (await rig.newMerchant()).merchant
    const person = await newMember(rig, 'finance', id)
    const sum = (path: string) => person.browser.api('GET', id, path)
    const [token] = await rig.database<{ token: string }[]>`
      select lower(${rig.config.chains[0]?.tokens[0]?.address ?? ''}) as token`
    for (const [block, day] of [
      [10, '2026-08-01T10:00:00Z'],
      [11, '2026-08-01T20:00:00Z'],
      [12, '2026-08-02T00:00:00Z'],
    ] as const) {
      await rig.database`
        insert into x402_distribution (id, merchant_id, network_id, token, tx_hash, log_index,
          block_number, block_hash, block_time, treasury, remitted, fee, fee_held, unattributed)
        values (${Bun.randomUUIDv7()}, ${id}, ${rig.config.chains[0]?.networkId ?? ''},
          ${token?.token ?? ''}, ${`0x${String(block).repeat(32)}`}, 1, ${block},
          ${`0x${'ab'.repeat(32)}`}, ${day}, ${`0x${'11'.repeat(20)}`}, 990000, 10000, 0, 0)`
    }
    const rows: Record<string, unknown>[] = Object((await sum('/v1/payouts')).json).data
    expect(rows.map(({ blockNumber }) => blockNumber)).toEqual([12, 11, 10])
    expect(rows[0]).toMatchObject({ amount: '1', fee: '0.01', merchantAmount: '0.99', payments: 0 })
  })
})

describe('the overview', () => {
  test('says what is held, what is under way, and what came in', async () => {
    const { merchant, secretKey } = await rig.newMerchant()
    const person = await newMember(rig, 'support', merchant.id)
    const read = async () =>
      Object((await person.browser.api('GET', merchant.id, '/v1/overview')).json).data
    expect(await read()).toMatchObject({ held: [], days: [], failedRefunds: [], open: { paid: 0 } })
    const made = await rig.call('POST', '/v1/invoices', {
      key: secretKey,
      body: { tokenSymbol: 'USDC', amountExpected: '10' },
    })
    const invoice = made.json.data
    await pay(rig, invoice, 4_000_000n)
    expect((await read()).balances).toMatchObject([{ incoming: '4', asset: 'USDC' }])
    await confirm(rig, invoice)
    const after = await read()
    expect(after.held).toMatchObject([{ invoiceId: invoice.id, amount: '4', reason: 'partial' }])
    expect(after.days).toMatchObject([{ receivedAmount: '4', payments: 1 }])
    expect(after.open).toEqual({ pending: 0, partial: 1, paid: 0, completed: 0, created: 1 })
    expect(after.networks.map(({ id }: { id: string }) => id)).toEqual(
      rig.config.chains.map(({ networkId }) => networkId),
    )
  })

  test('names invoices that were overpaid, by what was not refunded', async () => {
    const { merchant, secretKey } = await rig.newMerchant()
    const person = await newMember(rig, 'support', merchant.id)
    const made = await rig.call('POST', '/v1/invoices', {
      key: secretKey,
      body: { tokenSymbol: 'USDC', amountExpected: '10' },
    })
    const { id, reference } = made.json.data
    await pay(rig, { id }, 12_500_000n)
    await confirm(rig, { id })
    const read = async () =>
      Object((await person.browser.api('GET', merchant.id, '/v1/overview')).json).data.overpaid
    expect(await read()).toMatchObject([{ id, reference, tokenSymbol: 'USDC', amount: '2.5' }])
    const back = (amount: bigint, status: string) => rig.database`
      insert into external_refund ${rig.database([
        {
          ...{ id: Bun.randomUUIDv7(), invoice_id: id, network_id: 'base-sepolia', amount, status },
          ...{ token: PAYER, sender: PAYER, recipient: PAYER, tx_hash: randomHash() },
          ...{ block_number: 7n, block_hash: randomHash() },
        },
      ])}`
    await back(1_000_000n, 'mined')
    await back(1_500_000n, 'failed')
    expect(await read()).toMatchObject([{ amount: '1.5' }])
    await back(1_500_000n, 'mined')
    expect(await read()).toEqual([])
  })

  test('names refunds that failed, and endpoints that were switched off for failing', async () => {
    const invoice = await paidInvoice(rig)
    await rig.database`
      insert into refund (id, invoice_id, network_id, token, recipient, amount, status,
        idempotency_key, error)
      select ${Bun.randomUUIDv7()}, ${invoice.id}, network_id, token, recipient, 5, 'failed', 'k', 'x'
      from settlement where invoice_id = ${invoice.id} limit 1`
    await rig.database`
      insert into webhook_endpoint (id, merchant_id, url, secret, active, disabled_reason, disabled_at)
      values (${Bun.randomUUIDv7()}, ${merchantId}, 'https://shop.example/hook', 's', false, 'gone',
        now())`
    const { data } = (await get('/v1/overview')).json
    expect(Object(data).failedRefunds).toMatchObject([{ invoiceRef: invoice.reference }])
    expect(Object(data).brokenEndpoints).toMatchObject([
      { url: 'https://shop.example/hook', active: false },
    ])
  })
})

describe('saved views', () => {
  const save = (person: SignedIn, name: string, query = 'status=partial') =>
    person.browser.api('POST', merchantId, '/v1/views', { name, query })

  test('are of the user who saved them, and replaced by their name', async () => {
    expect((await save(owner, '  Part paid ')).status).toBe(200)
    expect((await save(owner, 'Part paid', 'status=paid')).status).toBe(200)
    const mine = rowsOf(await get('/v1/views'))
    expect(mine).toMatchObject([{ name: 'Part paid', query: 'status=paid' }])
    const other = await newMember(rig, 'owner')
    const theirs = await other.browser.api('GET', merchantId, '/v1/views')
    expect(Object(theirs.json).data).toEqual([])
    const id = String(mine[0]?.id)
    const stolen = await other.browser.api('DELETE', merchantId, `/v1/views/${id}`)
    expect(stolen.status).toBe(404)
    const removed = await owner.browser.api('DELETE', merchantId, `/v1/views/${id}`)
    expect(removed.status).toBe(200)
    expect(rowsOf(await get('/v1/views'))).toEqual([])
  })

  test('are twenty at most, with names and queries of bounded length', async () => {
    const person = await newMember(rig, 'support')
    for (let n = 0; n < 20; n++) expect((await save(person, `View ${n}`)).status).toBe(200)
    const over = await save(person, 'One more')
    expect(over).toMatchObject({ status: 400, json: { code: 'invalid_request_body' } })
    expect((await save(person, 'View 3', 'status=paid')).status).toBe(200)
    for (const [name, query] of [
      ['', 'x'],
      ['n'.repeat(61), 'x'],
      ['n', 'q'.repeat(1_001)],
    ] as const) {
      expect((await save(owner, name, query)).status).toBe(400)
    }
  })
})

test('what is held of one invoice is found by its id', async () => {
  const invoices = [await rig.create(), await rig.create()] as const
  for (const invoice of invoices) {
    await pay(rig, invoice, 1_000_000n)
    await confirm(rig, invoice)
  }
  const rows = rowsOf(await get(`/v1/recoveries?invoiceId=${invoices[1].id}&after=`))
  expect(rows.map(({ invoiceId }) => invoiceId)).toEqual([invoices[1].id])
})
