import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { RpcRequestError } from 'viem'
import { accountNonce, hasCode, readNativeBalances } from '../../../chain/blocks/accounts.ts'
import { headerAt, readHead, viewAt } from '../../../chain/blocks/blocks.ts'
import { isOperator } from '../../../chain/hub/contract.ts'
import { isRefundSpent } from '../../../chain/hub/refunds.ts'
import { readMerchant } from '../../../chain/hub/registry.ts'
import { type ChainClient, openChain } from '../../../chain/rpc/client.ts'
import { isRpcFault, isUnknownBlock, UnknownBlockError } from '../../../chain/rpc/faults.ts'
import type { View } from '../../../chain/rpc/view.ts'
import { readBalances } from '../../../chain/tokens/balances.ts'
import { readFacts } from '../../../chain/x402/authorizationFacts.ts'
import { asMerchantId } from '../../../core/base/ids.ts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { randomHex } from '../../support/x402/authorizations.ts'

/** States are read at a block's hash, and what a node doesn't know is never a no. */

const NOWHERE: View = { number: 1n, hash: `0x${'12'.repeat(32)}` }

let chain: HubChain
let node: FakeRpc
let client: ChainClient
let operator: Address

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  node = startFakeRpc(chain.node.url)
  client = openChain(workerConfig(chain.variables({ RPC_URL_BASE_SEPOLIA: node.url })).chain)
  operator = addressOf(chain.relayerKeys[0] ?? '0x')
}, 120_000)

beforeEach(() => node.rule())

afterAll(async () => {
  await node?.stop()
  await chain?.node.stop()
})

function queryOf(holder: Address) {
  return {
    token: chain.usdc.address,
    authorization: {
      from: holder,
      to: holder,
      value: 1n,
      validAfter: 0n,
      validBefore: 1n,
      nonce: randomHex(32),
    },
    signature: randomHex(65),
    walletGas: 0n,
    preparation: null,
    isTried: false,
  }
}

/** Every read of a state, by its name. */
function reads(view: View): Record<string, () => Promise<unknown>> {
  const { rpc } = client
  const holder = lowerCaseAddress(randomHex(20))
  const nobody = asMerchantId('0198c1f0-0000-7000-8000-000000000000')
  const query = queryOf(holder)
  return {
    accountNonce: () => accountNonce(rpc, operator, view),
    readNativeBalances: () => readNativeBalances(rpc, [operator], view),
    hasCode: () => hasCode(rpc, chain.hub, view),
    isOperator: () => isOperator(rpc, chain.hub, operator, view),
    isRefundSpent: () => isRefundSpent(rpc, chain.hub, BigInt(randomHex(32)), view),
    readMerchant: () => readMerchant(rpc, chain.hub, nobody, view),
    readBalances: () => readBalances(rpc, chain.usdc.address, [holder], view),
    readFacts: () => readFacts(rpc, [query], { view }),
  }
}

describe('a view', () => {
  test('shows what was so at its block, regardless of what happened since', async () => {
    const holder = lowerCaseAddress(randomHex(20))
    const before = await readHead(client.rpc)
    await chain.mint([{ to: holder, amount: 7n }])
    await chain.node.rpc('anvil_setBalance', [holder, '0x5'])
    await chain.node.rpc('anvil_setCode', [holder, '0x00'])
    await chain.mine()
    const after = await readHead(client.rpc)
    const { rpc } = client
    const { address } = chain.usdc
    expect(await readBalances(rpc, address, [holder], before)).toEqual([0n as never])
    expect(await readBalances(rpc, address, [holder], after)).toEqual([7n as never])
    expect(await readNativeBalances(rpc, [holder], before)).toEqual([0n as never])
    expect(await readNativeBalances(rpc, [holder], after)).toEqual([5n as never])
    expect(await hasCode(rpc, holder, before)).toBe(false)
    expect(await hasCode(rpc, holder, after)).toBe(true)
    const start = await viewAt(rpc, 0n)
    expect(await hasCode(rpc, chain.hub, start)).toBe(false)
    await expect(isOperator(rpc, chain.hub, operator, start)).rejects.toThrow()
    expect(await isOperator(rpc, chain.hub, operator, after)).toBe(true)
    const owner = addressOf(chain.ownerKey)
    const nonces = [start, after].map((view) => accountNonce(rpc, owner, view))
    const [atStart, now] = await Promise.all(nonces)
    expect(atStart).toBe(0n)
    expect(now).toBeGreaterThan(0n)
  })

  test('is asked for again while some nodes of a pool do not know it yet', async () => {
    await chain.mine(4)
    const view = await readHead(client.rpc)
    let calls = 0
    node.rule(() => (++calls % 2 > 0 ? { type: 'stale', blocks: 2 } : undefined))
    for (const read of Object.values(reads(view))) await read()
  })

  test('that no node knows is unknown after a bounded number of tries', async () => {
    for (const [name, read] of Object.entries(reads(NOWHERE))) {
      const before = totalCalls()
      const error: unknown = await read().catch((thrown: unknown) => thrown)
      expect([name, isUnknownBlock(error), isRpcFault(error)]).toEqual([name, true, true])
      expect(totalCalls() - before).toBeLessThanOrEqual(8)
    }
  })

  test('above the head is unknown', async () => {
    const { number } = await readHead(client.rpc)
    expect(await headerAt(client.rpc, number + 5n)).toBeNull()
    await expect(viewAt(client.rpc, number + 5n)).rejects.toThrow(UnknownBlockError)
  })
})

test('facts of the newest block never fall behind those of a moment ago', async () => {
  await chain.mine(4)
  let calls = 0
  // Two of three nodes are behind.
  node.rule(() => (++calls % 3 > 0 ? { type: 'stale', blocks: 3 } : undefined))
  const query = queryOf(lowerCaseAddress(randomHex(20)))
  let highest = (await readFacts(client.rpc, [query]))[0]?.blockNumber ?? 0n
  for (let i = 0; i < 20; i += 1) {
    const [facts] = await readFacts(client.rpc, [query])
    if (facts === undefined) throw new Error('there are no facts')
    expect(facts.blockNumber).toBeGreaterThanOrEqual(highest)
    highest = facts.blockNumber
  }
})

function totalCalls(): number {
  return [...node.calls.values()].reduce((sum, count) => sum + count, 0)
}

test('the words in which nodes do not know a block are known, and no others', () => {
  const says = (message: string) =>
    isUnknownBlock(new RpcRequestError({ body: {}, error: { code: -32_000, message }, url: '' }))
  for (const words of [
    'unknown block',
    'Unknown block',
    'header not found',
    'header for hash not found',
    'block not found',
    'Block Not Found',
    'block not found: hash 0xabc',
    'block 0x1f could not be found',
    'cannot find block hash 0x1f',
    'block is out of range',
    'BlockOutOfRangeError: block height is 3 but requested was 9',
    'block range extends beyond current head block',
    'cannot query unfinalized data: requested height is after last accepted block',
  ]) {
    expect([words, says(words)]).toEqual([words, true])
  }
  for (const words of [
    'execution reverted',
    'block range is too wide',
    'eth_getLogs is limited to a 10,000 range',
    'nonce too low',
    'method not found',
    'query returned more than 10000 results',
    'account not found',
  ]) {
    expect([words, says(words)]).toEqual([words, false])
  }
})
