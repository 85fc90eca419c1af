import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../../api/app.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import { REPORT_COLUMNS } from '../../../core/invoice/report.ts'
import { confirm, followChains, PAYER, pay, randomHash, settle } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { beginsOnOneDay } from '../../support/clock.ts'

/** One million shows that memory doesn't grow with the report: REPORT_ROWS=1000000. */
const ROWS = Number(process.env.REPORT_ROWS ?? 20_000)
const PAYMENTS_PER_INVOICE = 10
const MEMORY_BOUND = 200 * 1024 * 1024

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
})
afterAll(() => rig.close())

type Line = Record<(typeof REPORT_COLUMNS)[number], string>

/** Enough for lines without quotes. */
function linesOf(csv: string): Line[] {
  const [header, ...lines] = csv.trimEnd().split('\r\n')
  expect(header).toBe(REPORT_COLUMNS.join(','))
  return lines.map((line) => {
    const cells = line.split(',')
    const entries = REPORT_COLUMNS.map((column, i) => [column, cells[i] ?? ''] as const)
    return Object.fromEntries(entries) as Line
  })
}

async function report(key: string, query = ''): Promise<Line[]> {
  const answer = await rig.call('GET', `/v1/reports/transactions.csv${query}`, { key })
  expect(answer.status).toBe(200)
  return linesOf(answer.text)
}

async function ownMerchant() {
  const { secretKey: key, merchant } = await rig.newMerchant()
  const create = async (body: Readonly<Record<string, unknown>> = {}) => {
    const full = { tokenSymbol: 'USDC', amountExpected: '10', ...body }
    return (await rig.call('POST', '/v1/invoices', { key, body: full })).json.data
  }
  return { key, merchant, create }
}

