import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { newAddress, type RefundRig, refundRig } from '../../support/invoice/refunds.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { flooder, receivers } from '../../support/servers/hostileCode.ts'

/** What strangers can make large, in full size, beside one honest payment: what is read of it is printed. */

const FLOODER = lowerCaseAddress(`0x${'f1'.repeat(20)}`)
/** 10.6 MB of a receipt, for 12,000,000 gas. */
const HUGE = 29_500
/** 110 kB of a receipt. */
const LARGE = 300
const MINTED = 1_000_000n

let shared: RelayerRig
let database: Database
let rig: RefundRig
let from: bigint

beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 8, gasLimit: 400_000_000n })
}, 120_000)
afterAll(() => shared?.close())

beforeEach(async () => {
  const { chain, node } = shared
  database = await shared.ownDatabase()
  // A turn with thousands of parts is longer than the lease of other tests.
  const variables = { RELAYER_LEASE_MS: '30000' }
  rig = await refundRig(database, chain, shared.ownKey(), { rpcUrl: node.url, variables })
  await chain.mint([{ to: FLOODER, amount: MINTED }])
  from = await chain.client.getBlockNumber()
}, 120_000)

/** Pays one base unit to each deposit by one transaction, and logs so much besides. */
async function flood(deposits: readonly Address[], logs: number): Promise<number> {
  const { node, usdc, mine } = shared.chain
  await node.rpc('anvil_setCode', [FLOODER, flooder(usdc.address, logs)])
  const [sender]: unknown[] = Object(await node.rpc('eth_accounts', []))
  const transaction = { from: sender, to: FLOODER, data: receivers(deposits), gas: '0x3938700' }
  const hash = await node.rpc('eth_sendTransaction', [transaction])
  await mine()
  // Without the bound that clients of tests have.
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(node.url, { method: 'POST', headers, body: JSON.stringify(call) })
  const text = await answer.text()
  expect(Object(JSON.parse(text)).result.status).toBe('0x1')
  return text.length
}

async function payHonestly(): Promise<Invoice> {
  const honest = await rig.invoice()
  await shared.chain.mint([{ to: honest.depositAddress, amount: 5n }])
  return honest
}

/** What was read of the node meanwhile. */
async function reading(what: string, work: () => Promise<unknown>): Promise<void> {
  const { node } = shared
  const before = { bytes: node.bytes(), requests: node.requestCount(), calls: new Map(node.calls) }
  const since = performance.now()
  await work()
  const ms = Math.round(performance.now() - since)
  const calls = [...node.calls]
    .map(([method, count]) => [method, count - (before.calls.get(method) ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([method, count]) => `${method} ${count}`)
  const requests = node.requestCount() - before.requests
  console.log(
    `${what}: ${ms} ms, ${node.bytes() - before.bytes} bytes in ${requests} requests: ${calls.join(', ')}`,
  )
}

async function confirmed(): Promise<number> {
  const [row] = await database<{ count: number }[]>`
    select count(*)::integer from payment where status = 'confirmed'`
  return row?.count ?? 0
}

test('a receipt of 10.6 MB holds up no one', async () => {
  const invoices: Invoice[] = []
  for (let i = 0; i < 8; i += 1) invoices.push(await rig.invoice())
  const size = await flood(
    invoices.map(({ depositAddress }) => depositAddress),
    HUGE,
  )
  expect(size).toBeGreaterThan(10_485_760)
  const honest = await payHonestly()
  await shared.chain.mine(2)
  await rig.advance()
  await rig.record([...invoices, honest], from)
  await reading(`a receipt of ${size} bytes with 8 payments, and an honest one`, rig.follow)
  expect(await confirmed()).toBe(9)
}, 300_000)

test('a transaction of 3,000 transfers is read once for each turn', async () => {
  const invoices: Invoice[] = []
  for (let i = 0; i < 20; i += 1) invoices.push(await rig.invoice())
  const deposits = Array.from({ length: 3_000 }, (_, i) => invoices[i % 20]?.depositAddress)
  const size = await flood(
    deposits.filter((deposit) => deposit !== undefined),
    1,
  )
  const honest = await payHonestly()
  await shared.chain.mine(2)
  await rig.advance()
  await rig.record([...invoices, honest], from)
  await reading(`3,000 transfers in a receipt of ${size} bytes, seven turns`, async () => {
    for (let turn = 0; turn < 7; turn += 1) await rig.follow()
  })
  expect(await confirmed()).toBe(3_001)
}, 300_000)

test('100 payments with receipts of 110 kB go back by one refund', async () => {
  const invoice = await rig.invoice()
  let size = 0
  for (let i = 0; i < 100; i += 1) size = await flood([invoice.depositAddress], LARGE)
  const honest = await payHonestly()
  await shared.chain.mine(2)
  await rig.advance()
  await rig.record([invoice, honest], from)
  await rig.follow()
  const address = newAddress()
  expect(await rig.ask(invoice, '0.0001', { address })).toMatchObject({ ok: true })
  expect(await rig.ask(honest, '0.000005', { address })).toMatchObject({ ok: true })
  await reading(`a refund of 100 payments with receipts of ${size} bytes, beside another`, () =>
    rig.turn(6),
  )
  expect(await shared.chain.balance(address)).toBe(105n)
}, 300_000)

test('a refund of 4,000 parts, from before there was a limit, is carried out', async () => {
  const invoice = await rig.invoice()
  const deposits = Array.from({ length: 2_000 }, () => invoice.depositAddress)
  await flood(deposits, 1)
  await flood(deposits, 1)
  await shared.chain.mine(2)
  await rig.advance()
  await rig.record([invoice], from)
  for (let turn = 0; turn < 9; turn += 1) await rig.follow()
  expect(await confirmed()).toBe(4_000)
  const address = newAddress()
  expect(await rig.ask(invoice, '0.004', { address })).toMatchObject({
    ok: false,
    code: 'refund_of_too_many_payments',
  })
  const { networkId, usdc } = shared.chain
  await database`
    select ask_for_refund(${Bun.randomUUIDv7()}, ${invoice.id}, 'all', ${networkId},
      ${usdc.address}, 4000, ${address}, null,
      (select jsonb_agg(jsonb_build_object('payment_id', id, 'amount', amount)) from payment
        where invoice_id = ${invoice.id}))`
  await reading('a refund of 4,000 parts', () => rig.turn(6))
  expect(await shared.chain.balance(address)).toBe(4_000n)
}, 600_000)
