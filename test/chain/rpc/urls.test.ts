import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { queryNewest } from '../../../chain/blocks/newest.ts'
import { type ChainClient, openChain } from '../../../chain/rpc/client.ts'
import { WrongChainUrlError } from '../../../chain/rpc/faults.ts'
import { broadcast } from '../../../chain/transactions/broadcast.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { play } from '../../support/servers/provider.ts'

/** Several URLs of one chain: which of them is asked. */

let chain: HubChain
const open: FakeRpc[] = []

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  await chain.mine(130)
}, 120_000)

afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.stop()))
})

afterAll(() => chain?.node.stop())

/** So many nodes in front of the chain, and a client that is given their URLs in this order. */
function urls(count: number, variables: Record<string, string> = {}) {
  const nodes = Array.from({ length: count }, () => startFakeRpc(chain.node.url))
  open.push(...nodes)
  const rpcUrls = nodes.map(({ url }) => `${url}/v2/s3cr3t`).join(',')
  const config = workerConfig(
    chain.variables({
      RPC_URL_BASE_SEPOLIA: rpcUrls,
      BLOCK_TIME_MS_BASE_SEPOLIA: '200',
      ...variables,
    }),
  )
  const [first, second] = nodes
  if (!first || !second) throw new Error('there are too few nodes')
  return { nodes, first, second, client: openChain(config.chain) }
}

function asked(node: FakeRpc, method: string): number {
  return node.calls.get(method) ?? 0
}

function stateOf(client: ChainClient, i: number): string | undefined {
  return client.urls()[i]?.state
}

describe('a URL that answers for another chain', () => {
  test('is asked for nothing else, and named by its host alone', async () => {
    const { client, first, second } = urls(2)
    const { host } = new URL(first.url)
    first.rule(({ method }) =>
      method === 'eth_chainId' ? { type: 'result', result: '0x1' } : undefined,
    )
    for (let i = 0; i < 5; i += 1) await readHead(client.rpc)
    expect(asked(first, 'eth_gasPrice') + asked(second, 'eth_gasPrice')).toBe(0)
    // The genesis block was asked for together with the chain's id.
    expect(asked(first, 'eth_getBlockByNumber')).toBe(1)
    expect(client.urls()[0]).toMatchObject({ host, state: 'wrong_chain', head: null })
    expect(JSON.stringify(client.urls().map((one) => ({ ...one, head: 0 })))).not.toContain(
      's3cr3t',
    )
    expect(client.each).toHaveLength(1)
    const raw = await broadcast(client.rpc, '0x02')
    expect(raw.type).not.toBe('accepted')
    expect([first, second].map((node) => asked(node, 'eth_sendRawTransaction'))).toEqual([0, 1])
  })

  test('is not one that names no chain at all, and is looked at again at once', async () => {
    const { client, first } = urls(2)
    first.rule(({ method }) =>
      method === 'eth_chainId' ? { type: 'result', result: { a: [1] } } : undefined,
    )
    await readHead(client.rpc)
    expect(stateOf(client, 0)).not.toBe('wrong_chain')
    first.rule()
    await eventually(
      async () => {
        await readHead(client.rpc)
        return stateOf(client, 0)
      },
      (state) => state === 'healthy',
    )
  })

  test('is told by its first block from the chain that is on record', async () => {
    const foreign = startFakeRpc(chain.node.url)
    open.push(foreign)
    foreign.rule(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === '0x0'
        ? { type: 'result', result: { number: '0x0', hash: `0x${'77'.repeat(32)}` } }
        : undefined,
    )
    const { client, first } = urls(2)
    const { chain: active } = workerConfig(
      chain.variables({ RPC_URL_BASE_SEPOLIA: [foreign.url, first.url].join(',') }),
    )
    const mixed = openChain(active)
    const genesis = await client.identify(null, null)
    expect(await mixed.identify(genesis, null)).toBe(genesis)
    expect(mixed.urls().map(({ state }) => state)).toEqual(['wrong_chain', 'healthy'])
    expect((await readHead(mixed.rpc)).number).toBeGreaterThan(100n)
    const { chain: lone } = workerConfig(chain.variables({ RPC_URL_BASE_SEPOLIA: foreign.url }))
    const wrong = openChain(lone)
    await expect(wrong.identify(genesis, null)).rejects.toThrow(WrongChainUrlError)
    await expect(readHead(wrong.rpc)).rejects.toThrow('has another genesis block')
  })
})