describe('the report of transactions', () => {
  test('has a line for each payment and settlement, and adds up', async () => {
    const { key, create } = await ownMerchant()
    const invoice = await create({ externalRef: 'order-1' })
    await pay(rig, invoice, 4_000_000n)
    await pay(rig, invoice, 8_000_000n, { blockHash: randomHash() })
    await confirm(rig, invoice)
    const txHash = await settle(rig, invoice)
    const lines = await report(key)
    expect(lines).toMatchObject([
      { type: 'payment', amount: '4', fee: '0.02', net: '3.98', status: 'confirmed' },
      { type: 'payment', amount: '8', fee: '0.03', net: '7.97' },
      { type: 'settlement', amount: '12', fee: '0.05', net: '11.95', txHash },
    ])
    for (const line of lines) {
      expect(line).toMatchObject({
        invoiceReference: invoice.reference,
        externalRef: 'order-1',
        invoiceId: invoice.id,
        chain: 'base-sepolia',
        asset: 'USDC',
      })
      expect(Date.parse(line.createdAt)).toBeLessThanOrEqual(Date.parse(line.confirmedAt))
    }
  })

  test('has late payments, other deposits and refunds too', async () => {
    const { key, create } = await ownMerchant()
    const invoice = await create()
    await pay(rig, invoice, 4_000_000n)
    await confirm(rig, invoice)
    const body = { amount: '1', address: PAYER, idempotencyKey: 'one' }
    await rig.call('POST', `/v1/invoices/${invoice.id}/refunds`, { key, body })
    const late = await create({ expiresAt: new Date(Date.now() + 30_000).toISOString() })
    await pay(rig, late, 2n, { blockTime: new Date(Date.now() + 60_000) })
    expect(await report(key)).toMatchObject([
      { type: 'payment', amount: '4', net: '2.985' },
      { type: 'refund', amount: '1', net: '0', status: 'open', txHash: '' },
      { type: 'late_payment', amount: '0.000002', status: 'pending', confirmedAt: '' },
    ])
  })

  test('says how each invoice was priced, and how much less was enough', async () => {
    const { key, create } = await ownMerchant()
    const priced = await create({ currency: 'USD', underpaymentTolerance: '0.1' })
    await pay(rig, priced, 9_950_000n)
    await confirm(rig, priced)
    await settle(rig, priced)
    await pay(rig, await create(), 1n)
    const fiat = { currency: 'USD', fiatAmount: '10', rate: '1', rateSource: 'fixed' }
    const ofPriced = { ...fiat, rateAt: priced.createdAt, underpaymentTolerance: '0.1' }
    const none = { currency: '', fiatAmount: '', rate: '', rateAt: '', rateSource: '' }
    expect(await report(key)).toMatchObject([
      { type: 'payment', amount: '9.95', ...ofPriced, toleratedAmount: '0.05' },
      { type: 'settlement', amount: '9.95', ...ofPriced, toleratedAmount: '0.05' },
      { type: 'payment', ...none, underpaymentTolerance: '0', toleratedAmount: '0' },
    ])
  })

  test('is a file to be saved, with the headers of every answer', async () => {
    const { key } = await ownMerchant()
    const answer = await rig.call('GET', '/v1/reports/transactions.csv', { key })
    expect(answer.text).toBe(`${REPORT_COLUMNS.join(',')}\r\n`)
    expect(answer.headers.get('content-type')).toStartWith('text/csv')
    expect(answer.headers.get('content-disposition')).toContain('transactions.csv')
    expect(answer.headers.get('x-trace-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^[0-9]+$/)
  })

  test('begins with a byte order mark where that is asked for, and says no number otherwise', async () => {
    const { key, create } = await ownMerchant()
    const invoice = await create({ externalRef: '-1001234567890' })
    await pay(rig, invoice, 4_000_000n)
    const bytesOf = async (query: string) => {
      const headers = { 'x-service-key': key }
      const answer = await rig.fetch(`/v1/reports/transactions.csv${query}`, { headers })
      return answer.bytes()
    }
    const plain = await bytesOf('')
    for (const query of ['?bom=false', '?bom=true']) {
      const mark = query === '?bom=true' ? [0xef, 0xbb, 0xbf] : []
      expect([...(await bytesOf(query))]).toEqual([...mark, ...plain])
    }
    expect(await report(key)).toMatchObject([{ externalRef: '-1001234567890', amount: '4' }])
    const wrong = await rig.call('GET', '/v1/reports/transactions.csv?bom=yes', { key })
    expect(wrong.status).toBe(400)
    const daily = await rig.call('GET', '/v1/reports/daily?bom=true', { key })
    expect(daily.status).toBe(400)
  })

  test('keeps to the range, and to the merchant', async () => {
    const { key, create } = await ownMerchant()
    const invoice = await create()
    await pay(rig, invoice, 1n)
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    expect(await report(key, `?from=${at(-60_000)}&to=${at(60_000)}`)).toHaveLength(1)
    expect(await report(key, `?from=${at(60_000)}`)).toEqual([])
    expect(await report(key, `?to=${at(-60_000)}`)).toEqual([])
    const other = await ownMerchant()
    expect(await report(other.key)).toEqual([])
  })

  test.each([
    ['?from=yesterday', 'from'],
    ['?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
    ['?until=2026-01-01T00:00:00Z', 'until'],
  ])('refuses %s', async (query, path) => {
    for (const name of ['transactions.csv', 'daily']) {
      const answer = await rig.call('GET', `/v1/reports/${name}${query}`)
      expect([answer.status, answer.json.error]).toEqual([400, 'invalid query parameters'])
      expect(answer.json.details?.[0]?.path).toBe(path)
    }
  })

  test('needs a key', async () => {
    for (const name of ['transactions.csv', 'daily']) {
      expect((await rig.call('GET', `/v1/reports/${name}`, { key: null })).status).toBe(401)
    }
  })
})

describe('the report of days', () => {
  test('sums up what was confirmed on each', async () => {
    await beginsOnOneDay()
    const { key, create } = await ownMerchant()
    const invoice = await create()
    await pay(rig, invoice, 12_000_000n)
    await confirm(rig, invoice)
    await settle(rig, invoice)
    const late = await create({ expiresAt: new Date(Date.now() + 30_000).toISOString() })
    await pay(rig, late, 2_000_000n, { blockTime: new Date(Date.now() + 60_000) })
    await confirm(rig, late)
    const answer = await rig.call('GET', '/v1/reports/daily', { key })
    expect(JSON.parse(answer.text).data).toEqual([
      {
        day: new Date().toISOString().slice(0, 10),
        chain: 'base-sepolia',
        asset: 'USDC',
        tokenAddress: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
        payments: 2,
        receivedAmount: '12',
        lateAmount: '2',
        settlements: 1,
        amountRemitted: '11.95',
        fees: '0.05',
        refunds: 0,
        refundedAmount: '0',
        externalRefunds: 0,
        externallyRefundedAmount: '0',
        x402Payments: 0,
        x402ReceivedAmount: '0',
        x402Payouts: 0,
        x402RefundedAmount: '0',
        x402Refunds: 0,
        x402AmountRemitted: '0',
        x402DirectAmount: '0',
        x402FeesOwed: '0',
        x402Fees: '0',
      },
    ])
  })

  test('looks back a year at most', async () => {
    const query = '?from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'
    const answer = await rig.call('GET', `/v1/reports/daily${query}`)
    expect(answer.json.details?.[0]?.message).toContain('366 days')
  })
})

test(`a report of ${ROWS} transactions is complete, and takes no more memory than a small one`, async () => {
  const { key, merchant } = await ownMerchant()
  await fill(merchant.id)
  const app = createApp(rig.deps)
  Bun.gc(true)
  const idle = process.memoryUsage().rss
  const response = await app.handle(
    new Request('http://localhost/v1/reports/transactions.csv', {
      headers: { 'x-service-key': key },
    }),
  )
  let lines = 0
  let most = 0
  for await (const chunk of response.body ?? []) {
    for (const byte of chunk) if (byte === 10) lines += 1
    most = Math.max(most, process.memoryUsage().rss - idle)
  }
  expect(lines).toBe(ROWS + 1)
  expect(most).toBeLessThan(MEMORY_BOUND)
}, 600_000)

/** Payments by the ten, with times that many of them share. */
async function fill(merchantId: MerchantId): Promise<void> {
  const invoices = Math.ceil(ROWS / PAYMENTS_PER_INVOICE)
  await rig.database`set statement_timeout = 0`
  await rig.database`
    insert into invoice (id, merchant_id, reference, token_symbol, chains, amount_expected, fee_cap,
      platform_fee, hub, deposit_address, created_at)
    select gen_random_uuid(), ${merchantId}, 'T' || lpad(n::text, 9, '0'), 'USDC',
      array['base-sepolia'], 1000000, 0, 0, ${`0x${'0'.repeat(40)}`},
      '0x' || lpad(to_hex(n), 40, '0'), timestamptz '2026-01-01' + (n / 7) * interval '1 second'
    from generate_series(1, ${invoices}::integer) as n`
  await rig.database`
    insert into payment (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount, kind,
      status, block_number, block_hash, block_time, created_at, confirmed_at)
    select gen_random_uuid(), i.id, 'base-sepolia',
      '0x' || md5(i.reference) || md5(i.reference || n), n,
      '0x036cbd53842c5426634e7929541ec2318f3dcf7e', ${PAYER}, 1000 + n, 'counted', 'confirmed', 100,
      ${randomHash()}, now(), i.created_at + (n / 3) * interval '1 second', now()
    from invoice i cross join generate_series(1, ${PAYMENTS_PER_INVOICE}) as n
    where i.merchant_id = ${merchantId} limit ${ROWS}`
  await rig.database`analyze invoice, payment`
}
