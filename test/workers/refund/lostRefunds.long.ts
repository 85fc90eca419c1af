import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { encodeRefund } from '../../../chain/hub/refunds.ts'
import { recoverOrders } from '../../../cli/operate/recoverRefunds.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import type { Invoice, Refund } from '../../../core/invoice/state.ts'
import { saveProjectedBlock } from '../../../store/chain/state.ts'
import { readRefundOrders } from '../../../store/refund/work.ts'
import { examineOrders } from '../../../workers/refund/examinedOrders.ts'
import { Searches } from '../../../workers/turns/searches.ts'
import { signRefund } from '../../support/hub/signatures.ts'
import { newAddress, type OwnRefundRig, openRefundRig } from '../../support/invoice/refunds.ts'
import { transact } from '../../support/relayer/transactions.ts'

/** Refunds that were paid by orders whose commit a failover has lost. */

let rig: OwnRefundRig

beforeAll(async () => {
  rig = await openRefundRig()
}, 120_000)
afterAll(() => rig?.close())

async function asked(invoice: Invoice, amount: string, address: Address): Promise<Refund> {
  const result = await rig.ask(invoice, amount, { address })
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.refund
}

async function paidIn(amount: bigint): Promise<Invoice> {
  const invoice = await rig.invoice()
  await rig.pay(invoice, amount)
  return invoice
}

async function lastNumber(): Promise<bigint> {
  const [row] = await rig.database<{ last: bigint }[]>`select last from refund_sequence`
  return row?.last ?? 0n
}

/** The hub carries out what our keys have signed for an invoice, and no row knows it. */
async function payForgotten(invoice: Invoice, to: Address, units: bigint, number: bigint) {
  const { chain } = rig
  const { timestamp } = await chain.client.getBlock()
  const order = {
    refundId: number,
    source: invoice.depositAddress,
    token: chain.usdc.address,
    to,
    amount: baseUnits(units),
    feeLeft: baseUnits(50_000n),
    deadline: timestamp + 1_800n,
  }
  const { refundSigner } = chain.roles
  const signature = await signRefund(refundSigner, chain.hub, chain.node.chainId, order)
  const { merchantId, id: invoiceId, recipient, feeCap } = invoice
  const call = { merchantId, invoiceId, recipient, feeCap, order, signature }
  const data = encodeRefund([call], USUAL_GAS)
  const { status } = await transact(chain, chain.ownerKey, chain.hub, data)
  expect(status).toBe('success')
}

/** The indexer has passed everything and the chain's clock runs on, so that the confirmed time does. */
async function turnUntil(invoice: Invoice, status: Refund['status']): Promise<Refund> {
  await rig.chain.node.rpc('evm_increaseTime', [2])
  await saveProjectedBlock(rig.database, rig.chain.networkId, 1_000_000n)
  for (let turn = 0; turn < 20; turn += 1) {
    await rig.turn()
    const refund = await rig.refundOf(invoice)
    if (refund.status === status) return refund
  }
  throw new Error(`the refund is ${(await rig.refundOf(invoice)).status}`)
}

const recover = () => {
  const { client, config } = rig.projection
  return recoverOrders(rig.database, client.chain, config.hub)
}

test('a deposit that has paid by a forgotten order pays no refund before that is read back; others do', async () => {
  const { chain } = rig
  const [invoice, other] = [await paidIn(4_000_000n), await paidIn(4_000_000n)]
  const to = newAddress()
  const refund = await asked(invoice, '1', to)
  const number = (await lastNumber()) + 1n
  await payForgotten(invoice, to, 1_000_000n, number)
  const elsewhere = newAddress()
  await asked(other, '1', elsewhere)
  // The other one passes the number over, and it stays known.
  expect(await turnUntil(other, 'confirmed')).toMatchObject({ orderNumber: number + 1n })
  await rig.turn(3)
  expect(await rig.refundOf(invoice)).toMatchObject({ status: 'open', orderNumber: null })
  expect([await chain.balance(to), await chain.balance(elsewhere)]).toEqual([
    1_000_000n,
    1_000_000n,
  ])

  expect(await recover()).toMatchObject([{ orderNumber: number, refundId: refund.id }])
  expect(await turnUntil(invoice, 'confirmed')).toMatchObject({ orderNumber: number })
  expect(await rig.told(refund.id)).toEqual(['refund.created', 'refund.completed'])
  expect(await chain.balance(to)).toBe(1_000_000n)
  expect(await recover()).toEqual([])
  // What is asked for afterwards goes out.
  const next = newAddress()
  const [later] = [await rig.ask(invoice, '1', { address: next })]
  expect(later?.ok).toBe(true)
  for (let turn = 0; turn < 20 && (await chain.balance(next)) === 0n; turn += 1) await rig.turn()
  expect(await chain.balance(next)).toBe(1_000_000n)
}, 120_000)

test('a refund that was lost with its order is asked for again, and not sent again', async () => {
  const { chain } = rig
  const invoice = await paidIn(4_000_000n)
  const to = newAddress()
  const number = (await lastNumber()) + 1n
  await payForgotten(invoice, to, 1_500_000n, number)
  await chain.mine(3)
  expect(await recover()).toMatchObject([{ orderNumber: number, refundId: null }])
  const refund = await asked(invoice, '1.5', to)
  await rig.turn(3)
  expect(await rig.refundOf(invoice)).toMatchObject({ status: 'open', orderNumber: null })
  expect(await recover()).toMatchObject([{ orderNumber: number, refundId: refund.id }])
  await turnUntil(invoice, 'confirmed')
  expect(await chain.balance(to)).toBe(1_500_000n)
  // The next one of its deposit is not taken for it.
  const next = newAddress()
  await asked(invoice, '1', next)
  for (let turn = 0; turn < 20 && (await chain.balance(next)) === 0n; turn += 1) await rig.turn()
  expect(await chain.balance(next)).toBe(1_000_000n)
}, 120_000)

test('the work of a refund that was read back ends, whatever has become of its payment since', async () => {
  const { chain, database } = rig
  const invoice = await paidIn(4_000_000n)
  const to = newAddress()
  const refund = await asked(invoice, '1', to)
  await payForgotten(invoice, to, 1_000_000n, (await lastNumber()) + 1n)
  await chain.mine(3)
  expect(await recover()).toMatchObject([{ refundId: refund.id }])
  const [item] = await database<{ id: bigint }[]>`
    select id from work_item where subject_id = ${refund.id}`
  const { client, config } = rig.projection
  const context = { database, client, config, searches: new Searches(client) }
  const examined = await examineOrders(
    { ...context, head: await readHead(client.rpc) },
    await readRefundOrders(database, item === undefined ? [] : [item.id]),
    async () => undefined,
    async () => 0n,
  )
  expect([...examined.values()]).toMatchObject([{ fault: null }])
}, 120_000)
