import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { openChain } from '../../chain/rpc/client.ts'
import { rpcCallCounts } from '../../chain/rpc/counters.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { followHead, type HeadSource } from '../../indexer/transport/headSource.ts'
import type { NodeHead } from '../../store/chain/heads.ts'
import { activeAt, headOf, type RigChain, startRigChain } from '../support/indexer/rig.ts'
import { eventually } from '../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../support/servers/fakeRpc.ts'
import { play } from '../support/servers/provider.ts'

/** The head of a chain with two RPC URLs, whose blocks come only when a test mines them. */

let chain: RigChain
let one: FakeRpc
let two: FakeRpc
let announced: { number: bigint; hash: string; nodes: readonly NodeHead[] }[] = []
let poll: () => Promise<void>
/** They end with the nodes: others could get their ports, and would be asked. */
const followed: HeadSource[] = []

beforeAll(async () => {
  chain = await startRigChain('base-sepolia')
  one = startFakeRpc(chain.node.url)
  two = startFakeRpc(chain.node.url)
  const active = { ...activeAt(chain.chain, [one.url, two.url]), wsUrl: null }
  const source = follow(active, ({ number, hash }, nodes) => {
    announced.push({ number: BigInt(number), hash, nodes })
  })
  poll = () => source.poll()
}, 120_000)

beforeEach(async () => {
  play(one)
  play(two)
  await eventually(
    async () => {
      await poll()
      return last()?.hash
    },
    (hash) => hash !== undefined,
  )
  const { hash } = await headOf(chain)
  await eventually(
    async () => announced.at(-1)?.hash,
    (last) => last === hash,
  )
  announced = []
})

afterAll(async () => {
  for (const source of followed) source.close()
  await one.stop()
  await two.stop()
})

const last = () => announced.at(-1)

function follow(active: ActiveChain, announce: Parameters<typeof followHead>[1]) {
  const client = openChain(active)
  const source = followHead(client, announce, () => client.identify(null, null))
  followed.push(source)
  return source
}

/** Waits until the present head of the chain is announced. */
async function untilAnnounced() {
  const head = await headOf(chain)
  await eventually(
    async () => last()?.hash,
    (hash) => hash === head.hash,
    10_000,
  )
  return head
}

test('a node that stands still keeps the head from no one, and shows by its host', async () => {
  const at = Number((await headOf(chain)).number)
  play(one, { node: { type: 'frozen', at } })
  await chain.node.mine()
  await Bun.sleep(300)
  await chain.node.mine()
  const head = await untilAnnounced()
  await Bun.sleep(500)
  await eventually(
    async () => last()?.nodes[1]?.head,
    (number) => number === head.number,
  )
  const [frozen, fresh] = last()?.nodes ?? []
  expect(frozen).toMatchObject({ host: new URL(one.url).host, head: BigInt(at) })
  expect(frozen?.unmovedMs).toBeGreaterThan(fresh?.unmovedMs ?? Number.NaN)
})

test('nodes that lag behind never take the head back', async () => {
  await chain.node.mine()
  await chain.node.mine()
  const head = await untilAnnounced()
  for (const node of [one, two]) {
    play(node, { pool: { nodes: 2, lagging: 1, blocks: 2 } })
  }
  await Bun.sleep(1_500)
  expect(last()?.hash).toBe(head.hash)
  const from = announced.findIndex(({ hash }) => hash === head.hash)
  expect(announced.slice(from).every(({ hash }) => hash === head.hash)).toBe(true)
})

test('a node that hangs does not hold up the other', async () => {
  // Longer than the test waits for the other.
  play(one, { latencyMs: 12_000 })
  await chain.node.mine()
  await untilAnnounced()
})

test('a reorganisation to as high a block is announced', async () => {
  await chain.node.mine()
  await untilAnnounced()
  await chain.node.rpc('anvil_reorg', [1, []])
  await untilAnnounced()
})

test('a node that answers for another chain is named with what is wrong with it', async () => {
  const other = startFakeRpc(chain.node.url)
  other.rule(({ method }) =>
    method === 'eth_chainId' ? { type: 'result', result: '0x1' } : undefined,
  )
  const active = { ...activeAt(chain.chain, [other.url, one.url]), wsUrl: null }
  let nodes: readonly NodeHead[] = []
  const source = follow(active, (_, shown) => {
    nodes = shown
  })
  await eventually(
    async () => nodes.map(({ head, fault }) => [head === null, fault]),
    ([first, second]) => first?.[1] === 'wrong_chain' && second?.[0] === false,
  )
  expect(nodes[0]).toMatchObject({ host: new URL(other.url).host, head: null })
  expect(nodes[1]?.fault).toBeNull()
  source.close()
  await other.stop()
})

