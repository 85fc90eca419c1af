import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { waitUntil } from '../../dev/processes/child.ts'
import { identify } from '../../dev/processes/inspect.ts'
import { freePort } from '../../dev/servers/ports.ts'
import { readAnnounced } from '../../store/chain/heads.ts'
import { indexerHeads } from '../../store/chain/transfers.ts'
import {
  caughtUp,
  headOf,
  indexed,
  indexedOn,
  openRigDatabase,
  type RigChain,
  type RigDatabase,
  type RunningIndexer,
  startIndexer,
  startRigChain,
} from '../support/indexer/rig.ts'
import { startSilentProxyFor } from '../support/servers/silentProxy.ts'

let chain: RigChain
let database: RigDatabase
const started: RunningIndexer[] = []

beforeAll(async () => {
  chain = await startRigChain('base-sepolia')
  database = await openRigDatabase()
}, 120_000)

afterEach(async () => {
  for (const indexer of started.splice(0)) await indexer.stop()
}, 120_000)

afterAll(() => database.close())

test('a Ponder that is killed is replaced within seconds, and nothing is lost', async () => {
  const indexer = await start()
  const before = await payment()
  await indexed(database.sql, chain, before)
  const killed = indexer.ponderPid()
  process.kill(killed, 'SIGKILL')
  const meanwhile = await payment()
  const since = performance.now()
  await indexed(database.sql, chain, meanwhile)
  console.log(`Ponder killed: back after ${Math.round(performance.now() - since)} ms`)
  expect(indexer.ponderPid()).not.toBe(killed)
  expect(await indexedOn(database.sql, chain)).toContain(before)
}, 120_000)

test('an entry point that is killed takes its Ponder with it, and the next start is quick', async () => {
  const port = String(await freePort())
  const first = await start({ GRAPHQL_PORT: port })
  const before = await payment()
  await indexed(database.sql, chain, before)
  const orphan = first.ponderPid()
  process.kill(first.pid, 'SIGKILL')
  const meanwhile = await payment()
  const since = performance.now()
  await start({ GRAPHQL_PORT: port })
  await indexed(database.sql, chain, meanwhile)
  console.log(`entry point killed: back after ${Math.round(performance.now() - since)} ms`)
  expect(identify(orphan)).toBeUndefined()
  expect(await indexedOn(database.sql, chain)).toContain(before)
}, 120_000)

test('both killed at once do not leave the schema locked', async () => {
  const first = await start()
  process.kill(first.pid, 'SIGKILL')
  process.kill(first.ponderPid(), 'SIGKILL')
  const meanwhile = await payment()
  const since = performance.now()
  await start()
  await indexed(database.sql, chain, meanwhile)
  console.log(`both killed: back after ${Math.round(performance.now() - since)} ms`)
}, 120_000)

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends both in order',
  async (signal) => {
    const indexer = await start()
    const ponder = indexer.ponderPid()
    await indexer.stop(signal)
    expect(await indexer.exited).toEqual({ code: 0, signal: null })
    expect(identify(ponder)).toBeUndefined()
    const [schema] = await database.sql<{ name: string }[]>`
    select nspname as name from pg_namespace where starts_with(nspname, 'deploy_')`
    const [meta] = await database.sql<{ locked: number }[]>`
    select (value->>'is_locked')::int as locked
    from ${database.sql(schema?.name ?? '')}._ponder_meta`
    expect(meta?.locked).toBe(0)
    // Workers look at the nodes themselves at once.
    const announced = await readAnnounced(database.sql, chain.chain.networkId)
    expect(announced?.ageMs).toBeGreaterThan(60_000)
  },
  60_000,
)

test('what was paid while it was stopped on a quiet chain is found at the start', async () => {
  const hash = await payment()
  await start()
  await indexed(database.sql, chain, hash)
}, 120_000)

test('a Postgres that falls silent costs a new start of Ponder, and holds up neither that nor the end', async () => {
  const proxy = startSilentProxyFor(database.url)
  // Long enough for answers of a busy machine.
  const more = { SILENCE_MS: '1500', STOP_GRACE_S: '4' }
  const indexer = await startIndexer(proxy.through(database.url), [chain], more)
  started.push(indexer)
  await indexed(database.sql, chain, await payment())
  const before = indexer.ponderPid()
  proxy.silence()
  const made = proxy.connections
  await waitUntil(() => proxy.connections > made + 3, 60_000)
  const meanwhile = await payment()
  proxy.speak()
  const since = performance.now()
  await indexed(database.sql, chain, meanwhile)
  console.log(`silent Postgres: back after ${Math.round(performance.now() - since)} ms`)
  expect(indexer.ponderPid()).not.toBe(before)
  expect(indexer.output()).toContain('the database had fallen silent; starting Ponder again')
  proxy.silence()
  const ponder = indexer.ponderPid()
  await indexer.stop('SIGTERM')
  expect(await indexer.exited).toEqual({ code: 0, signal: null })
  expect(identify(ponder)).toBeUndefined()
  proxy.stop()
}, 120_000)

