import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, checksumAddress, type Hex } from '../../../core/chain/evm.ts'
import type { NewMerchant } from '../../../store/access/merchants.ts'
import { foldMovements, reportDays } from '../../../store/invoice/list/movements.ts'
import { createIndex, type Figures, storeFigures } from '../../support/api/figures.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** The example queries of docs/graphql.md, and whether figures equal the ledger. */

const TOKEN = 'operator-token-of-this-test'
const DAYS = '(from: "2026-06-01", to: "2026-07-01")'

let rig: ApiRig
let other: NewMerchant
let mine: Figures
let theirs: Figures
let questions: readonly string[]
beforeAll(async () => {
  rig = await openRig({ variables: { OPERATOR_TOKEN: TOKEN } })
  await createIndex(rig.database)
  other = await rig.newMerchant()
  mine = await storeFigures(rig.database, rig.merchant.merchant.id, 1n)
  theirs = await storeFigures(rig.database, other.merchant.id, 1_000n)
  questions = queriesOf('docs/graphql.md', /```graphql\n([\s\S]*?)```/g)
}, 120_000)
afterAll(() => rig?.close())

function queriesOf(document: string, pattern: RegExp): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../..', document), 'utf8')
  return [...text.matchAll(pattern)].map(([, query = '']) => query.trim().replace(/\s+/g, ' '))
}

async function ask(query: string, isOperator = false): Promise<unknown> {
  const shown = isOperator
    ? { key: null, headers: { authorization: `Bearer ${TOKEN}` } }
    : { key: rig.merchant.secretKey }
  const answer = await rig.call('POST', '/v1/graphql', { ...shown, body: { query } })
  expect({ status: answer.status, details: answer.json.details }).toEqual({
    ...{ status: 200, details: undefined },
  })
  return answer.json.data
}

const amount = (decimal: string) => ({ decimal })
const usdc = { symbol: 'USDC' }
const sepolia = 'base-sepolia'

test('docs/graphql.md has ten example queries', () => {
  expect(questions).toHaveLength(10)
})

test('each has the answer that is known, also when the sums are added up', async () => {
  for (let round = 0; round < 2; round++) {
    expect(await ask(questions[0] ?? '')).toEqual({
      volume: [
        {
          ...{ day: '2026-06-02', chain: sepolia, token: usdc, payments: 3 },
          ...{ received: amount('25'), late: amount('3') },
        },
        {
          ...{ day: '2026-06-01', chain: sepolia, token: usdc, payments: 1 },
          ...{ received: amount('25'), late: amount('0') },
        },
      ],
    })
    expect(await ask(questions[1] ?? '')).toEqual({
      volume: [{ day: '2026-06-01', token: usdc, fees: amount('0.3'), x402Fees: amount('0.004') }],
    })
    expect(await ask(questions[2] ?? '')).toEqual({
      volume: [
        {
          ...{ chain: sepolia, token: usdc, settlements: 2, remitted: amount('44.7') },
          ...{ x402Payouts: 1, x402Remitted: amount('0.596') },
        },
      ],
    })
    expect(await ask(questions[3] ?? '')).toEqual({
      volume: [
        {
          ...{ day: '2026-06-01', refunds: 1, refunded: amount('3') },
          ...{ externalRefunds: 0, externallyRefunded: amount('0') },
        },
      ],
    })
    const revenue = (units: string, decimal: string) => ({ units, decimal })
    const [cheap, dear] = mine.endpoints
    expect(await ask(questions[4] ?? '')).toEqual({
      endpointRevenue: [
        { day: '2026-06-02', endpointId: dear, payments: 1, revenue: revenue('500000', '0.5') },
        { day: '2026-06-02', endpointId: null, payments: 1, revenue: revenue('70000', '0.07') },
        { day: '2026-06-01', endpointId: cheap, payments: 2, revenue: revenue('30000', '0.03') },
      ],
    })
    await foldMovements(rig.database)
  }
})

test('who pays most, and how long it takes', async () => {
  expect(await ask(questions[5] ?? '')).toEqual({
    invoices: {
      payers: [{ address: checksumAddress(mine.payer), payments: 2, paid: amount('35') }],
      isComplete: true,
    },
    requests: {
      payers: [{ address: checksumAddress(mine.agent), payments: 4, paid: amount('0.6') }],
      addedUp: 4,
    },
  })
  expect(await ask(questions[6] ?? '')).toEqual({
    settleTimes: [
      { kind: 'INVOICE', chain: sepolia, settled: 2, median: 60, slowest: 90 },
      { kind: 'X402', chain: sepolia, settled: 4, median: 2, slowest: 2 },
    ],
  })
})

