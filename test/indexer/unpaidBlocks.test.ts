import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { encodeFunctionData, erc20Abi } from 'viem'
import { isRawHeader, type RawHeader } from '../../indexer/transport/rawHeader.ts'
import { UnpaidBlocks } from '../../indexer/transport/unpaidBlocks.ts'
import { watchedTransport } from '../../indexer/transport/watched.ts'
import { randomAddress } from '../support/indexer/ledgerRows.ts'
import {
  activeAt,
  openRigDatabase,
  type RigChain,
  type RigDatabase,
  startRigChain,
} from '../support/indexer/rig.ts'
import { type FakeRpc, script, startFakeRpc } from '../support/servers/fakeRpc.ts'

/** What Ponder asks of a new block, once its header was announced: the logs and all transactions. */

/** One that the local node signs for. */
const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

let chain: RigChain
let database: RigDatabase
let node: FakeRpc

beforeAll(async () => {
  chain = await startRigChain('base-sepolia')
  database = await openRigDatabase()
  node = startFakeRpc(chain.node.url)
}, 120_000)

beforeEach(() => node.rule())

afterAll(async () => {
  await node.stop()
  await database.close()
})

/** Mines a block and asks for it as Ponder does. */
async function askForNext() {
  await chain.node.mine()
  const header = await chain.node.rpc('eth_getBlockByNumber', ['latest', false])
  if (!isRawHeader(header)) throw new Error('the node has no head')
  const { request } = watchedTransport({
    chain: activeAt(chain.chain, [node.url]),
    tokens: [chain.usdc],
    hub: chain.hub,
    database: database.sql,
    headerOf: (hash) => (hash === header.hash ? header : null),
  })({ retryCount: 0 })
  // Which chain the node is of is asked for before the first call.
  await request({ method: 'eth_blockNumber' })
  const before = new Map(node.calls)
  const asked = (method: string) => (node.calls.get(method) ?? 0) - (before.get(method) ?? 0)
  const read = async () => {
    const [block, logs] = await Promise.all([
      request({ method: 'eth_getBlockByHash', params: [header.hash, true] }),
      request({ method: 'eth_getLogs', params: [{ blockHash: header.hash }] }),
    ])
    return { block: Object(block), logs: list(logs), header }
  }
  return { read, asked }
}

function list(value: unknown): readonly Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error('the answer is no list')
  return value
}

/** All that a header says, without which transactions there are. */
function headerIn({ transactions: _, ...header }: RawHeader): object {
  return header
}

test('a block without transactions is asked for by no one', async () => {
  const { read, asked } = await askForNext()
  const { block, logs, header } = await read()
  expect(logs).toEqual([])
  expect(block).toEqual({ ...headerIn(header), transactions: [] })
  expect([asked('eth_getLogs'), asked('eth_getBlockByHash')]).toEqual([0, 0])
})

test('of a block in which no one we watch is paid only the logs are asked for, once', async () => {
  await chain.pay(randomAddress(), 1n)
  const hash = await chain.pay(randomAddress(), 2n)
  const { read, asked } = await askForNext()
  const { block, logs, header } = await read()
  expect(await read()).toMatchObject({ logs })
  expect(logs).toMatchObject([{ topics: [], blockHash: header.hash }])
  expect(headerIn(block)).toEqual(headerIn(header))
  // The log that stands for the others has its transaction, as Ponder demands.
  const [{ transactionHash, transactionIndex } = {}] = logs
  expect(block.transactions).toMatchObject([
    {
      hash: transactionHash,
      transactionIndex,
      blockHash: header.hash,
      blockNumber: header.number,
    },
  ])
  expect(hash).not.toBe(String(transactionHash))
  expect([asked('eth_getLogs'), asked('eth_getBlockByHash')]).toEqual([1, 0])
})

test('logs that Ponder does not keep ask for no transactions either', async () => {
  await chain.pay(randomAddress(), 1n)
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [randomAddress(), 1n],
  })
  for (let i = 0; i < 2; i += 1) {
    const transaction = { from: ACCOUNT, to: chain.usdc, data: approve, gas: '0x7a120' }
    await chain.node.rpc('eth_sendTransaction', [transaction])
  }
  const { read, asked } = await askForNext()
  const { block, logs } = await read()
  expect(logs).toHaveLength(2)
  const places = (some: readonly Record<string, unknown>[], name: string) =>
    some.map((one) => `${one[name]} ${one.transactionIndex}`)
  expect(places(list(block.transactions), 'hash')).toEqual(places(logs, 'transactionHash'))
  expect([asked('eth_getLogs'), asked('eth_getBlockByHash')]).toEqual([1, 0])

  await chain.deployForwarder(`0x${'cd'.repeat(16)}`)
  const next = await askForNext()
  await next.read()
  expect(next.asked('eth_getBlockByHash')).toBe(1)
})

test('of a block with a payment to us the transactions are the real ones', async () => {
  const hash = await chain.pay(await database.watch(), 3n)
  const other = await chain.pay(randomAddress(), 4n)
  const { read, asked } = await askForNext()
  const { block, logs } = await read()
  expect(logs.map(({ transactionHash }) => transactionHash)).toEqual([hash])
  expect(list(block.transactions).map((one) => one.hash)).toEqual([hash, other])
  expect([asked('eth_getLogs'), asked('eth_getBlockByHash')]).toEqual([1, 1])
})

test('logs that a node refused or did not have yet are asked for again', async () => {
  const hash = await chain.pay(await database.watch(), 5n)
  const { read } = await askForNext()
  const refused = { type: 'error', code: -32_603, message: 'internal error' } as const
  node.rule(script('eth_getLogs', [refused, { type: 'result', result: [] }]))
  await expect(read()).rejects.toThrow('internal error')
  expect((await read()).logs).toEqual([])
  expect((await read()).logs.map(({ transactionHash }) => transactionHash)).toEqual([hash])
})

test('what Ponder does to one answer is not in the next', async () => {
  await chain.pay(randomAddress(), 6n)
  const { read } = await askForNext()
  const first = await read()
  Object.assign(first.logs[0] ?? {}, { topics: ['spoilt'] })
  expect((await read()).logs[0]?.topics).toEqual([])
})

test('logs are kept for a few blocks and no longer', async () => {
  const asked: unknown[] = []
  const logsOf = async (call: { params?: unknown }) => {
    asked.push(call.params)
    return [{ topics: [] }]
  }
  const rest = { number: '0x1', parentHash: '0x0', timestamp: '0x1', gasLimit: '0x1' }
  const header = (hash: string) => ({ hash, ...rest })
  const blocks = new UnpaidBlocks(logsOf, logsOf, () => false, header)
  const read = (i: number) =>
    blocks.logs({ method: 'eth_getLogs', params: [{ blockHash: `0x${i}` }] })
  for (let i = 0; i < 9; i += 1) await read(i)
  await read(8)
  expect(asked).toHaveLength(9)
  await read(0)
  expect(asked).toHaveLength(10)
})
