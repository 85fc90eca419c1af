import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { transfersTo } from '../../../chain/tokens/transfers.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import type { Invoice, Settlement } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { recordTransfers } from '../../../store/invoice/payments.ts'
import { copyLedger } from '../../support/invoice/ledgerCopy.ts'
import { newAddress, type RefundRig, refundRig } from '../../support/invoice/refunds.ts'
import { openRelayer, settleAll } from '../../support/relayer/relayers.ts'
import { send, setBlacklisted } from '../../support/relayer/transactions.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { freshDatabase } from '../../support/servers/database.ts'

/** Sweeps that the hub refuses because the deposit is not as it was when they were planned. */

const TREASURY = newAddress()
const FEE = 50_000n

let chain: HubChain
let database: Database
let rig: RefundRig
const others: Database[] = []

beforeAll(async () => {
  chain = await startHubChain({ relayers: 6 })
  database = await freshDatabase()
  rig = await refundRig(database, chain, keyOf(0))
}, 120_000)

afterAll(async () => {
  for (const other of others) await other.end()
  await database?.end()
  await chain?.node.stop()
})

function keyOf(place: number): Hex {
  const key = chain.relayerKeys[place]
  if (key === undefined) throw new Error('the chain has too few relayer keys')
  return key
}

/** An invoice of 10 USDC that pays to the treasury, with this much in its deposit. */
async function paid(amount: bigint): Promise<Invoice> {
  const invoice = await rig.invoice({ recipient: null })
  await setTreasury(false)
  await rig.pay(invoice, amount)
  return invoice
}

async function setTreasury(isSet: boolean): Promise<void> {
  await database`
    update merchant set recipient = ${isSet ? TREASURY : null},
      config_version = greatest(config_version, 1) where id = ${rig.merchantId}`
}

/** Plans what is due of an invoice, now that someone may receive it. */
async function plan(invoice: Invoice): Promise<void> {
  await setTreasury(true)
  await advance(invoice)
}

function advance(invoice: Invoice) {
  return database.begin((sql) => {
    return advanceInvoice(sql, rig.projection.config, invoice.id, new Date())
  })
}

/** Money arrives as the indexer would tell of it: what is there says nothing after a forgotten sweep. */
async function arrive(invoice: Invoice, amount: bigint): Promise<void> {
  await chain.mint([{ to: invoice.depositAddress, amount }])
  const { number, timestamp } = await chain.client.getBlock()
  const { projection } = rig
  const logs = await transfersTo(
    chain.client,
    [chain.usdc.address],
    [invoice.depositAddress],
    number,
    number,
  )
  const blockTime = new Date(Number(timestamp) * 1000)
  const transfers = logs.map((log) => ({
    ...log,
    ...{ blockTime, networkId: chain.networkId, sender: log.from, invoiceId: invoice.id },
  }))
  await recordTransfers(projection, transfers, new Date())
  await chain.mine(2)
  await rig.follow()
}

/** What comes from the next block on is late. */
async function close(invoice: Invoice): Promise<void> {
  const { timestamp } = await chain.client.getBlock()
  const closedAt = new Date(Number(timestamp) * 1000)
  await database`update invoice set closed_at = ${closedAt} where id = ${invoice.id}`
  await chain.node.rpc('evm_increaseTime', [10])
}

async function rounds(invoice: Invoice): Promise<Settlement[]> {
  return database<Settlement[]>`
    select * from settlement where invoice_id = ${invoice.id} order by round`
}

async function told(invoice: Invoice): Promise<string[]> {
  return (await rig.events(invoice.id)).map(({ type }) => type)
}

async function turnUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) {
    await database`
      update work_item set not_before = now() where state = 'queued' and hub_wait is null`
    await rig.turn()
    if (await isDone()) return
  }
  throw new Error('it did not come to an end')
}

async function isSettled(invoice: Invoice): Promise<boolean> {
  return (await rig.read(invoice)).invoice.status === 'completed'
}

/** Nothing is lost or made up: what came in is with the treasury, the collector, payers or still there. */
async function expectBooks(invoice: Invoice, collected: bigint): Promise<void> {
  const { invoice: now, settlements } = await rig.read(invoice)
  const moved = settlements.filter(({ status }) => status === 'confirmed')
  const fees = moved.reduce((sum, { fee }) => sum + fee, 0n)
  const swept = moved.reduce((sum, { amount }) => sum + amount, 0n)
  expect(await chain.balance(chain.collector)).toBe(collected + fees)
  expect(BigInt(now.amountRemitted)).toBe(swept - fees)
  expect(BigInt(now.platformFee)).toBe(fees)
  const received = now.receivedAmount + now.lateAmount
  expect(await chain.balance(invoice.depositAddress)).toBe(received - now.refundedAmount - swept)
}

/** The order of a refund that the hub has refused once, because its token blocked the receiver. */
async function refusedOnce(invoice: Invoice, amount: string): Promise<Hex> {
  const address = newAddress()
  await setBlacklisted(chain, address, true)
  const asked = await rig.ask(invoice, amount, { address })
  if (!asked.ok) throw new Error(asked.code)
  const item = `refund:${asked.refund.id}`
  await turnUntil(async () => {
    const [row] = await database`select state from work_item where dedupe_key = ${item}`
    return row?.state === 'failed'
  })
  await setBlacklisted(chain, address, false)
  const [row] = await database<{ calldata: Hex }[]>`
    select t.calldata from relayer_tx t join work_item w on w.tx_id = t.id
    where w.dedupe_key = ${item}`
  if (!row) throw new Error('it was not sent')
  return row.calldata
}

