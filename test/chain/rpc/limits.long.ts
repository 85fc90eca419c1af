import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { numberToHex, RpcRequestError } from 'viem'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { type ChainClient, openChain } from '../../../chain/rpc/client.ts'
import { rpcCallCounts } from '../../../chain/rpc/counters.ts'
import { isRateLimited, UnknownBlockError } from '../../../chain/rpc/faults.ts'
import { exceedsLimit, namedRange } from '../../../chain/rpc/limits.ts'
import { broadcast } from '../../../chain/transactions/broadcast.ts'
import { logsWithTopics } from '../../../chain/transactions/logs.ts'
import { TRANSFERRED } from '../../../chain/x402/authorizationUse.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { play, RANGE_WORDS, RARE_METHODS } from '../../support/servers/provider.ts'

/** What providers allow is learnt from their answers, and kept to. */

const BLOCKS = 1_200n

let chain: HubChain
let node: FakeRpc
let client: ChainClient
/** The ranges of eth_getLogs that the node was asked for, in blocks. */
let ranges: number[] = []
/** Transfers of this chain, by what a node without limits says. */
let transfers: number

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  for (let i = 0; i < 6; i += 1) {
    await chain.mint([{ to: chain.collector, amount: 1n }])
    await chain.node.rpc('anvil_mine', [numberToHex(200)])
  }
  transfers = (await logsWithTopics(chain.client, chain.usdc.address, [TRANSFERRED], 0n, BLOCKS))
    .length
}, 120_000)

beforeEach(async () => {
  await node?.stop()
  node = startFakeRpc(chain.node.url)
  client = opened()
  ranges = []
  await readHead(client.rpc)
})

afterAll(async () => {
  await node?.stop()
  await chain?.node.stop()
})

function opened(variables: Record<string, string> = {}): ChainClient {
  return openChain(
    workerConfig(chain.variables({ RPC_URL_BASE_SEPOLIA: node.url, ...variables })).chain,
  )
}

function allTransfers() {
  return logsWithTopics(client.rpc, chain.usdc.address, [TRANSFERRED], 0n, BLOCKS)
}

/** How many calls of this process nodes have refused as too many. */
function refusals(): number {
  const limited = rpcCallCounts().filter(({ outcome }) => outcome === 'rate_limited')
  return limited.reduce((sum, { count }) => sum + count, 0)
}

/** Notes the ranges that the node answers or refuses from now on, beside what it plays. */
function noteRanges(): void {
  node.requests(({ calls }) => {
    for (const { method, params } of calls) {
      if (method !== 'eth_getLogs') continue
      const { fromBlock, toBlock } = Object(params[0])
      ranges.push(Number(toBlock) - Number(fromBlock) + 1)
    }
    return undefined
  })
}

