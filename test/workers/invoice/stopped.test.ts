import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encodeFunctionData } from 'viem'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import { encodeConfigure } from '../../../chain/hub/registry.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { uuidToBytes16 } from '../../../core/chain/words.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { signMerchantConfig } from '../../support/hub/signatures.ts'
import { newAddress, type OwnRefundRig, openRefundRig } from '../../support/invoice/refunds.ts'
import { transact } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** Sweeps that the hub does not take for now: they wait, say why, and none of them has failed. */

const TREASURY = newAddress()
let rig: OwnRefundRig
let chain: HubChain
let database: Database

beforeAll(async () => {
  rig = await openRefundRig()
  chain = rig.chain
  database = rig.database
  await database`
    update merchant set recipient = ${TREASURY}, config_version = 1 where id = ${rig.merchantId}`
}, 120_000)
afterAll(() => rig?.close())

async function carry(data: `0x${string}`): Promise<void> {
  const { status } = await transact(chain, chain.ownerKey, chain.hub, data, { isFirst: true })
  expect(status).toBe('success')
}

const owner = (call: Parameters<typeof encodeFunctionData<typeof HUB_ABI>>[0]) =>
  carry(encodeFunctionData(call))

/** An invoice whose sweep is with the node and in no block. */
async function signedSweep(): Promise<Invoice> {
  const invoice = await rig.invoice()
  await rig.pay(invoice, 10_000_000n)
  await database.begin((sql) => advanceInvoice(sql, rig.projection.config, invoice.id, new Date()))
  for (let turn = 0; turn < 20; turn += 1) {
    await rig.relayer.turn()
    if ((await itemOf(invoice)).state === 'assigned') return invoice
    await chain.mine()
    await rig.follow()
  }
  throw new Error('nothing was signed')
}

async function itemOf(invoice: Invoice) {
  const [row] = await database`
    select w.state, w.hub_wait, w.result from work_item w
    join settlement s on s.id = (w.payload->>'settlementId')::uuid
    where s.invoice_id = ${invoice.id} order by s.round desc limit 1`
  if (!row) throw new Error('nothing was queued')
  return row
}

async function turnUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    if (await isDone()) return
    await rig.turn()
  }
  throw new Error('it did not come to that')
}

/** What waits is tried again, as when the hub is seen to have changed. */
async function expectSettledOnce(invoice: Invoice): Promise<void> {
  await database`
    update work_item set hub_wait = null, not_before = now() where state = 'queued'`
  const isSettled = async () => (await rig.read(invoice)).invoice.status === 'completed'
  await turnUntil(isSettled)
  const { settlements } = await rig.read(invoice)
  expect(settlements).toMatchObject([{ round: 1, status: 'confirmed', amount: 10_000_000n }])
  const told = (await rig.events(invoice.id)).map(({ type }) => type)
  expect(told).not.toContain('settlement.failed')
}

test('a sweep that meets a stop waits, and goes in the same round when it has been ended', async () => {
  const invoice = await signedSweep()
  await owner({ abi: HUB_ABI, functionName: 'stop', args: [1] })
  await turnUntil(async () => (await itemOf(invoice)).hubWait === 'stopped')
  expect(await itemOf(invoice)).toMatchObject({
    state: 'queued',
    result: { waits: 'IsStopped(1)' },
  })
  expect((await rig.read(invoice)).settlements).toMatchObject([{ status: 'open', error: null }])
  await owner({ abi: HUB_ABI, functionName: 'resume', args: [1] })
  await expectSettledOnce(invoice)
}, 60_000)

test('a sweep is not sent at all while its hub is known to be stopped', async () => {
  const row = {
    ...{ networkId: chain.networkId, hub: chain.hub, block: 1n, stops: 1 },
    ...{ owner: chain.hub, pendingOwner: chain.hub, guardian: chain.hub, configSigner: chain.hub },
    ...{ refundSigner: chain.hub, feeCollector: chain.hub, ownerDelay: 0n, configDelay: 0n },
  }
  await database`insert into hub_state ${database(row)}`
  const invoice = await rig.invoice()
  await rig.pay(invoice, 10_000_000n)
  await turnUntil(async () => (await itemOf(invoice)).hubWait === 'stopped')
  const [sent] = await database`
    select count(*)::integer as count from relayer_tx where kind = 'sweep'`
  await rig.turn(3)
  const [later] = await database`
    select count(*)::integer as count from relayer_tx where kind = 'sweep'`
  expect(later).toEqual(sent)
  await database`delete from hub_state`
  await expectSettledOnce(invoice)
}, 60_000)

test('a sweep that meets a change of its treasury waits until that is vetoed or in force', async () => {
  const delays = [0, 3_600] as const
  await owner({ abi: HUB_ABI, functionName: 'setDelays', args: delays })
  const invoice = await signedSweep()
  const entry = {
    ...{ merchantId: rig.merchantId, treasury: newAddress(), feeBps: 0 },
    ...{ feeCap: baseUnits(0n), version: 2 },
  }
  const signature = await signMerchantConfig(chain.roles.configSigner, chain.hub, entry)
  await carry(encodeConfigure([{ config: entry, signature }]))
  await turnUntil(async () => (await itemOf(invoice)).hubWait === 'merchant_change')
  expect((await itemOf(invoice)).result.waits).toContain('MerchantChangePends')
  expect((await rig.read(invoice)).settlements).toMatchObject([{ status: 'open', error: null }])
  await owner({ abi: HUB_ABI, functionName: 'veto', args: [uuidToBytes16(rig.merchantId)] })
  await expectSettledOnce(invoice)
}, 60_000)