test('what was moved, beside what the hub says of it', async () => {
  expect(await ask(questions[7] ?? '')).toMatchObject({
    movements: {
      items: [
        { amount: amount('20'), feeOwed: amount('0.2'), onChain: null },
        {
          ...{ txHash: mine.sweep.txHash, amount: amount('25'), feeOwed: amount('0') },
          onChain: { block: '12', amount: amount('25') },
        },
      ],
      next: null,
    },
  })
  const payouts = `{ movements(kind: PAYOUT, from: "2026-06-01", to: "2026-07-01") {
    items { amount { decimal } onChain { amount { decimal } } } } }`
  expect(await ask(payouts)).toEqual({
    movements: { items: [{ amount: amount('0.6'), onChain: { amount: amount('0.6') } }] },
  })
})

test('payments of invoices, with how they were sent', async () => {
  const payments = `{ movements(kind: PAYMENT, from: "2026-06-01", to: "2026-07-01") {
    items { method txHash receiver amount { decimal } } } }`
  const [row] = await rig.database<{ deposit: Address; txHash: Hex }[]>`
    with paid as (
      select p.*, i.deposit_address as deposit from payment p join invoice i on i.id = p.invoice_id
      where i.merchant_id = ${mine.merchantId} and p.amount = 25000000
    ), signed as (
      insert into invoice_authorization (id, invoice_id, merchant_id, network_id, asset, payer,
        authorization_nonce, pay_to, amount, valid_after, valid_before, signature, method, is_wallet,
        claimed_block, status, tx_hash, log_index, block_number, block_hash, gas_booked, settled_at)
      select gen_random_uuid(), invoice_id, ${mine.merchantId}, network_id, token, sender,
        block_hash, deposit, amount, 0, 1, '0x', 'x402', false,
        1, 'settled', tx_hash, log_index, block_number, block_hash, 0, now() from paid
    )
    select deposit, tx_hash from paid`
  if (row === undefined) throw new Error('there is no payment')
  const items = [
    ...['3', '15', '10'].map((one) => ({ method: 'transfer', amount: amount(one) })),
    {
      ...{ method: 'x402', amount: amount('25'), txHash: row.txHash },
      receiver: checksumAddress(row.deposit),
    },
  ]
  const data = await ask(payments)
  expect(data).toEqual({ movements: { items: expect.arrayContaining(items.map(matching)) } })
})

function matching(item: object) {
  return expect.objectContaining(item)
}

test('lists go on where they ended, without losing or repeating anything', async () => {
  const page = (after: string | null) => `{ movements(kind: SETTLEMENT, from: "2026-06-01",
    to: "2026-07-01", first: 1${after === null ? '' : `, after: "${after}"`}) { items { id } next } }`
  type Page = { movements: { items: { id: string }[]; next: string | null } }
  const isPage = (data: unknown): data is Page => typeof data === 'object' && data !== null
  const seen: string[] = []
  let after: string | null = null
  do {
    const data: unknown = await ask(page(after))
    if (!isPage(data)) throw new Error('no page')
    seen.push(...data.movements.items.map(({ id }) => id))
    after = data.movements.next
  } while (after !== null)
  expect(seen).toHaveLength(2)
  expect(new Set(seen).size).toBe(2)
  expect(seen).toContain(mine.sweep.id)
})

test('the operator sees all merchants, one by one or together', async () => {
  const both = [mine, theirs].map(({ merchantId }) => merchantId)
  const data = await ask(questions[8] ?? '', true)
  const rows = both.map((id, i) => ({
    ...{ merchant: { id, name: 'Test' }, received: amount(i === 0 ? '50' : '50000') },
    ...{ fees: amount(i === 0 ? '0.3' : '300'), x402Received: amount(i === 0 ? '0.6' : '600') },
  }))
  const inOrder = rows.toSorted((a, b) => (a.merchant.id < b.merchant.id ? -1 : 1))
  expect(data).toEqual({ volume: inOrder })
  const together = `{ volume${DAYS.replace(')', ', per: TOTAL)')} { merchant { id } received { decimal } } }`
  expect(await ask(together, true)).toEqual({
    volume: [{ merchant: null, received: amount('50050') }],
  })
  const named = DAYS.replace(')', `, per: TOTAL, merchant: "${theirs.merchantId}")`)
  expect(await ask(`{ volume${named} { received { decimal } } }`, true)).toEqual({
    volume: [{ received: amount('50000') }],
  })
})

