import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { logsOfTransactions } from '../../../chain/transactions/logs.ts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database.ts'
import type { PendingPayment } from '../../../store/invoice/payment/payments.ts'
import { ShownPayments } from '../../../workers/evidence/payments.ts'
import { confirmPayments } from '../../../workers/ledger/invoices/projector.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { flooder, receivers } from '../../support/servers/hostileCode.ts'
import { isOfBlock } from '../../support/servers/provider.ts'
import { newHash } from '../../support/store/database.ts'

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

async function flood(deposits: readonly Address[]): Promise<void> {
  const { node, mine } = shared.chain
  const [from]: unknown[] = Object(await node.rpc('eth_accounts', []))
  const transaction = { from, to: FLOODER, data: receivers(deposits), gas: '0x1000000' }
  await node.rpc('eth_sendTransaction', [transaction])
  await mine()
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
  expect(rig.projection.work.setbacks(new Date())).toHaveLength(INVOICES)
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