describe('a node', () => {
  test('that stands still is left for one that moves', async () => {
    const { client, first, second } = urls(2)
    const { number } = await readHead(client.rpc)
    play(first, { node: { type: 'frozen', at: Number(number) } })
    await readHead(client.rpc)
    await Bun.sleep(2_100)
    await chain.mine(3)
    await eventually(
      async () => (await readHead(client.rpc)).number,
      (seen) => seen >= number + 3n,
    )
    // Ten block times, by which it is known that it will not move again.
    expect(stateOf(client, 0)).toBe('frozen')
    expect(stateOf(client, 1)).toBe('healthy')
    const before = asked(first, 'eth_getBalance')
    await client.rpc.getBalance({ address: chain.hub })
    expect(asked(first, 'eth_getBalance')).toBe(before)
    expect(asked(second, 'eth_getBalance')).toBe(1)
  })

  test('that does not know a block leaves the answer to another', async () => {
    const { client, first, second } = urls(2)
    await readHead(client.rpc)
    play(first, { node: { type: 'stale', blocks: 3 } })
    const { hash } = await chain.client.getBlock()
    const code = await client.rpc.getCode({ address: chain.hub, blockHash: hash })
    expect(code?.length).toBeGreaterThan(10)
    expect([asked(first, 'eth_getCode'), asked(second, 'eth_getCode')]).toEqual([1, 1])
    // The one that knew is asked first from now on.
    await client.rpc.getBalance({ address: chain.hub, blockHash: hash })
    expect(asked(first, 'eth_getBalance')).toBe(0)
  })

  test('on a branch that parts deeper than reorganisations reach is not asked', async () => {
    const { client, first, second } = urls(2)
    const { number } = await readHead(client.rpc)
    await eventually(
      async () => asked(first, 'eth_getBlockByNumber'),
      (count) => count >= 3,
    )
    play(second, { node: { type: 'forked', from: Number(number) - 100 } })
    first.requests(() => ({ type: 'status', status: 503 }))
    await expect(client.rpc.getBalance({ address: chain.hub })).rejects.toThrow()
    expect(stateOf(client, 1)).toBe('forked')
    expect(asked(second, 'eth_getBalance')).toBe(0)
  })

  test('that is away is asked last, and first again when it is back', async () => {
    const { client, first, second } = urls(2)
    await readHead(client.rpc)
    first.requests(() => ({ type: 'status', status: 503 }))
    for (let i = 0; i < 4; i += 1) await client.rpc.getGasPrice()
    expect(asked(second, 'eth_gasPrice')).toBe(4)
    expect(stateOf(client, 0)).toBe('unreachable')
    const requests = first.requestCount()
    await client.rpc.getGasPrice()
    expect(first.requestCount()).toBe(requests)
    first.requests()
    // A look at it follows the next head that is read.
    await readHead(client.rpc)
    await eventually(
      async () => stateOf(client, 0),
      (state) => state === 'healthy',
    )
    await client.rpc.getGasPrice()
    expect(asked(first, 'eth_gasPrice')).toBe(1)
  })

  test('that was away is asked first again where no one asks for heads', async () => {
    const { client, first } = urls(2)
    await client.rpc.getGasPrice()
    first.requests(() => ({ type: 'status', status: 503 }))
    await client.rpc.getGasPrice()
    expect(stateOf(client, 0)).toBe('unreachable')
    first.requests()
    await Bun.sleep(2_100)
    await client.rpc.getGasPrice()
    await eventually(
      async () => stateOf(client, 0),
      (state) => state === 'healthy',
    )
    const before = asked(first, 'eth_gasPrice')
    await client.rpc.getGasPrice()
    expect(asked(first, 'eth_gasPrice')).toBe(before + 1)
  })
})

