import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import { openRelayer, settleAll } from '../../support/relayer/relayers.ts'
import { dueSweeps, expectSweptOnce, expectUnbrokenNonces } from '../../support/relayer/sweeps.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { behave, type FakeRpc, misbehave, startFakeRpc } from '../../support/servers/fakeRpc.ts'

const TIMEOUT_MS = 200

let chain: HubChain
let node: FakeRpc
let database: Database

beforeAll(async () => {
  chain = await startHubChain({ relayers: 2 })
  node = startFakeRpc(chain.node.url)
  database = await freshDatabase()
}, 120_000)

afterAll(async () => {
  await database?.end()
  await node?.stop()
  await chain?.node.stop()
})

test('a relayer sweeps each deposit once on a bad day of its node', async () => {
  const collected = await chain.balance(chain.collector)
  const sweeps = await dueSweeps(database, chain, 40)
  // Deep enough that a node which is two blocks behind knows the deposits.
  await chain.mine(2)
  const variables = { RELAYER_BATCH_MAX: '2', RPC_TIMEOUT_MS: String(TIMEOUT_MS) }
  const relayers = chain.relayerKeys.map((key, i) =>
    openRelayer(database, chain, { key, rpcUrl: node.url, workerId: `worker-${i}`, variables }),
  )
  misbehave(node, TIMEOUT_MS)
  await settleAll(database, chain, relayers)
  behave(node)
  await expectSweptOnce(database, chain, sweeps, collected)
  await expectUnbrokenNonces(database, chain)
  const keys = await database<{ status: string }[]>`select status from relayer_key`
  expect(keys.map(({ status }) => status)).toEqual(['active', 'active'])
}, 120_000)
