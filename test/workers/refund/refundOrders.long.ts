import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { encodeFunctionData } from 'viem'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import { encodeRefund } from '../../../chain/hub/refunds.ts'
import { UNLIMITED } from '../../../chain/hub/setup.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { presentRefund } from '../../../core/invoice/present.ts'
import type { Invoice, Refund } from '../../../core/invoice/state.ts'
import { saveProjectedBlock } from '../../../store/chain/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { signRefund } from '../../support/hub/signatures.ts'
import {
  newAddress,
  type OwnRefundRig,
  openRefundRig,
  type RefundRig,
} from '../../support/invoice/refunds.ts'
import { send, transact } from '../../support/relayer/transactions.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** Refunds between the hub's limit, its owner, its guardian, and numbers that were given twice. */

let rig: OwnRefundRig
let chain: HubChain
let database: Database

beforeAll(async () => {
  rig = await openRefundRig()
  chain = rig.chain
  database = rig.database
}, 120_000)
afterAll(() => rig?.close())
beforeEach(async () => {
  await setLimit(UNLIMITED)
})

async function owner(call: Parameters<typeof encodeFunctionData<typeof HUB_ABI>>[0]) {
  const data = encodeFunctionData(call)
  const { status } = await transact(chain, chain.ownerKey, chain.hub, data, { isFirst: true })
  expect(status).toBe('success')
}

function setLimit(limit: bigint): Promise<void> {
  const args = [chain.usdc.address, true, chain.usdc.decimals, limit] as const
  return owner({ abi: HUB_ABI, functionName: 'setToken', args })
}

async function asked(answer: ReturnType<RefundRig['ask']>): Promise<Refund> {
  const result = await answer
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.refund
}

async function paidIn(amount: bigint, change: Partial<Invoice> = {}): Promise<Invoice> {
  const invoice = await rig.invoice(change)
  await rig.pay(invoice, amount)
  return invoice
}

/** What the API shows of an invoice's one refund. */
async function shown(invoice: Invoice) {
  const refund = await rig.refundOf(invoice)
  return presentRefund(invoice, refund, rig.projection.config.registry)
}

async function rowOf(refund: Refund) {
  const [row] = await database<{ orderNumber: bigint | null; deadline: bigint | null }[]>`
    select order_number, deadline, fee_left from refund where id = ${refund.id}`
  return row
}

/** What waits for the hub is tried again, as when the hub is seen to have changed. */
async function wake(): Promise<void> {
  await database`
    update work_item set not_before = now(), hub_wait = null where state = 'queued'`
}

async function passTime(seconds: number): Promise<void> {
  await chain.node.rpc('evm_increaseTime', [seconds])
  await chain.mine(3)
  await saveProjectedBlock(database, chain.networkId, 1_000_000n)
}

async function turnUntil(invoice: Invoice, isDone: (refund: Refund) => boolean): Promise<Refund> {
  for (let turn = 0; turn < 20; turn += 1) {
    await wake()
    await rig.turn()
    const refund = await rig.refundOf(invoice)
    if (isDone(refund)) return refund
  }
  throw new Error(`it did not come to that: ${JSON.stringify(await shown(invoice))}`)
}

const isConfirmed = ({ status }: Refund) => status === 'confirmed'

async function alarms(): Promise<string[]> {
  const rows = await database<{ detail: string }[]>`
    select detail from worker_alarm where kind = 'refund_waits' and until > now()`
  return rows.map(({ detail }) => detail)
}