describe('with a final block of the ledger’s', () => {
  /** What the ledger has, and from where on the other branch has blocks of its own. */
  async function fork() {
    const head = Number(await chain.client.getBlockNumber())
    const { number, hash } = await chain.client.getBlock({ blockNumber: BigInt(head - 60) })
    const { hash: genesis } = await chain.client.getBlock({ blockNumber: 0n })
    return { genesis, anchor: { number, hash }, from: head - 100 }
  }

  test('the first URL does not decide which branch is right', async () => {
    const { client, first, second } = urls(2)
    const { genesis, anchor, from } = await fork()
    play(first, { node: { type: 'forked', from } })
    await client.identify(genesis, anchor)
    expect([stateOf(client, 0), stateOf(client, 1)]).toEqual(['forked', 'healthy'])
    const { hash } = await readHead(client.rpc)
    expect(hash).toBe((await chain.client.getBlock()).hash)
    await client.rpc.getBalance({ address: chain.hub })
    expect([first, second].map((node) => asked(node, 'eth_getBalance'))).toEqual([0, 1])
  })

  test('a URL without it is not asked because the others are away', async () => {
    const { client, first, second } = urls(2)
    const { genesis, anchor, from } = await fork()
    play(first, { node: { type: 'forked', from } })
    second.requests(() => ({ type: 'status', status: 503 }))
    await expect(client.identify(genesis, anchor)).rejects.toThrow()
    expect(stateOf(client, 0)).toBe('forked')
    second.requests()
    await client.identify(genesis, anchor)
    expect([stateOf(client, 0), stateOf(client, 1)]).toEqual(['forked', 'healthy'])
  })

  test('that no URL has, all are asked', async () => {
    const { client, first, second } = urls(2)
    const { genesis, anchor, from } = await fork()
    for (const node of [first, second]) play(node, { node: { type: 'forked', from } })
    await client.identify(genesis, anchor)
    await readHead(client.rpc)
    await client.each[0]?.getGasPrice()
    await client.each[1]?.getGasPrice()
    expect([stateOf(client, 0), stateOf(client, 1)]).toEqual(['healthy', 'healthy'])
  })
})

test('a head is not below one that was shown before, whichever node of a pool answers', async () => {
  const { client, first } = urls(2)
  const one = openChain(workerConfig(chain.variables({ RPC_URL_BASE_SEPOLIA: first.url })).chain)
  const head = await readHead(client.rpc)
  await readHead(one.rpc)
  let requests = 0
  // Two of three requests go to a node that is behind.
  first.requests(() => (++requests % 3 > 0 ? { type: 'stale', blocks: 3 } : undefined))
  for (let i = 0; i < 5; i += 1) expect((await readHead(one.rpc)).number).toBe(head.number)
  // When all of them are, it is what there is.
  play(first, { node: { type: 'stale', blocks: 3 } })
  expect((await readHead(one.rpc)).number).toBe(head.number - 3n)
})

test('a URL that names a far block leads no other, and holds up no answer', async () => {
  const { client, first } = urls(2)
  const { number } = await readHead(chain.client)
  first.rule(({ method, params }) => {
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return undefined
    const far = `0x${(number + 1_000_000n).toString(16)}`
    return {
      type: 'change',
      change: (answer) => ({ result: { ...Object(answer.result), number: far } }),
    }
  })
  for (const one of client.each) await readHead(one)
  expect(client.urls().map(({ state }) => state)).toEqual(['ahead', 'healthy'])
  for (let i = 0; i < 3; i += 1) expect((await readHead(client.rpc)).number).toBe(number)
  const ask = () => Promise.resolve(number)
  expect(await queryNewest(client.rpc, ask, (block) => block)).toBe(number)
  expect(asked(first, 'eth_getBlockByNumber')).toBeLessThan(4)
})

test('what is sent goes to every URL, and one that takes it is enough', async () => {
  const { client, first, second } = urls(2)
  await readHead(client.rpc)
  first.rule(({ method }) =>
    method === 'eth_sendRawTransaction'
      ? { type: 'error', code: -32_000, message: 'nonce too low' }
      : undefined,
  )
  second.rule(({ method }) =>
    method === 'eth_sendRawTransaction' ? { type: 'result', result: '0x01' } : undefined,
  )
  expect(await broadcast(client.rpc, '0x02')).toEqual({ type: 'accepted' })
  second.rule(({ method }) =>
    method === 'eth_sendRawTransaction' ? { type: 'drop_answer' } : undefined,
  )
  expect(await broadcast(client.rpc, '0x02')).toMatchObject({ type: 'nonce_too_low' })
})

test('what a node says of bytes is kept without the URL of another one that it asked', async () => {
  const { client, first, second } = urls(2)
  const message = 'Post "https://node.example/v2/k3y": insufficient funds'
  for (const node of [first, second]) {
    node.rule(({ method }) =>
      method === 'eth_sendRawTransaction' ? { type: 'error', code: -32_000, message } : undefined,
    )
  }
  expect(await broadcast(client.rpc, '0x02')).toEqual({
    type: 'no_funds',
    message: 'Post "<url> insufficient funds',
  })
})
