import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Transport } from 'viem'
import type { Address } from '../../core/chain/evm.ts'
import { watchedTransport } from '../../indexer/transport/watched.ts'
import { openDatabase } from '../../store/database/database.ts'
import { randomAddress } from '../support/indexer/ledgerRows.ts'
import {
  activeAt,
  headOf,
  openRigDatabase,
  type RigChain,
  type RigDatabase,
  startRigChain,
} from '../support/indexer/rig.ts'
import { type FakeRpc, type Reaction, startFakeRpc } from '../support/servers/fakeRpc.ts'
import type { RpcCall } from '../support/servers/otherNode.ts'
import { isOfBlock, play } from '../support/servers/provider.ts'

interface Log {
  readonly address: string
  readonly topics: readonly string[]
  readonly blockHash: string
  readonly transactionHash: string
}

let chain: RigChain
let database: RigDatabase

beforeAll(async () => {
  chain = await startRigChain('base-sepolia')
  database = await openRigDatabase()
})

afterAll(() => database.close())

test('transfers to watched addresses pass and those to others are taken out', async () => {
  const watched = await database.watch()
  const first = await chain.pay(watched, 5n)
  await chain.pay(randomAddress(), 6n)
  await chain.node.mine()
  const logs = await logsOfHead(transport())
  expect(logs.map((log) => log.transactionHash)).toEqual([first])
})

test('an address that is committed while the logs are fetched is already known', async () => {
  const address = randomAddress()
  const hash = await chain.pay(address, 7n)
  await chain.node.mine()
  let isCommitted = false
  // It answers with the logs of the block only after the address was committed.
  const slowNode = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const headers = { 'content-type': 'application/json' }
      const body = await request.text()
      const answer = await fetch(chain.node.url, { method: 'POST', headers, body })
      if (!body.includes('eth_getLogs')) return answer
      await database.watch(address)
      isCommitted = true
      return answer
    },
  })
  const logs = await logsOfHead(transport([slowNode.url.href]))
  await slowNode.stop(true)
  expect(isCommitted).toBe(true)
  expect(logs.map((log) => log.transactionHash)).toEqual([hash])
})

test('a block in which no one is paid keeps one log without topics, as its bloom demands', async () => {
  await chain.pay(randomAddress(), 1n)
  await chain.pay(randomAddress(), 2n)
  await chain.node.mine()
  const logs = await logsOfHead(transport())
  expect(logs).toHaveLength(1)
  expect(logs[0]?.topics).toEqual([])
  expect(logs[0]?.blockHash).toBe((await headOf(chain)).hash)
})

test('a range in which no one is paid is empty', async () => {
  await chain.pay(randomAddress(), 9n)
  await chain.node.mine()
  const number = (await headOf(chain)).number
  const block = `0x${number.toString(16)}`
  const logs = await getLogs(transport(), {
    fromBlock: block,
    toBlock: block,
    address: chain.usdc,
  })
  expect(logs).toEqual([])
})

test('of a range that ends at a tag only what is watched is left as well', async () => {
  const watched = await database.watch()
  const hash = await chain.pay(watched, 4n)
  await chain.pay(randomAddress(), 8n)
  await chain.node.mine()
  const fromBlock = `0x${(await headOf(chain)).number.toString(16)}`
  const filter = { fromBlock, toBlock: 'latest', address: chain.usdc }
  const logs = await getLogs(transport(), filter)
  expect(logs.map((log) => log.transactionHash)).toEqual([hash])
})

test('logs of the hub pass untouched, and those of contracts that are not indexed are not asked for', async () => {
  await chain.deployForwarder(`0x${'ab'.repeat(16)}`)
  await chain.pay(randomAddress(), 3n)
  await chain.node.mine()
  const logs = await logsOfHead(transport())
  expect(logs.map((log) => log.address)).toEqual([chain.hub])
  const ofHub = await logsOfHead(transport([chain.node.url], []))
  expect(ofHub.map((log) => log.address)).toEqual([chain.hub])
})