describe('a range of blocks', () => {
  test.each([
    [500, 'alchemy'],
    [500, 'quicknode'],
    [10, 'alchemyFree'],
    [100, 'bnb'],
    [100, 'cloudflare'],
  ] as const)(
    'of more than %i is refused once in the words of %s, and never asked for again',
    async (most, words) => {
      play(node, { logRange: { most, words } })
      noteRanges()
      expect(await allTransfers()).toHaveLength(transfers)
      expect(ranges.filter((range) => range > most)).toHaveLength(1)
      expect(client.logRange()).toBe(BigInt(most))
      await allTransfers()
      expect(ranges.filter((range) => range > most)).toHaveLength(1)
    },
  )

  test('that is refused without a figure is halved, and grows again', async () => {
    play(node, { logRange: { most: 300, words: 'infura' } })
    noteRanges()
    expect(await allTransfers()).toHaveLength(transfers)
    expect(ranges.slice(0, 3)).toEqual([1_201, 600, 300])
    play(node)
    const before = client.logRange()
    await allTransfers()
    expect(client.logRange()).toBeGreaterThan(before)
  })

  test('is as wide as is configured, from the first one on', async () => {
    client = opened({ RPC_MAX_LOG_RANGE_BASE_SEPOLIA: '50' })
    noteRanges()
    expect(await allTransfers()).toHaveLength(transfers)
    expect(Math.max(...ranges)).toBe(50)
  })

  test('with more logs than an answer may hold is read in smaller pieces', async () => {
    play(node, { logResults: 2 })
    expect(await allTransfers()).toHaveLength(transfers)
  })

  test('is not taken from a node that has stood still for long', async () => {
    const { number } = await readHead(client.rpc)
    const search = () =>
      logsWithTopics(client.rpc, chain.usdc.address, [TRANSFERRED], number - 300n, number - 100n)
    const logs = await search()
    expect(logs.length).toBeGreaterThan(0)
    play(node, { node: { type: 'frozen', at: Number(number) - 300 } })
    await expect(search()).rejects.toThrow(UnknownBlockError)
  })

  test('that one URL refuses in any size is read from another', async () => {
    const other = startFakeRpc(chain.node.url)
    const { rpc } = opened({ RPC_URL_BASE_SEPOLIA: [node.url, other.url].join(',') })
    node.rule(({ method }) =>
      method === 'eth_getLogs'
        ? { type: 'error', code: -32_000, message: 'not available on this plan' }
        : undefined,
    )
    const { number, hash } = await chain.client.getBlock()
    const read = logsWithTopics(rpc, chain.usdc.address, [TRANSFERRED], number - 3n, number)
    expect(await read).toHaveLength(0)
    expect(await rpc.request({ method: 'eth_getLogs', params: [{ blockHash: hash }] })).toEqual([])
    await other.stop()
  })

  test('that ends above what a node has is unknown, and not empty', async () => {
    const head = await readHead(client.rpc)
    play(node, { node: { type: 'stale', blocks: 5 } })
    const { rpc } = client
    const read = logsWithTopics(rpc, chain.usdc.address, [TRANSFERRED], head.number, head.number)
    await expect(read).rejects.toThrow(UnknownBlockError)
    play(node, { pool: { nodes: 2, lagging: 1, blocks: 5 } })
    await chain.mint([{ to: chain.collector, amount: 1n }])
    const { number } = await chain.client.getBlock()
    for (let i = 0; i < 10; i += 1) {
      const found = await logsWithTopics(rpc, chain.usdc.address, [TRANSFERRED], number, number)
      expect(found).toHaveLength(1)
    }
  })
})

test('the widest range is found in the words of providers', () => {
  for (const words of Object.values(RANGE_WORDS)) {
    const named = namedRange(words(2_000, 5))
    expect(named === null || named === 2_000n).toBe(true)
  }
  for (const [words, blocks] of [
    ['You can make eth_getLogs requests with up to a 2K block range', 2_000n],
    ['eth_getLogs and eth_newFilter are limited to a 10,000 blocks range', 10_000n],
    ['eth_getLogs is limited to 0 - 1000 blocks range', 1_000n],
    ['ranges over 10000 blocks are not supported on freetier', 10_000n],
    ['eth_getLogs range is too large, max is 1k blocks', 1_000n],
    ['Maximum allowed number of requested blocks is 1000', 1_000n],
    ['exceed maximum block range: 50000', 50_000n],
    ['query exceeds max block range 1000', 1_000n],
    ['query returned more than 10000 results', null],
    ['block range is too wide', null],
    ['response size exceeds limit', null],
  ] as const) {
    expect([words, namedRange(words)]).toEqual([words, blocks])
  }
})

test('what was refused as too often, or for an unknown block, is no matter of the range', () => {
  const says = (message: string) =>
    exceedsLimit(new RpcRequestError({ body: {}, error: { code: -32_005, message }, url: '' }))
  expect(says('too many requests')).toBe(false)
  expect(says('header not found')).toBe(false)
  expect(says('query returned more than 10000 results')).toBe(true)
})

test('a search and the question for its last block are never in two batches', async () => {
  client = opened({ RPC_MAX_BATCH_BASE_SEPOLIA: '3' })
  const { number } = await readHead(client.rpc)
  const batches: string[][] = []
  node.requests(({ calls }) => {
    batches.push(calls.map(({ method }) => method))
    return undefined
  })
  const search = () => logsWithTopics(client.rpc, chain.usdc.address, [TRANSFERRED], number, number)
  await Promise.all([search(), search(), search()])
  const pair = ['eth_getLogs', 'eth_getBlockByNumber']
  expect(batches).toEqual([pair, pair, pair])
  client = opened({ RPC_REQUESTS_PER_SECOND_BASE_SEPOLIA: '1' })
  await client.rpc.getGasPrice()
  batches.length = 0
  await search()
  expect(batches).toEqual([pair])
})