describe('the limit of refunds', () => {
  test('is kept: what finds no room waits unsigned, says why, and goes when there is room', async () => {
    await setLimit(3_000_000n)
    const [one, other] = [await paidIn(4_000_000n), await paidIn(4_000_000n)]
    const address = newAddress()
    await asked(rig.ask(one, '2', { address }))
    const second = await asked(rig.ask(other, '2', { address }))
    await turnUntil(one, isConfirmed)
    expect(await shown(other)).toMatchObject({
      status: 'open',
      waiting: { reason: 'refund_limit', since: expect.any(String), approvalDigest: null },
    })
    expect(await rowOf(second)).toMatchObject({ orderNumber: null, deadline: null })
    expect((await alarms()).join()).toContain(`refund ${second.id} of 2 USDC waits for room`)
    expect(await rig.told(second.id)).toEqual(['refund.created'])
    // Its half hour has not begun: it is as good after a day.
    await passTime(33 * 3_600)
    await turnUntil(other, isConfirmed)
    expect((await shown(other)).waiting).toBeNull()
    expect(await chain.balance(address)).toBe(4_000_000n)
  }, 60_000)

  test('is waited for when another party has used it up before the order was mined', async () => {
    await passTime(33 * 3_600)
    await setLimit(3_000_000n)
    const invoice = await paidIn(4_000_000n)
    const refund = await asked(rig.ask(invoice, '2'))
    await rig.relayer.turn()
    const before = await rowOf(refund)
    expect(before?.deadline).not.toBeNull()
    await setLimit(1_000_000n)
    await turnUntil(invoice, ({ waitingFor }) => waitingFor === 'refund_limit')
    expect(await rowOf(refund)).toEqual(before)
    // Its time runs out while it waits: no one can carry the order out any more, and it is signed again.
    await passTime(1_900)
    await setLimit(UNLIMITED)
    await turnUntil(invoice, isConfirmed)
    expect((await rowOf(refund))?.deadline).not.toBe(before?.deadline)
    expect(await rig.told(refund.id)).toEqual(['refund.created', 'refund.completed'])
  }, 60_000)
})

describe('a refund above the limit itself', () => {
  test('is offered to the owner, and sent once its order is approved', async () => {
    await setLimit(1_000_000n)
    const invoice = await paidIn(4_000_000n)
    const address = newAddress()
    const refund = await asked(rig.ask(invoice, '3', { address }))
    const { offerDigest } = await turnUntil(invoice, ({ waitingFor }) => waitingFor !== null)
    expect(await shown(invoice)).toMatchObject({
      waiting: { reason: 'owner_approval', approvalDigest: offerDigest },
    })
    if (offerDigest === null) throw new Error('nothing is to be approved')
    expect((await alarms()).join()).toContain(`remit hub approve ${offerDigest}`)
    await wake()
    await rig.turn(2)
    expect((await rig.refundOf(invoice)).offerDigest).toBe(offerDigest)
    expect(await rowOf(refund)).toMatchObject({ deadline: null })
    await owner({ abi: HUB_ABI, functionName: 'approveRefund', args: [offerDigest] })
    await turnUntil(invoice, isConfirmed)
    expect(await chain.balance(address)).toBe(3_000_000n)
  }, 60_000)

  test('gets another offer when the first one runs out', async () => {
    await setLimit(1_000_000n)
    const invoice = await paidIn(4_000_000n)
    await asked(rig.ask(invoice, '3'))
    const first = await turnUntil(invoice, ({ waitingFor }) => waitingFor !== null)
    await passTime(6 * 86_400 + 60)
    const isNew = ({ offerDigest }: Refund) => offerDigest !== first.offerDigest
    const second = await turnUntil(invoice, isNew)
    expect(second).toMatchObject({ status: 'open', waitingSince: first.waitingSince })
    const { offerDigest } = second
    await owner({ abi: HUB_ABI, functionName: 'approveRefund', args: [offerDigest ?? '0x'] })
    await turnUntil(invoice, isConfirmed)
  }, 60_000)
})

test('a refund waits while refunds are stopped, and goes on by itself', async () => {
  const invoice = await paidIn(4_000_000n)
  const refund = await asked(rig.ask(invoice, '1'))
  await owner({ abi: HUB_ABI, functionName: 'stop', args: [4] })
  await turnUntil(invoice, ({ waitingFor }) => waitingFor === 'stopped')
  expect(await shown(invoice)).toMatchObject({ status: 'open', waiting: { reason: 'stopped' } })
  await passTime(1_900)
  await owner({ abi: HUB_ABI, functionName: 'resume', args: [4] })
  await turnUntil(invoice, isConfirmed)
  expect(await rig.told(refund.id)).toEqual(['refund.created', 'refund.completed'])
}, 60_000)

