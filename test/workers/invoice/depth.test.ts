import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { transfersTo } from '../../../chain/tokens/transfers.ts'
import { recordTransfers } from '../../../store/invoice/payments.ts'
import { endDoubtfulRefunds } from '../../../workers/refund/ends.ts'
import { Searches } from '../../../workers/turns/searches.ts'
import { ledgerRig } from '../../support/invoice/ledger.ts'
import { type OwnRefundRig, openRefundRig } from '../../support/invoice/refunds.ts'
import { startFakeRpc } from '../../support/servers/fakeRpc.ts'

/** How deep a block must be before the ledger believes it: the chain of these tests asks for two. */

let rig: OwnRefundRig
beforeAll(async () => {
  rig = await openRefundRig()
}, 120_000)
afterAll(() => rig?.close())

describe('a payment', () => {
  test('is confirmed by the block on top of its own, and not by its own', async () => {
    const { chain, projection } = rig
    const invoice = await rig.invoice()
    await chain.mint([{ to: invoice.depositAddress, amount: 4_000_000n }])
    const { number, timestamp } = await chain.client.getBlock()
    const { usdc, networkId } = chain
    const logs = await transfersTo(
      ...([chain.client, [usdc.address], [invoice.depositAddress], number, number] as const),
    )
    const blockTime = new Date(Number(timestamp) * 1000)
    const at = { networkId, blockTime, invoiceId: invoice.id }
    const seen = logs.map(({ from: sender, ...log }) => ({ ...log, ...at, sender }))
    await recordTransfers(projection, seen, new Date())
    const read = async () => (await rig.read(invoice)).payments.map(({ status }) => status)
    await rig.follow()
    expect(await read()).toEqual(['pending'])
    await chain.mine()
    await rig.follow()
    expect(await read()).toEqual(['confirmed'])
  })
})

describe('a refund whose time is over', () => {
  test('is looked for up to the newest block with two confirmations', async () => {
    const { chain, database } = rig
    const invoice = await rig.invoice()
    await rig.pay(invoice, 4_000_000n)
    const refund = await rig.ask(invoice, '1')
    if (!refund.ok) throw new Error(refund.code)
    await database`update refund set deadline = 1, order_number = 1, fee_left = 0 where id = ${refund.refund.id}`
    await database`update chain_state set confirmed_time = now()`
    const node = startFakeRpc(chain.node.url)
    const asked: unknown[] = []
    node.rule(({ method, params }) => {
      if (method === 'eth_call') asked.push(params[1])
      return undefined
    })
    const { projection } = await ledgerRig(database, chain, node.url)
    await rig.follow()
    const head = await chain.client.getBlockNumber()
    const { changed } = await endDoubtfulRefunds(
      projection,
      new Searches(projection.client),
      new Date(),
    )
    await node.stop()
    expect(changed).toBe(1)
    const { hash } = await chain.client.getBlock({ blockNumber: head - 1n })
    expect(asked).toEqual([{ blockHash: hash }])
    expect((await rig.refundOf(invoice)).status).toBe('failed')
  })
})
