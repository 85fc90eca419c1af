import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { CanonicalBlocks } from '../../../chain/blocks/canonical.ts'
import { type ChainClient, openChain } from '../../../chain/rpc/client.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { type FakeRpc, type Rule, startFakeRpc } from '../../support/servers/fakeRpc.ts'

const DEPTH = 8n

let chain: HubChain
let node: FakeRpc
let client: ChainClient
let blocks: CanonicalBlocks

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  node = startFakeRpc(chain.node.url)
  client = openChain(workerConfig(chain.variables({ RPC_URL_BASE_SEPOLIA: node.url })).chain)
}, 120_000)

beforeEach(async () => {
  node.rule()
  await chain.mine(12)
  blocks = new CanonicalBlocks(client.rpc, DEPTH)
  await advance()
})

afterAll(async () => {
  await node?.stop()
  await chain?.node.stop()
})

/** Has the reader follow the chain's own head; returns its height. */
async function advance(): Promise<bigint> {
  const head = await readHead(chain.client)
  await blocks.advance(head)
  return head.number
}

async function hashOnChain(number: bigint): Promise<Hex> {
  return (await chain.client.getBlock({ blockNumber: number })).hash
}

/** A node that gives no answer about blocks above this height. */
function silentAbove(height: bigint): Rule {
  return ({ method, params }) =>
    method === 'eth_getBlockByNumber' && BigInt(String(params[0])) > height
      ? { type: 'drop_answer' }
      : undefined
}

describe('a reader of the canonical chain', () => {
  test('knows every block up to its head, and none above it', async () => {
    const head = await advance()
    for (let number = head; number > head - DEPTH - 2n; number -= 1n) {
      expect(await blocks.hashAt(number)).toBe(await hashOnChain(number))
    }
    expect(await blocks.hashAt(head + 1n)).toBeNull()
  })

  test('replaces exactly the blocks that a reorganisation displaced', async () => {
    const head = await advance()
    const before = await hashOnChain(head - 3n)
    const kept = await hashOnChain(head - 4n)
    expect(await blocks.hashAt(head - 4n)).toBe(kept)
    await chain.node.rpc('anvil_reorg', [4, []])
    await chain.mine()
    await advance()
    expect(await blocks.hashAt(head - 3n)).not.toBe(before)
    expect(await blocks.hashAt(head - 3n)).toBe(await hashOnChain(head - 3n))
    const asked = node.calls.get('eth_getBlockByNumber')
    expect(await blocks.hashAt(head - 4n)).toBe(kept)
    expect(node.calls.get('eth_getBlockByNumber')).toBe(asked)
  })

  test('follows a reorganisation to a chain that is shorter', async () => {
    const head = await advance()
    const displaced = await hashOnChain(head - 2n)
    const snapshot = await chain.client.getBlock({ blockNumber: head - 2n })
    await chain.node.rpc('anvil_rollback', [3])
    await chain.node.rpc('evm_increaseTime', [60])
    await chain.mine()
    expect(await advance()).toBe(snapshot.number)
    expect(await blocks.hashAt(head)).toBeNull()
    expect(await blocks.hashAt(head - 2n)).not.toBe(displaced)
    expect(await blocks.hashAt(head - 2n)).toBe(await hashOnChain(head - 2n))
  })

  test('begins again after a gap that is wider than reorganisations are deep', async () => {
    await chain.mine(Number(DEPTH) + 1)
    const asked = node.calls.get('eth_getBlockByNumber')
    const head = await advance()
    expect(node.calls.get('eth_getBlockByNumber')).toBe(asked)
    expect(await blocks.hashAt(head - 1n)).toBe(await hashOnChain(head - 1n))
  })

  test('stays as it was when the node does not answer, and takes the same head later', async () => {
    const before = await advance()
    expect(await blocks.hashAt(before - 2n)).toBe(await hashOnChain(before - 2n))
    await chain.node.rpc('anvil_reorg', [2, []])
    await chain.mine(3)
    const head = await readHead(chain.client)
    node.rule(silentAbove(before))
    await expect(blocks.advance(head)).rejects.toThrow()
    expect(await blocks.hashAt(head.number)).toBeNull()
    node.rule()
    // What was asked before is still under way, and shared by those who ask for the same.
    await eventually(
      () =>
        blocks.advance(head).then(
          () => true,
          () => false,
        ),
      (isDone) => isDone,
    )
    for (let number = before - 2n; number <= head.number; number += 1n) {
      expect(await blocks.hashAt(number)).toBe(await hashOnChain(number))
    }
  })

  test('says nothing about a block that the node does not link to the head', async () => {
    const head = await advance()
    const foreign = await chain.client.request({
      method: 'eth_getBlockByNumber',
      params: ['0x1', false],
    })
    const low = `0x${(head - 3n).toString(16)}`
    node.rule(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === low
        ? { type: 'result', result: { ...foreign, number: low } }
        : undefined,
    )
    expect(await blocks.hashAt(head - 3n)).toBeNull()
    node.rule()
    expect(await blocks.hashAt(head - 3n)).toBe(await hashOnChain(head - 3n))
  })
})