describe('a number that a lost commit has given before', () => {
  /** An order of another ledger with our keys, under this number, out of a deposit of its own. */
  async function lostOrder(number: bigint) {
    const invoice = await rig.invoice()
    await chain.mint([{ to: invoice.depositAddress, amount: 1_000_000n }])
    const { timestamp } = await chain.client.getBlock()
    const order = {
      refundId: number,
      source: invoice.depositAddress,
      token: chain.usdc.address,
      to: newAddress(),
      amount: baseUnits(1_000_000n),
      feeLeft: baseUnits(0n),
      deadline: timestamp + 100_000n,
    }
    const { refundSigner } = chain.roles
    const signature = await signRefund(refundSigner, chain.hub, chain.node.chainId, order)
    const { merchantId, id: invoiceId, recipient, feeCap } = invoice
    const call = { merchantId, invoiceId, recipient, feeCap, order, signature }
    return encodeRefund([call], USUAL_GAS)
  }

  async function nextNumber(): Promise<bigint> {
    const [row] = await database<{ last: bigint }[]>`select last from refund_sequence`
    return (row?.last ?? 0n) + 1n
  }

  test('is passed over when the hub has spent it already', async () => {
    const number = await nextNumber()
    await transact(chain, chain.ownerKey, chain.hub, await lostOrder(number))
    const invoice = await paidIn(4_000_000n)
    const refund = await asked(rig.ask(invoice, '1'))
    await turnUntil(invoice, isConfirmed)
    expect((await rowOf(refund))?.orderNumber).toBe(number + 1n)
  }, 60_000)

  test('is no proof: spent meanwhile for another order, the refund gets a new one and goes on', async () => {
    const invoice = await paidIn(4_000_000n)
    const address = newAddress()
    const refund = await asked(rig.ask(invoice, '1', { address }))
    const number = await nextNumber()
    const lost = await lostOrder(number)
    await rig.follow()
    await rig.relayer.turn()
    expect((await rowOf(refund))?.orderNumber).toBe(number)
    await send(chain, chain.ownerKey, chain.hub, lost, { isFirst: true })
    await rig.turn(5)
    expect(await rig.refundOf(invoice)).toMatchObject({ status: 'open', orderNumber: number })
    await passTime(1_900)
    await turnUntil(invoice, isConfirmed)
    expect((await rowOf(refund))?.orderNumber).toBe(number + 1n)
    expect(await chain.balance(address)).toBe(1_000_000n)
    expect(await rig.told(refund.id)).toEqual(['refund.created', 'refund.completed'])
  }, 60_000)
})

describe('the fee after a refund that deployed the deposit', () => {
  const feeLeft = (invoice: Invoice) =>
    chain.client.readContract({
      address: chain.hub,
      abi: HUB_ABI,
      functionName: 'feeLeft',
      args: [invoice.depositAddress],
    })

  test('is still due while payments may be on time, though everything has gone back', async () => {
    const invoice = await paidIn(4_000_000n)
    await asked(rig.ask(invoice, '4'))
    await turnUntil(invoice, isConfirmed)
    expect(await feeLeft(invoice)).toBe(50_000n)
    const collected = await chain.balance(chain.collector)
    const treasury = newAddress()
    await database`
      update merchant set recipient = ${treasury}, config_version = config_version + 1
      where id = ${rig.merchantId}`
    await rig.pay(invoice, 11_000_000n)
    for (let turn = 0; turn < 15; turn += 1) {
      await wake()
      await rig.turn()
    }
    await database`update merchant set recipient = null where id = ${rig.merchantId}`
    expect((await rig.read(invoice)).invoice.status).toBe('completed')
    expect(await chain.balance(treasury)).toBe(10_950_000n)
    expect(await chain.balance(chain.collector)).toBe(collected + 50_000n)
  }, 60_000)

  test('costs no storage when all goes back after the deadline', async () => {
    const { timestamp } = await chain.client.getBlock()
    const closedAt = new Date(Number(timestamp) * 1_000)
    const invoice = await rig.invoice({ closedAt })
    await database`update invoice set closed_at = ${closedAt} where id = ${invoice.id}`
    await chain.node.rpc('evm_increaseTime', [60])
    await rig.pay(invoice, 4_000_000n)
    const [payment] = (await rig.read(invoice)).payments
    if (!payment) throw new Error('nothing arrived')
    await asked(rig.ask(invoice, '4', { paymentId: payment.id }))
    await turnUntil(invoice, isConfirmed)
    expect(await feeLeft(invoice)).toBe(0n)
    expect(await chain.balance(invoice.depositAddress)).toBe(0n)
  }, 60_000)
})
