import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readSent } from '../../../chain/tokens/sent.ts'
import { logsOfTransactions } from '../../../chain/transactions/logs.ts'
import { type Address, type Hex, isHash, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { tokenOn } from '../../../core/chain/registry.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import type { PendingPayment } from '../../../store/invoice/undecided.ts'
import { type ExternalResult, recordExternalRefund } from '../../../store/refund/external.ts'
import { confirmPayments } from '../../../workers/invoice/projector.ts'
import { ShownPayments } from '../../../workers/invoice/shownPayments.ts'
import { proveExternalRefunds } from '../../../workers/refund/external.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { flooder, receivers } from '../../support/servers/hostileCode.ts'
import { isOfBlock } from '../../support/servers/provider.ts'
import { newHash } from '../../support/store/database.ts'
import { storePayment, storeSettlement } from '../../support/store/invoice.ts'

/** A stranger pays many deposits by one transaction, whose receipt is larger than any response may be. */

const FLOODER = lowerCaseAddress(`0x${'f1'.repeat(20)}`)
const INVOICES = 25
const BOUND = 500_000

let shared: RelayerRig
let database: Database
let rig: LedgerRig
let paidByStranger: Invoice[]
let honest: Invoice

beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 1 })
  const { chain } = shared
  await chain.node.rpc('anvil_setCode', [FLOODER, flooder(chain.usdc.address, 2_500)])
  await chain.mint([{ to: FLOODER, amount: 1_000_000n }])
}, 120_000)
afterAll(() => shared?.close())

beforeEach(async () => {
  const { chain, node } = shared
  node.rule()
  database = await shared.ownDatabase()
  rig = await ledgerRig(database, chain, node.url, {
    RPC_MAX_RESPONSE_BYTES_BASE_SEPOLIA: String(BOUND),
  })
  paidByStranger = []
  for (let i = 0; i < INVOICES; i += 1) paidByStranger.push(await rig.invoice())
  honest = await rig.invoice()
  const from = await chain.client.getBlockNumber()
  await flood(paidByStranger.map(({ depositAddress }) => depositAddress))
  await chain.mint([{ to: honest.depositAddress, amount: 5n }])
  await chain.mine(2)
  await rig.advance()
  await rig.record([...paidByStranger, honest], from)
}, 120_000)

async function flood(deposits: readonly Address[]): Promise<Hex> {
  const { node, mine } = shared.chain
  const [from]: unknown[] = Object(await node.rpc('eth_accounts', []))
  const transaction = { from, to: FLOODER, data: receivers(deposits), gas: '0x1000000' }
  const hash = String(await node.rpc('eth_sendTransaction', [transaction]))
  await mine()
  if (!isHash(hash)) throw new Error('nothing was sent')
  return hash
}

async function confirmed(): Promise<string[]> {
  const rows = await database<{ invoiceId: string }[]>`
    select invoice_id from payment where status = 'confirmed'`
  return rows.map(({ invoiceId }) => invoiceId)
}

test('all of its payments are judged by one call for logs, and no receipt is read', async () => {
  const { node } = shared
  const before = { bytes: node.bytes(), calls: new Map(node.calls) }
  await confirmPayments(rig.projection, new Date())
  expect(await confirmed()).toHaveLength(INVOICES + 1)
  const asked = (method: string) => (node.calls.get(method) ?? 0) - (before.calls.get(method) ?? 0)
  // Its block and that of the honest payment.
  expect([asked('eth_getLogs'), asked('eth_getTransactionReceipt')]).toEqual([2, 0])
  expect(node.bytes() - before.bytes).toBeLessThan(100_000)
})

test('where only its receipt could say more, it alone waits, and proves nothing', async () => {
  const { node } = shared
  const deposits = JSON.stringify(honest.depositAddress).slice(3, -1)
  // A node that lags shows nothing of the stranger's transaction in its block.
  node.rule((call) =>
    isOfBlock(call) && !JSON.stringify(call.params).includes(deposits)
      ? { type: 'result', result: [] }
      : undefined,
  )
  await confirmPayments(rig.projection, new Date())
  expect(await confirmed()).toEqual([honest.id])
  expect(rig.projection.work.invoices.setbacks(new Date())).toHaveLength(INVOICES)
  const [row] = await database`select count(*)::integer from payment where status = 'pending'`
  expect(row?.count).toBe(INVOICES)
})