describe('a sweep whose deposit has changed before it was mined', () => {
  test('is planned again when a refund has taken what was to stay', async () => {
    const collected = await chain.balance(chain.collector)
    const invoice = await paid(10_000_000n)
    await plan(invoice)
    await turnUntil(() => isSettled(invoice))
    await setTreasury(false)
    await arrive(invoice, 3_000_000n)
    const order = await refusedOnce(invoice, '1')
    await plan(invoice)
    await database`update work_item set not_before = now() where state = 'queued'`
    await rig.relayer.turn()
    expect(await rounds(invoice)).toMatchObject([
      { round: 1, status: 'confirmed' },
      { round: 2, amount: 2_000_000n, leave: 1_000_000n, deploys: false },
    ])
    await send(chain, keyOf(1), chain.hub, order, { isFirst: true })
    await turnUntil(async () => (await rounds(invoice)).at(-1)?.status === 'confirmed')
    const [, second, ...later] = await rounds(invoice)
    expect(second).toMatchObject({ status: 'failed', replanned: true })
    expect(second?.error).toBe('DepositLeavesLess(0, 1000000)')
    expect(later.at(-1)).toMatchObject({ amount: 2_000_000n, leave: 0n, fee: 0n })
    expect(await told(invoice)).not.toContain('settlement.failed')
    expect((await rig.refundOf(invoice)).status).toBe('confirmed')
    await expectBooks(invoice, collected)
  }, 60_000)

  test('is planned again when a refund has deployed it, for the fee that the refund has left', async () => {
    const collected = await chain.balance(chain.collector)
    const invoice = await paid(12_000_000n)
    const order = await refusedOnce(invoice, '2')
    await plan(invoice)
    await database`update work_item set not_before = now() where state = 'queued'`
    await turnUntilSigned(invoice)
    expect(await rounds(invoice)).toMatchObject([{ deploys: true, leave: 2_000_000n, fee: FEE }])
    await send(chain, keyOf(1), chain.hub, order, { isFirst: true })
    await turnUntil(() => isSettled(invoice))
    const [first, ...later] = await rounds(invoice)
    expect(first).toMatchObject({ status: 'failed', replanned: true, foundDeployed: true })
    expect(later.at(-1)).toMatchObject({ status: 'confirmed', deploys: false, fee: FEE })
    expect(await told(invoice)).not.toContain('settlement.failed')
    await expectBooks(invoice, collected)
  }, 60_000)

  test('is planned again when it was taken to be deployed and is not', async () => {
    const collected = await chain.balance(chain.collector)
    const invoice = await paid(10_000_000n)
    await plan(invoice)
    await database`update settlement set deploys = false where invoice_id = ${invoice.id}`
    await turnUntil(() => isSettled(invoice))
    expect(await rounds(invoice)).toMatchObject([
      { status: 'failed', replanned: true, foundDeployed: false },
      { status: 'confirmed', deploys: true, fee: FEE },
    ])
    await expectBooks(invoice, collected)
  }, 60_000)
})

/** The sweep is with the node and in no block. */
async function turnUntilSigned(invoice: Invoice): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    await rig.relayer.turn()
    const [row] = await database`
      select w.state from work_item w join settlement s on s.id = (w.payload->>'settlementId')::uuid
      where s.invoice_id = ${invoice.id} order by s.round desc limit 1`
    if (row?.state === 'assigned') return
    await chain.mine()
    await rig.follow()
  }
  throw new Error('the sweep was not signed')
}

describe('a sweep that is sent again because a lost commit made the ledger forget it', () => {
  /** All that waits is swept by a ledger that shares nothing with ours but the chain, then or now. */
  async function sweptForgotten(place: number): Promise<void> {
    const other = await freshDatabase()
    others.push(other)
    await copyLedger(database, other)
    await other`delete from settlement where status <> 'open'`
    await other`
      delete from work_item w where kind = 'refund' or (kind = 'sweep' and not exists (
        select from settlement s where s.id = (w.payload->>'settlementId')::uuid))`
    await settleAll(other, chain, [openRelayer(other, chain, { key: keyOf(place) })])
  }

  test('moves nothing, though as much has come late, and the ledger books the first one', async () => {
    const collected = await chain.balance(chain.collector)
    const invoice = await paid(10_000_000n)
    await plan(invoice)
    await sweptForgotten(2)
    await close(invoice)
    await arrive(invoice, 10_000_000n)
    await advance(invoice)
    expect(await rounds(invoice)).toMatchObject([{ leave: 10_000_000n, deploys: true }])
    await turnUntil(() => isSettled(invoice))
    expect(await chain.balance(invoice.depositAddress)).toBe(10_000_000n)
    expect(await rounds(invoice)).toMatchObject([{ status: 'confirmed', amount: 10_000_000n }])
    await expectBooks(invoice, collected)
  }, 60_000)

  test('moves nothing either when the deposit was deployed long before', async () => {
    const collected = await chain.balance(chain.collector)
    const invoice = await paid(10_000_000n)
    await plan(invoice)
    await turnUntil(() => isSettled(invoice))
    await arrive(invoice, 4_000_000n)
    await advance(invoice)
    await sweptForgotten(3)
    await close(invoice)
    await arrive(invoice, 4_000_000n)
    await advance(invoice)
    expect((await rounds(invoice)).at(-1)).toMatchObject({
      ...{ status: 'open', amount: 4_000_000n, leave: 4_000_000n, deploys: false },
    })
    await turnUntil(async () => (await rounds(invoice)).at(-1)?.status === 'confirmed')
    expect(await rounds(invoice)).toHaveLength(2)
    expect(await chain.balance(invoice.depositAddress)).toBe(4_000_000n)
    await expectBooks(invoice, collected)
  }, 60_000)
})
