import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../core/chain/evm.ts'
import { asHex } from '../../dev/servers/rpc.ts'
import { randomAddress } from '../support/indexer/ledgerRows.ts'
import {
  caughtUp,
  FAUCET,
  headOf,
  indexed,
  openRigDatabase,
  type RigChain,
  type RigDatabase,
  type RunningIndexer,
  startIndexer,
  startRigChain,
} from '../support/indexer/rig.ts'
import { type FakeRpc, startFakeRpc } from '../support/servers/fakeRpc.ts'
import { flooder, receivers } from '../support/servers/hostileCode.ts'

/** Ponder beside contracts of strangers that log more than a response of a node may have. */

const FLOODER = lowerCaseAddress(`0x${'f1'.repeat(20)}`)
const BOUND = 500_000
/** Of some 360 bytes each. */
const LOGS = 2_500

let chain: RigChain
let database: RigDatabase
let node: FakeRpc
let indexer: RunningIndexer

beforeAll(async () => {
  chain = await startRigChain('base-sepolia')
  database = await openRigDatabase()
  node = startFakeRpc(chain.node.url)
  await chain.node.rpc('anvil_setCode', [FLOODER, flooder(chain.usdc, LOGS)])
  await chain.pay(FLOODER, 1_000n)
  await chain.node.mine()
  indexer = await startIndexer(database.url, [chain], {
    RPC_URL_BASE_SEPOLIA: node.url,
    RPC_MAX_RESPONSE_BYTES_BASE_SEPOLIA: String(BOUND),
  })
  await caughtUp(database.sql, [chain])
}, 120_000)

afterAll(async () => {
  await indexer?.stop()
  await node?.stop()
  await database?.close()
}, 60_000)

test('a payment beside thousands of logs of a stranger is indexed, and so are the blocks after it', async () => {
  const [paid, later] = [await database.watch(), await database.watch()]
  // The stranger's own transaction moves the token to us and to someone else, too.
  const data = receivers([await database.watch(), randomAddress()])
  const flood = { from: FAUCET, to: FLOODER, data, gas: '0x1c9c380' }
  const hostile = asHex(await chain.node.rpc('eth_sendTransaction', [flood]))
  const honest = await chain.pay(paid, 5n)
  await chain.node.mine()
  const { hash } = await headOf(chain)
  const all = await chain.node.rpc('eth_getLogs', [{ blockHash: hash }])
  expect(JSON.stringify(all).length).toBeGreaterThan(BOUND)
  await indexed(database.sql, chain, hostile)
  await indexed(database.sql, chain, honest)
  const next = await chain.pay(later, 6n)
  await chain.node.mine()
  await indexed(database.sql, chain, next)
  await caughtUp(database.sql, [chain])
}, 60_000)
