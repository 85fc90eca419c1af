import { afterAll, beforeAll, test } from 'bun:test'
import { lowerCaseAddress } from '../../core/chain/evm.ts'
import {
  caughtUp,
  FAUCET,
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

/** Ponder beside blocks of 10.6 and of 85 MB of strangers' logs, in full size: what it reads is printed. */

const FLOODER = lowerCaseAddress(`0x${'f1'.repeat(20)}`)

let chain: RigChain
let database: RigDatabase
let node: FakeRpc
let indexer: RunningIndexer

beforeAll(async () => {
  chain = await startRigChain('base-sepolia')
  database = await openRigDatabase()
  node = startFakeRpc(chain.node.url)
  await chain.node.rpc('evm_setBlockGasLimit', ['0xb532b80'])
  await chain.node.rpc('anvil_setCode', [FLOODER, flooder(chain.usdc, 29_500)])
  await chain.pay(FLOODER, 1_000n)
  await chain.node.mine()
  indexer = await startIndexer(database.url, [chain], { RPC_URL_BASE_SEPOLIA: node.url })
  await caughtUp(database.sql, [chain])
}, 120_000)

afterAll(async () => {
  await indexer?.stop()
  await node?.stop()
  await database?.close()
}, 60_000)

test.each([1, 8])(
  '%d transactions of 29,500 logs in a block hold up no payment',
  async (floods) => {
    const data = receivers([await database.watch()])
    const flood = { from: FAUCET, to: FLOODER, data, gas: '0x1000000' }
    for (let i = 0; i < floods; i += 1) await chain.node.rpc('eth_sendTransaction', [flood])
    const honest = await chain.pay(await database.watch(), 5n)
    const before = node.bytes()
    const since = performance.now()
    await chain.node.mine()
    await indexed(database.sql, chain, honest)
    await caughtUp(database.sql, [chain])
    const ms = Math.round(performance.now() - since)
    console.log(
      `${floods} floods in a block: indexed after ${ms} ms, ${node.bytes() - before} bytes`,
    )
    const next = await chain.pay(await database.watch(), 6n)
    await chain.node.mine()
    await indexed(database.sql, chain, next)
  },
  120_000,
)
