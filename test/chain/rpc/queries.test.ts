import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type ChainClient, openChain } from '../../../chain/rpc/client.ts'
import { broadcast } from '../../../chain/transactions/broadcast.ts'
import { logsInBlock } from '../../../chain/transactions/logs.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { type FakeRpc, type Reaction, script, startFakeRpc } from '../../support/servers/fakeRpc.ts'

const LOST: Reaction = { type: 'drop_answer' }
const TIMEOUT_MS = 200

let chain: HubChain
let node: FakeRpc
let client: ChainClient

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
}, 120_000)

beforeEach(async () => {
  await node?.stop()
  node = startFakeRpc(chain.node.url)
  const variables = { RPC_URL_BASE_SEPOLIA: node.url, RPC_TIMEOUT_MS: String(TIMEOUT_MS) }
  client = openChain(workerConfig(chain.variables(variables)).chain)
  // The URL says which chain it is before anything else is asked.
  await client.rpc.getChainId()
})

afterAll(async () => {
  await node?.stop()
  await chain?.node.stop()
})

test('a question that got no answer is asked again, twice at most', async () => {
  node.rule(script('eth_gasPrice', [LOST, LOST]))
  expect(await client.rpc.getGasPrice()).toBeGreaterThan(0n)
  node.rule(script('eth_gasPrice', [LOST, LOST, LOST]))
  await expect(client.rpc.getGasPrice()).rejects.toThrow('HTTP request failed')
  expect(node.calls.get('eth_gasPrice')).toBe(6)
})

test('a question that is answered too late is asked again', async () => {
  node.rule(script('eth_gasPrice', [{ type: 'delay', ms: 10 * TIMEOUT_MS }]))
  expect(await client.rpc.getGasPrice()).toBeGreaterThan(0n)
})

test('an answer that is no unknown block is taken as it is, however bad', async () => {
  const refusal: Reaction = { type: 'error', code: -32_000, message: 'out of coffee' }
  node.rule(script('eth_gasPrice', [refusal]))
  await expect(client.rpc.getGasPrice()).rejects.toThrow('out of coffee')
  expect(node.calls.get('eth_gasPrice')).toBe(1)
})

test('what is sent is sent once, and whether it arrived stays open', async () => {
  node.rule(script('eth_sendRawTransaction', [LOST]))
  expect(await broadcast(client.rpc, '0x02')).toMatchObject({ type: 'unknown' })
  expect(node.calls.get('eth_sendRawTransaction')).toBe(1)
})

test('what is asked of a block again while it is asked for is asked once', async () => {
  const { hash } = await client.rpc.getBlock()
  if (hash === null) throw new Error('the block has no hash')
  const filter = { address: chain.usdc.address }
  await Promise.all(Array.from({ length: 30 }, () => logsInBlock(client.rpc, filter, hash)))
  expect(node.calls.get('eth_getLogs')).toBe(1)
  await logsInBlock(client.rpc, filter, hash)
  expect(node.calls.get('eth_getLogs')).toBe(2)
})
