import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { addressOf } from '../../../dev/stack/keys.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { play, RARE_METHODS } from '../../support/servers/provider.ts'

/** The provider that tests play before nodes does what it says. */

let chain: HubChain
let node: FakeRpc

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  await chain.mine(12)
  node = startFakeRpc(chain.node.url)
}, 120_000)

beforeEach(() => play(node))

afterAll(async () => {
  await node?.stop()
  await chain?.node.stop()
})

/** The parsed answer to a JSON-RPC request, with the response's status. */
async function post(body: unknown) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(node.url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text && JSON.parse(text) }
}

async function ask(method: string, ...params: unknown[]) {
  const { json } = await post({ jsonrpc: '2.0', id: 1, method, params })
  return json
}

async function headNumber(): Promise<number> {
  return Number(await chain.client.getBlockNumber())
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}

describe('a provider', () => {
  test('answers from nodes of which some are behind', async () => {
    const head = await headNumber()
    play(node, { pool: { nodes: 4, lagging: 2, blocks: 3 } })
    const seen = new Map<number, number>()
    for (let i = 0; i < 60; i += 1) {
      const height = Number((await ask('eth_blockNumber')).result)
      seen.set(height, (seen.get(height) ?? 0) + 1)
    }
    expect([...seen.keys()].toSorted()).toEqual([head - 3, head])
    expect(seen.get(head)).toBeWithin(20, 41)
  })

  test('stands still', async () => {
    const head = await headNumber()
    play(node, { node: { type: 'frozen', at: head } })
    await chain.mine(3)
    expect((await ask('eth_blockNumber')).result).toBe(hex(head))
    expect((await ask('eth_getBlockByNumber', 'latest', false)).result.number).toBe(hex(head))
    expect((await ask('eth_getBlockByNumber', hex(head + 1), false)).result).toBeNull()
    const { hash } = await chain.client.getBlock()
    expect(await ask('eth_getBalance', chain.hub, { blockHash: hash })).toMatchObject({
      error: { message: 'unknown block' },
    })
  })

  test('is on a branch of its own, whose blocks are linked and known by their hashes', async () => {
    const head = await headNumber()
    const from = head - 2
    play(node, { node: { type: 'forked', from } })
    const block = async (number: number) =>
      (await ask('eth_getBlockByNumber', hex(number), false)).result
    const real = async (number: number) => chain.client.getBlock({ blockNumber: BigInt(number) })
    expect((await block(from - 1)).hash).toBe((await real(from - 1)).hash)
    expect((await block(from)).parentHash).toBe((await real(from - 1)).hash)
    for (let number = from; number <= head; number += 1) {
      const forked = await block(number)
      expect(forked.hash).not.toBe((await real(number)).hash)
      if (number > from) expect(forked.parentHash).toBe((await block(number - 1)).hash)
      expect((await ask('eth_getBlockByHash', forked.hash, false)).result.number).toBe(hex(number))
      const state = await ask('eth_getBalance', chain.hub, { blockHash: forked.hash })
      expect(state.result).toBe('0x0')
    }
    const { hash } = await real(head)
    expect((await ask('eth_getBlockByHash', hash, false)).result).toBeNull()
    const state = await ask('eth_getBalance', chain.hub, { blockHash: hash })
    expect(state.error.message).toBe('unknown block')
  })

  test('says in its own words which range is too wide, and that there are too many logs', async () => {
    const range = (from: number, to: number) =>
      ask('eth_getLogs', { fromBlock: hex(from), toBlock: hex(to) })
    play(node, { logRange: { most: 10, words: 'alchemyFree' } })
    expect((await range(1, 10)).result).toBeArray()
    expect((await range(1, 11)).error.message).toContain('with up to a 10 block range')
    play(node, { logResults: 0 })
    await chain.mint([{ to: chain.collector, amount: 1n }])
    const head = await headNumber()
    expect((await range(head, head)).error.message).toBe('query returned more than 0 results')
  })

  test('takes so many calls per second and says when to come again', async () => {
    play(node, { callsPerSecond: 5 })
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
    const answers = await Promise.all([[call, call, call], [call, call], call].map(post))
    const [refused, ...others] = answers.toSorted((a, b) => b.status - a.status)
    expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([429, '1'])
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    await Bun.sleep(1_050)
    expect((await post(call)).status).toBe(200)
  })

  test('fails now and then, refuses batches, and has no rare methods', async () => {
    play(node, { unavailable: 0.3 })
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
    const statuses: number[] = []
    for (let i = 0; i < 60; i += 1) statuses.push((await post(call)).status)
    expect(statuses.filter((status) => status === 503).length).toBeWithin(8, 31)
    play(node, { batchMax: 2, missing: RARE_METHODS })
    expect((await post([call, call])).json).toHaveLength(2)
    expect((await post([call, call, call])).json.error.message).toBe('batch size is too large')
    expect((await ask('eth_getBlockReceipts', '0x1')).error.code).toBe(-32_601)
    play(node, { batchMax: 0 })
    expect((await post([call])).status).toBe(400)
  })

  test('lacks receipts and nonces', async () => {
    await chain.mint([{ to: chain.collector, amount: 1n }])
    const { transactions } = await chain.client.getBlock()
    const [mined] = transactions
    const sender = addressOf(chain.ownerKey)
    expect((await ask('eth_getTransactionReceipt', mined)).result.status).toBe('0x1')
    expect((await ask('eth_getTransactionCount', sender, 'latest')).result).not.toBe('0x0')
    play(node, { nullReceipts: true, zeroNonces: true })
    expect((await ask('eth_getTransactionReceipt', mined)).result).toBeNull()
    expect((await ask('eth_getTransactionCount', sender, 'latest')).result).toBe('0x0')
  })

  test('counts calls by method, and requests', async () => {
    const before = { chainId: node.calls.get('eth_chainId') ?? 0, requests: node.requestCount() }
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
    await post([call, call])
    expect(node.calls.get('eth_chainId')).toBe(before.chainId + 2)
    expect(node.requestCount()).toBe(before.requests + 1)
  })
})