describe('a block that a node shows empty although its header leaves room for logs of ours', () => {
  let node: FakeRpc
  beforeEach(() => {
    node = startFakeRpc(chain.node.url)
  })
  afterEach(() => node.stop())
  const empty = (call: RpcCall): Reaction | undefined =>
    isOfBlock(call) ? { type: 'result', result: [] } : undefined

  test('is read from another URL', async () => {
    node.rule(empty)
    const hash = await chain.pay(await database.watch(), 9n)
    await chain.node.mine()
    const logs = await logsOfHead(transport([node.url, chain.node.url]))
    expect(logs.map((log) => log.transactionHash)).toEqual([hash])
  })

  test('is an empty answer, which Ponder refuses, and then what the node shows', async () => {
    const through = transport([node.url])
    const hash = await chain.pay(await database.watch(), 9n)
    await chain.node.mine()
    node.rule(empty)
    expect(await logsOfHead(through)).toEqual([])
    node.rule()
    expect((await logsOfHead(through)).map((log) => log.transactionHash)).toEqual([hash])
  })

  test('is believed to be when it is shown so once more, with a log that stands for the others', async () => {
    const through = transport([node.url])
    const hash = await chain.pay(randomAddress(), 9n)
    await chain.node.mine()
    node.rule(empty)
    expect(await logsOfHead(through)).toEqual([])
    const { hash: blockHash } = await headOf(chain)
    expect(await logsOfHead(through)).toMatchObject([
      {
        address: chain.usdc,
        topics: [],
        blockHash,
        transactionHash: hash,
        transactionIndex: '0x0',
      },
    ])
  })
})

test('a range that is wider than the node allows is read in pieces, and never an error', async () => {
  const watched = await database.watch()
  const from = (await headOf(chain)).number
  const first = await chain.pay(watched, 5n)
  await chain.node.rpc('anvil_mine', ['0x1e'])
  const last = await chain.pay(watched, 6n)
  await chain.node.mine()
  const node = startFakeRpc(chain.node.url)
  play(node, { logRange: { most: 10, words: 'alchemyFree' }, logResults: 3 })
  const to = (await headOf(chain)).number
  const logs = await getLogs(transport([node.url]), {
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
    address: chain.usdc,
  })
  expect(logs.map((log) => log.transactionHash)).toEqual([first, last])
  // The whole range once, then ten blocks at a time.
  expect(node.calls.get('eth_getLogs')).toBeLessThanOrEqual(6)
  await node.stop()
})

test('a database that does not answer is an error and never "no one watches"', async () => {
  await chain.pay(randomAddress(), 4n)
  await chain.node.mine()
  const away = openDatabase('postgres://remit@127.0.0.1:1/remit', { name: 'away' })
  const broken = watchedTransport({
    chain: activeAt(chain.chain, [chain.node.url]),
    tokens: [chain.usdc],
    hub: chain.hub,
    database: away,
  })
  await expect(logsOfHead(broken)).rejects.toThrow()
  await away.end({ timeout: 0 })
})

test('the next RPC URL answers when the one before does not', async () => {
  const watched = await database.watch()
  const hash = await chain.pay(watched, 8n)
  await chain.node.mine()
  const logs = await logsOfHead(transport(['http://127.0.0.1:1', chain.node.url]))
  expect(logs.map((log) => log.transactionHash)).toEqual([hash])
})

function transport(
  rpcUrls: readonly string[] = [chain.node.url],
  tokens: readonly Address[] = [chain.usdc],
): Transport {
  return watchedTransport({
    chain: activeAt(chain.chain, rpcUrls),
    tokens,
    hub: chain.hub,
    database: database.sql,
  })
}

async function logsOfHead(through: Transport): Promise<readonly Log[]> {
  const { hash } = await headOf(chain)
  return await getLogs(through, { blockHash: hash })
}

async function getLogs(through: Transport, filter: object): Promise<readonly Log[]> {
  const { request } = through({ retryCount: 0 })
  const answer: unknown = await request({ method: 'eth_getLogs', params: [filter] })
  if (!Array.isArray(answer)) throw new Error('the answer is no list of logs')
  return answer
}
