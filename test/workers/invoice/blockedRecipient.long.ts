import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Address } from '../../../core/chain/evm.ts'
import { setRecipient } from '../../../store/access/merchants.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceDueInvoices } from '../../../workers/invoice/expiry.ts'
import { newAddress, type OwnRefundRig, openRefundRig } from '../../support/invoice/refunds.ts'
import { setBlacklisted } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'

let rig: OwnRefundRig
let chain: HubChain
let database: Database

beforeAll(async () => {
  rig = await openRefundRig()
  chain = rig.chain
  database = rig.database
}, 120_000)

afterAll(() => rig?.close())

async function receive(address: Address): Promise<void> {
  const { config } = rig.projection
  const change = await setRecipient(database, config, rig.merchantId, address)
  if (!change.ok) throw new Error(change.message)
  await advanceDueInvoices(rig.projection, new Date())
}

/** Rounds of a sweep wait for each other; here they need not. */
async function turnAtOnce(times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    await database`update work_item set not_before = now() where state = 'queued'`
    await rig.turn()
  }
}

test('a recipient that the token blocks leaves the invoice paid with the reason, and another one settles it', async () => {
  const [blocked, treasury] = [newAddress(), newAddress()]
  await setBlacklisted(chain, blocked, true)
  await receive(blocked)
  const invoice = await rig.invoice()
  await rig.pay(invoice, 10_000_000n)
  await turnAtOnce(12)
  expect((await rig.read(invoice)).invoice).toMatchObject({
    status: 'paid',
    settlementState: 'failed',
    settlementError: 'Blacklistable: account is blacklisted',
  })
  const told = (await rig.events(invoice.id)).map(({ type }) => type)
  expect(told).toContain('settlement.failed')
  const retries = await database<{ data: Record<string, unknown> }[]>`
    select data from outbox where object_id = ${invoice.id} and type = 'settlement.retrying'`
  expect(retries.map(({ data }) => [data.settlementState, data.settlementError])).toEqual(
    Array(2).fill(['retrying', 'Blacklistable: account is blacklisted']),
  )
  expect(await chain.balance(invoice.depositAddress)).toBe(10_000_000n)

  await receive(treasury)
  await turnAtOnce(8)
  expect((await rig.read(invoice)).invoice).toMatchObject({
    status: 'completed',
    settlementState: 'none',
    settlementError: null,
  })
  expect(await chain.balance(treasury)).toBe(9_950_000n)
})

test('a collector that the token blocks never holds up the merchant', async () => {
  const treasury = newAddress()
  await receive(treasury)
  await setBlacklisted(chain, chain.collector, true)
  const invoice = await rig.invoice()
  await rig.pay(invoice, 10_000_000n)
  await turnAtOnce(8)
  const { invoice: now, settlements } = await rig.read(invoice)
  expect(now).toMatchObject({ status: 'completed', amountRemitted: 9_950_000n })
  expect(settlements).toMatchObject([{ fee: 50_000n, feeOwed: 50_000n }])
  expect(await chain.balance(treasury)).toBe(9_950_000n)
  expect(await chain.balance(invoice.depositAddress)).toBe(50_000n)
  // What is owed to the collector is no one's to refund: all else is in the treasury.
  expect(await rig.ask(invoice, '0.05')).toMatchObject({ code: 'refund_settled' })
})

test('money on a chain that the invoice does not list is found, and goes back', async () => {
  const invoice = await rig.invoice({ chains: ['sepolia'] })
  await rig.pay(invoice, 3_000_000n)
  const [payment] = (await rig.read(invoice)).payments
  expect(payment).toMatchObject({ kind: 'foreign', status: 'confirmed' })
  const address = newAddress()
  if (payment === undefined) throw new Error('the payment was not found')
  expect(await rig.ask(invoice, '3', { address, paymentId: payment.id })).toMatchObject({
    ok: true,
  })
  await rig.turn(4)
  expect(await chain.balance(address)).toBe(3_000_000n)
  expect((await rig.read(invoice)).invoice).toMatchObject({ status: 'pending', refundedAmount: 0n })
})

test('a recipient that stays blocked is tried ever more rarely, and told of with the newest sweeps', async () => {
  const blocked = newAddress()
  await setBlacklisted(chain, blocked, true)
  await receive(blocked)
  const invoice = await rig.invoice()
  const rounds = async () => (await rig.read(invoice)).settlements.length
  const rest = async (hours: number) => {
    await database`
      update settlement set created_at = created_at - ${hours} * interval '1 hour'
      where invoice_id = ${invoice.id}`
    await advanceDueInvoices(rig.projection, new Date())
    await turnAtOnce(4)
    return rounds()
  }
  await rig.pay(invoice, 10_000_000n)
  await turnAtOnce(12)
  expect(await rounds()).toBe(3)
  expect(await rest(0.9)).toBe(3)
  expect(await rest(0.1)).toBe(4)
  expect(await rest(1.9)).toBe(4)
  expect(await rest(0.1)).toBe(5)

  await database`
    insert into settlement (id, invoice_id, network_id, token, round, amount, fee, recipient,
      registry_version, status, created_at)
    select gen_random_uuid(), invoice_id, network_id, token, round + n, amount, fee, recipient,
      registry_version, status, created_at
    from settlement cross join generate_series(1, 150) as n
    where invoice_id = ${invoice.id} and round = 5`
  expect(await rest(23.9)).toBe(155)
  expect(await rest(0.1)).toBe(156)
  const [newest] = (await rig.events(invoice.id)).slice(-1)
  expect(newest).toMatchObject({
    type: 'settlement.failed',
    data: { settlements: { length: 100, 99: { status: 'failed' } } },
  })
})
