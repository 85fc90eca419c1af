import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readChannel } from '../../../chain/channels/read.ts'
import { openChain } from '../../../chain/rpc/client.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { randomAddress } from '../../support/x402/authorizations.ts'

/** What is read of channels through nodes that differ in what is newest. */

let chain: HubChain
let node: FakeRpc

beforeAll(async () => {
  chain = await startHubChain()
  node = startFakeRpc(chain.node.url)
}, 120_000)

afterAll(async () => {
  await node?.stop()
  await chain?.node.stop()
})

test('a node that is behind one that has answered is asked again, and not believed', async () => {
  const { rpc } = openChain(workerConfig(chain.variables({ RPC_URL_BASE_SEPOLIA: node.url })).chain)
  const payer = randomAddress()
  const query = { receiver: randomAddress(), token: chain.usdc.address, payer }
  const read = () => readChannel(rpc, { ...query, channelId: null, calldata: null })
  await chain.mine(3)
  await chain.mint([{ to: payer, amount: 7n }])
  await chain.mine()
  const { block, payerBalance } = await read()
  expect(payerBalance).toBe(7n)
  let stale = 2
  node.requests(() => (stale-- > 0 ? { type: 'stale', blocks: 3 } : undefined))
  expect(await read()).toMatchObject({ block, payerBalance: 7n })
  node.requests()
  const view = await chain.client.getBlock({ blockNumber: block - 3n })
  const before = await readChannel(rpc, { ...query, channelId: null, calldata: null }, view)
  expect(before).toMatchObject({ block: block - 3n, payerBalance: 0n })
}, 60_000)

test('a node that takes no other time for a block is asked at its own', async () => {
  const { rpc } = openChain(workerConfig(chain.variables({ RPC_URL_BASE_SEPOLIA: node.url })).chain)
  const query = { receiver: randomAddress(), token: chain.usdc.address, payer: randomAddress() }
  let refused = 0
  node.rule(({ method, params }) => {
    if (method !== 'eth_call' || !Array.isArray(params) || params.length < 4) return undefined
    refused += 1
    return { type: 'error', code: -32_602, message: 'too many arguments, want at most 3' }
  })
  const time = BigInt(Math.floor(Date.now() / 1000)) + 60n
  const facts = await readChannel(rpc, { ...query, channelId: null, calldata: null, time })
  node.rule()
  expect(facts.payerBalance).toBe(0n)
  expect(refused).toBeGreaterThan(0)
}, 60_000)