describe('too many calls', () => {
  test('are not sent again before the time that the node names', async () => {
    const times: number[] = []
    node.requests(() => {
      times.push(performance.now())
      if (times.length > 1) return undefined
      return { type: 'status', status: 429, headers: { 'retry-after': '1' } }
    })
    await client.rpc.getGasPrice()
    const [first = 0, second = 0] = times
    expect(second - first).toBeGreaterThanOrEqual(1_000)
  })

  test('wait as long as the node says, and are never taken for too wide a range', async () => {
    play(node, { callsPerSecond: 10 })
    const before = client.logRange()
    const start = performance.now()
    const reads = Array.from({ length: 30 }, () => client.rpc.getGasPrice())
    await Promise.all([...reads, allTransfers()])
    expect(performance.now() - start).toBeGreaterThan(1_000)
    expect(client.logRange()).toBe(before)
  })

  test('are never sent where the rate is configured, and money goes first', async () => {
    client = opened({ RPC_REQUESTS_PER_SECOND_BASE_SEPOLIA: '20' })
    await readHead(client.rpc)
    await Bun.sleep(1_000)
    // What is sent in two seconds may arrive in one.
    play(node, { callsPerSecond: 45 })
    const before = refusals()
    const order: string[] = []
    const note = (name: string) => (): void => void order.push(name)
    const reads = Array.from({ length: 60 }, () => client.rpc.getGasPrice().then(note('turn')))
    const hash = `0x${'11'.repeat(32)}` as const
    const money = client.rpc
      .request({ method: 'eth_getTransactionReceipt', params: [hash] })
      .then(note('money'))
    await Promise.all([...reads, money])
    expect(order.indexOf('money')).toBeLessThan(20)
    expect(refusals()).toBe(before)
  })

  test('that wait hold up no transaction', async () => {
    client = opened({ RPC_REQUESTS_PER_SECOND_BASE_SEPOLIA: '5' })
    await readHead(client.rpc)
    const order: string[] = []
    const reads = Array.from({ length: 24 }, async () => {
      await client.rpc.getGasPrice()
      order.push('read')
    })
    await Promise.race(reads)
    await broadcast(client.rpc, '0x02')
    order.push('transaction')
    await Promise.all(reads)
    // Four reads take their turn at a time, and five turns come after the first.
    expect(order.indexOf('transaction')).toBeLessThan(20)
  })
})

describe('batches', () => {
  test('that are refused are sent call by call, from then on', async () => {
    play(node, { batchMax: 0 })
    const twelve = () => Promise.all(Array.from({ length: 12 }, () => client.rpc.getGasPrice()))
    await twelve()
    const after = node.requestCount()
    await twelve()
    expect(node.requestCount() - after).toBe(12)
  })

  test('are as large as is configured', async () => {
    client = opened({ RPC_MAX_BATCH_BASE_SEPOLIA: '4' })
    await readHead(client.rpc)
    play(node, { batchMax: 4 })
    const before = node.requestCount()
    await Promise.all(Array.from({ length: 12 }, () => client.rpc.getGasPrice()))
    expect(node.requestCount() - before).toBe(3)
  })
})

test('a gateway that fails now and then is asked again', async () => {
  play(node, { unavailable: 0.1, seed: 7 })
  for (let i = 0; i < 40; i += 1) expect(await client.rpc.getGasPrice()).toBeGreaterThan(0n)
})

test('methods that a provider lacks are no matter of waiting', async () => {
  play(node, { missing: RARE_METHODS })
  const asked = client.rpc.request({
    method: 'eth_getBlockReceipts' as never,
    params: ['0x1'] as never,
  })
  const error: unknown = await asked.catch((thrown: unknown) => thrown)
  expect(isRateLimited(error)).toBe(false)
  expect(String(error)).toContain('does not exist')
})

test('every call is counted by its method and how it ended', async () => {
  const countOf = (method: string, outcome: string) =>
    rpcCallCounts().find((one) => one.method === method && one.outcome === outcome)?.count ?? 0
  const before = [countOf('eth_gasPrice', 'ok'), countOf('eth_gasPrice', 'unanswered')]
  await client.rpc.getGasPrice()
  let left = 1
  node.requests(() => (left-- > 0 ? { type: 'status', status: 503 } : undefined))
  await client.rpc.getGasPrice()
  expect([countOf('eth_gasPrice', 'ok'), countOf('eth_gasPrice', 'unanswered')]).toEqual([
    (before[0] ?? 0) + 2,
    (before[1] ?? 0) + 1,
  ])
  const others = countOf('other', 'refused')
  await client.rpc.request({ method: 'eth_madeUp' as never }).catch(() => undefined)
  expect(countOf('other', 'refused')).toBe(others + 1)
})