test('what the hub did and the ledger doesn’t know is found', async () => {
  const ofAll = await ask(questions[9] ?? '', true)
  const isFound = ({ merchantId, scale }: { merchantId: string; scale: string }) =>
    expect.objectContaining({ kind: 'SWEPT', merchantId, amount: amount(scale) })
  expect(ofAll).toEqual({
    hubEvents: expect.arrayContaining([
      isFound({ merchantId: mine.merchantId, scale: '7' }),
      isFound({ merchantId: theirs.merchantId, scale: '7000' }),
    ]),
  })
  expect(JSON.stringify(ofAll)).not.toContain(mine.sweep.txHash)
  const booked = (questions[9] ?? '').replace('booked: false', 'booked: true, kind: SWEPT')
  expect(JSON.stringify(await ask(booked, true))).toContain(mine.sweep.txHash)
})

test('figures equal reports and ledger to the unit', async () => {
  const range = { from: new Date('2026-06-01T00:00:00Z'), to: new Date('2026-07-01T00:00:00Z') }
  for (const { merchantId } of [mine, theirs]) {
    const days = await reportDays(rig.database, merchantId, range)
    const data = await ask(
      `{ volume(from: "2026-06-01", to: "2026-07-01", merchant: "${merchantId}") {
        day chain payments received { units } late { units } settlements remitted { units }
        fees { units } refunds refunded { units } externalRefunds externallyRefunded { units }
        x402Payments x402Received { units } x402Direct { units } x402FeesOwed { units } x402Payouts x402Remitted { units } x402Fees { units }
      } }`,
      true,
    )
    const units = (of: bigint) => ({ units: of.toString() })
    const reported = days.toReversed().map((row) => ({
      ...{ day: row.day, chain: row.networkId, payments: row.payments },
      ...{ received: units(row.received), late: units(row.late), settlements: row.settlements },
      ...{ remitted: units(row.remitted), fees: units(row.fees), refunds: row.refunds },
      ...{ refunded: units(row.refunded), externalRefunds: row.externalRefunds },
      ...{ externallyRefunded: units(row.externallyRefunded), x402Payments: row.x402Payments },
      ...{ x402Received: units(row.x402Received), x402Payouts: row.x402Payouts },
      ...{ x402Direct: units(row.x402Direct), x402FeesOwed: units(row.x402FeesOwed) },
      ...{ x402Remitted: units(row.x402Remitted), x402Fees: units(row.x402Fees) },
    }))
    expect(data).toEqual({ volume: reported })
    const [row] = await rig.database<{ received: bigint; requests: bigint; fees: bigint }[]>`
      select
        (select sum(amount) from payment where merchant_id = ${merchantId} and kind = 'counted')
          as received,
        (select sum(amount) from x402_payment where merchant_id = ${merchantId}) as requests,
        (select sum(fee) from settlement where merchant_id = ${merchantId}) as fees`
    const total = (of: (day: (typeof days)[number]) => bigint) =>
      days.reduce((sum, day) => sum + of(day), 0n)
    expect(total((day) => day.received)).toBe(row?.received ?? -1n)
    expect(total((day) => day.x402Received)).toBe(row?.requests ?? -1n)
    expect(total((day) => day.fees)).toBe(row?.fees ?? -1n)
  }
})

test('a payment that is taken back leaves no revenue behind', async () => {
  const { merchant, secretKey } = await rig.newMerchant()
  const { endpoints } = await storeFigures(rig.database, merchant.id, 1n)
  await foldMovements(rig.database)
  await rig.database`
    update x402_payment set confirmed_at = null where endpoint_id = ${endpoints[1]}`
  const query = `{ endpointRevenue${DAYS.replace(')', ', per: TOTAL)')} { endpointId } }`
  const seen = async () =>
    (await rig.call('POST', '/v1/graphql', { key: secretKey, body: { query } })).json.data
  const expected: unknown = {
    endpointRevenue: [{ endpointId: null }, { endpointId: endpoints[0] }],
  }
  const before: unknown = await seen()
  expect(before).toEqual(expected)
  await foldMovements(rig.database)
  const after: unknown = await seen()
  expect(after).toEqual(expected)
})