test('a payment is not shown by a block that is not the chain’s any more, however it is asked for', async () => {
  const { chain, node } = shared
  const [row] = await database<PendingPayment[]>`
    select p.*, i.deposit_address as deposit from payment p join invoice i on i.id = p.invoice_id
    where p.invoice_id = ${honest.id}`
  if (row === undefined) throw new Error('it was not paid')
  const { rpc } = rig.projection.client
  const place = { txHash: row.txHash, block: row.blockNumber, blockHash: row.blockHash }
  const filter = { address: chain.usdc.address }
  const read = async () => [
    await new ShownPayments(rpc, [row]).find(row),
    ...(await logsOfTransactions(rpc, [place], [filter])),
  ]
  expect(await read()).toMatchObject([{ amount: 5n }, place])
  const number = `0x${row.blockNumber.toString(16)}`
  node.rule(({ method, params }) =>
    method === 'eth_getBlockByNumber' && params[0] === number
      ? { type: 'change', change: (a) => ({ result: { ...Object(a.result), hash: newHash() } }) }
      : undefined,
  )
  expect(await read()).toEqual([undefined])
})

describe('what a merchant sends back beside so many other logs', () => {
  let payer: Address
  let invoice: Invoice

  beforeEach(async () => {
    payer = newAddress()
    invoice = await rig.invoice()
    const { networkId, usdc } = shared.chain
    const place = { networkId, token: usdc.address }
    await storePayment(database, invoice.id, 12_500_000n, { ...place, sender: payer })
    await storeSettlement(database, invoice.id, 12_500_000n, place)
  })

  function shownIn(txHash: Hex) {
    const sought = { token: shared.chain.usdc.address, recipients: [payer] }
    return readSent(rig.projection.client.rpc, txHash, sought)
  }

  /** Records one of the transfers of a transaction that are alike. */
  async function record(txHash: Hex, which: number): Promise<ExternalResult> {
    const { config, client } = rig.projection
    const { networkId } = client.chain
    const sent = await shownIn(txHash)
    const transfer = sent.type === 'mined' ? sent.transfers[which] : undefined
    const token = tokenOn(client.chain, 'USDC')
    if (sent.type !== 'mined' || !transfer || !token) throw new Error(`it is ${sent.type}`)
    const { blockNumber, blockHash } = sent
    const shown = { ...transfer, networkId, txHash, blockNumber, blockHash }
    const of = { merchantId: rig.merchantId, invoiceId: invoice.id }
    return recordExternalRefund(database, config, of, shown, token)
  }

  async function prove(): Promise<string[]> {
    await shared.chain.mine(2)
    await rig.advance()
    await proveExternalRefunds(rig.projection, new Date(Date.now() + 1_000))
    const rows = await database<{ status: string }[]>`
      select status from external_refund order by alike_place`
    return rows.map(({ status }) => status)
  }

  test('counts as often as it was sent, once each', async () => {
    const txHash = await flood([payer, payer])
    const isNew = async (which: number) => {
      const result = await record(txHash, which)
      return result.ok && result.isNew
    }
    expect([await isNew(1), await isNew(1), await isNew(0), await isNew(0)]).toEqual([
      ...[true, false, true, false],
    ])
    const { networkId, usdc } = shared.chain
    await database`
      select record_sent_refund(${Bun.randomUUIDv7()}, ${invoice.id}, ${networkId}, ${txHash}, 2,
        ${usdc.address}, ${FLOODER}, ${payer}, 1, 1, ${newHash()})`
    expect(await prove()).toEqual(['confirmed', 'confirmed', 'failed'])
  })

  test('is neither proven nor disproven by a node that shows nothing of its block', async () => {
    const { chain, node } = shared
    const txHash = await flood([payer])
    expect(await record(txHash, 0)).toMatchObject({ ok: true })
    await chain.mint([{ to: payer, amount: 1n }])
    const [small] = (await chain.client.getBlock()).transactions
    if (small === undefined || !isHash(small)) throw new Error('nothing was sent')
    node.rule((call) => (isOfBlock(call) ? { type: 'result', result: [] } : undefined))
    expect(await shownIn(txHash)).toEqual({ type: 'unshown' })
    // A receipt that can be read says more.
    expect(await shownIn(small)).toMatchObject({ type: 'mined', transfers: [{ to: payer }] })
    expect(await prove()).toEqual(['mined'])
    expect(rig.projection.work.invoices.setbacks(new Date())).toEqual([])
  })
})