describe('a WebSocket URL', () => {
  let feed: Feed
  let source: HeadSource
  let heard: string[]

  beforeEach(async () => {
    feed = startFeed()
    heard = []
    // Looks are so far apart that what is announced meanwhile was heard.
    const slow = { blockTimeMs: 600_000, headPolling: 'paced' } as const
    const active = { ...activeAt(chain.chain, [one.url]), ...slow, wsUrl: feed.url }
    source = follow(active, ({ hash }) => heard.push(hash))
    const { hash } = await headOf(chain)
    await untilHeard(hash)
    await feed.subscribed
  })

  afterEach(() => {
    source.close()
    feed.stop()
  })

  const untilHeard = (hash: string) =>
    eventually(
      async () => heard.at(-1),
      (newest) => newest === hash,
    )

  test('is heard where an RPC URL has the block, regardless of what came before', async () => {
    const malformed = (outcome: string) =>
      rpcCallCounts().find((c) => c.method === 'eth_subscribe' && c.outcome === outcome)?.count ?? 0
    const before = malformed('malformed')
    await chain.node.mine()
    const header = Object(await chain.node.rpc('eth_getBlockByNumber', ['latest', false]))
    feed.send('no JSON')
    feed.tell({ ...header, number: 'abc' })
    feed.tell({ ...header, hash: '0x12' })
    feed.tell(7)
    feed.tell(header)
    await untilHeard(header.hash)
    expect(malformed('malformed') - before).toBe(3)
  })

  test('of another chain or branch announces nothing, and ends no following', async () => {
    const { number } = await headOf(chain)
    const header = Object(await chain.node.rpc('eth_getBlockByNumber', ['latest', false]))
    const next = `0x${(number + 1n).toString(16)}`
    const before = one.calls.get('eth_getBlockByHash') ?? 0
    feed.tell({ ...header, number: next, hash: `0x${'5a'.repeat(32)}` })
    await eventually(
      async () => (one.calls.get('eth_getBlockByHash') ?? 0) - before,
      // So often it is asked for before it counts as unknown.
      (times) => times >= 8,
    )
    await chain.node.mine()
    feed.tell(await chain.node.rpc('eth_getBlockByNumber', ['latest', false]))
    const { hash } = await headOf(chain)
    await untilHeard(hash)
    expect(heard).not.toContain(`0x${'5a'.repeat(32)}`)
  })

  test('that announces another block at the head’s height has the nodes looked at', async () => {
    await chain.node.rpc('anvil_reorg', [1, []])
    feed.tell(await chain.node.rpc('eth_getBlockByNumber', ['latest', false]))
    const { hash } = await headOf(chain)
    await untilHeard(hash)
  })

  test('that repeats an older block takes nothing back', async () => {
    const old = await chain.node.rpc('eth_getBlockByNumber', ['0x1', false])
    await chain.node.mine()
    const head = await chain.node.rpc('eth_getBlockByNumber', ['latest', false])
    feed.tell(head)
    await untilHeard(Object(head).hash)
    const asked = one.calls.get('eth_getBlockByHash') ?? 0
    feed.tell(old)
    await eventually(
      async () => one.calls.get('eth_getBlockByHash') ?? 0,
      (times) => times > asked,
    )
    await chain.node.mine()
    const next = await chain.node.rpc('eth_getBlockByNumber', ['latest', false])
    feed.tell(next)
    await untilHeard(Object(next).hash)
    expect(heard).not.toContain(Object(old).hash)
  })
})

interface Feed {
  readonly url: string
  /** Resolves when someone has subscribed. */
  readonly subscribed: Promise<void>
  /** Tells the party that has subscribed of a header, or of what it is given for one. */
  tell(header: unknown): void
  send(message: string): void
  stop(): void
}

/** A node's WebSocket, which says what the test wants. */
function startFeed(): Feed {
  const subscribed = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, upgrading) =>
      upgrading.upgrade(request) ? undefined : new Response(null, { status: 404 }),
    websocket: {
      message(socket) {
        socket.subscribe('heads')
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' }))
        subscribed.resolve()
      },
    },
  })
  const send = (message: string) => void server.publish('heads', message)
  return {
    url: `ws://127.0.0.1:${server.port}`,
    subscribed: subscribed.promise,
    send,
    tell: (result) =>
      send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { result } })),
    stop: () => void server.stop(true),
  }
}