test('a second indexer waits for the end of the first', async () => {
  const first = await start()
  const second = await startIndexer(database.url, [chain])
  started.push(second)
  expect(await waitUntil(() => second.output().includes('waiting for its end'), 5_000)).toBe(true)
  expect(second.output()).not.toContain('started Ponder')
  process.kill(first.pid, 'SIGKILL')
  const hash = await payment()
  await indexed(database.sql, chain, hash)
  expect(second.output()).toContain('started Ponder')
}, 120_000)

test('a WebSocket that refuses or says nothing costs at most a second', async () => {
  const silent = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response()),
    websocket: {
      message: (socket) => void socket.send('{"jsonrpc":"2.0","id":1,"result":"0x1"}'),
    },
  })
  for (const url of ['ws://127.0.0.1:1', `ws://127.0.0.1:${silent.port}`]) {
    const indexer = await start({ WS_URL_BASE_SEPOLIA: url })
    await indexed(database.sql, chain, await payment())
    await indexer.stop()
  }
  await silent.stop(true)
}, 120_000)

test('a chain that is added is indexed with its past, beside what was known', async () => {
  const sepolia = await startRigChain('sepolia')
  const past = await sepolia.pay(await database.watch(), 1n)
  await sepolia.node.mine()
  const known = await payment()
  const before = await start()
  await indexed(database.sql, chain, known)
  await before.stop()
  started.push(await startIndexer(database.url, [chain, sepolia]))
  await indexed(database.sql, sepolia, past)
  await indexed(database.sql, chain, known)
}, 120_000)

test('with an operator token no one else may ask, wherever they are', async () => {
  const { graphqlUrl } = await start({ OPERATOR_TOKEN: 'open-sesame-123' })
  const ask = (authorization?: string) =>
    fetch(graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body: JSON.stringify({ query: '{ transfers { totalCount } }' }),
    })
  expect((await ask()).status).toBe(401)
  expect((await ask('Bearer open-sesame-124')).status).toBe(401)
  expect((await ask('open-sesame-123')).status).toBe(401)
  for (const path of ['/metrics', '/status']) {
    const get = (authorization: string) =>
      fetch(new URL(path, graphqlUrl), { headers: { authorization } })
    expect((await get('Bearer open-sesame-124')).status).toBe(401)
    expect((await get('Bearer open-sesame-123')).status).toBe(200)
  }
  const answer = await ask('Bearer open-sesame-123')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ data: { transfers: {} } })
}, 120_000)

test('a busy port is reported in one sentence', async () => {
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const indexer = await startIndexer(database.url, [chain], { GRAPHQL_PORT: String(taken.port) })
  expect(await indexer.exited).toEqual({ code: 1, signal: null })
  expect(indexer.output()).toContain(
    `port ${taken.port} of GraphQL is in use: set GRAPHQL_PORT to another one\n`,
  )
  await taken.stop(true)
}, 120_000)

test('a configuration that cannot be used is refused with a sentence per problem', async () => {
  const indexer = await startIndexer('', [], { HUB_ADDRESS: '0x12', OPERATOR_TOKEN_FILE: '' })
  expect(await indexer.exited).toEqual({ code: 1, signal: null })
  const sentences = indexer.output().trim().split('\n')
  expect(sentences).toHaveLength(3)
  expect(sentences.join('\n')).toContain('DATABASE_URL is missing')
})

test('a chain that is reset under a running indexer has its index rebuilt', async () => {
  const old = await payment()
  const indexer = await start()
  await indexed(database.sql, chain, old)
  const { port } = chain.node
  await chain.node.stop()
  // The first block of a chain says when it began, to the second.
  await Bun.sleep(1_000)
  chain = await startRigChain('base-sepolia', port)
  const fresh = await payment()
  await indexed(database.sql, chain, fresh)
  expect(indexer.output()).toContain('a chain was reset')
  expect(await indexedOn(database.sql, chain)).toEqual([fresh])
}, 120_000)

test('a chain that was reset while the indexer was stopped is noticed at its start', async () => {
  const { port } = chain.node
  await chain.node.stop()
  await Bun.sleep(1_000)
  chain = await startRigChain('base-sepolia', port)
  for (let block = 0; block < 40; block++) await chain.node.mine()
  const fresh = await payment()
  await start()
  await indexed(database.sql, chain, fresh)
  expect(await indexedOn(database.sql, chain)).toEqual([fresh])
  expect((await indexerHeads(database.sql)).get(chain.chain.chainId)).toBe(
    (await headOf(chain)).number,
  )
}, 120_000)

async function start(more: Readonly<Record<string, string>> = {}): Promise<RunningIndexer> {
  const indexer = await startIndexer(database.url, [chain], more)
  started.push(indexer)
  await waitUntil(() => indexer.output().includes('up to date'), 60_000)
  await caughtUp(database.sql, [chain])
  return indexer
}

async function payment() {
  const hash = await chain.pay(await database.watch(), 1_000_000n)
  await chain.node.mine()
  return hash
}
