import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { openChain } from '../../../chain/rpc/client.ts'
import type { ActiveChain } from '../../../core/config/chains.ts'
import { announceHead } from '../../../store/chain/heads.ts'
import type { Database } from '../../../store/database/database.ts'
import { type HeadReader, openHeadReader } from '../../../workers/blocks/headReader.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'

/** Heads as a worker's loops get them, from a chain that mines only when asked. */

let chain: HubChain
let database: Database
let node: FakeRpc

beforeAll(async () => {
  chain = await startHubChain()
  database = await freshDatabase()
  node = startFakeRpc(chain.node.url)
  node.rule(({ method, params }) => {
    if (method === 'eth_getBlockByNumber' && params[0] === 'latest') asked += 1
    return undefined
  })
}, 120_000)

beforeEach(async () => {
  await database`delete from chain_head`
})

afterAll(async () => {
  await node.stop()
  await database.end()
  await chain.node.stop()
})

function open(change: Partial<ActiveChain> = {}): HeadReader {
  const { chain: active } = workerConfig(chain.variables({ RPC_URL_BASE_SEPOLIA: node.url }))
  return openHeadReader(database, openChain({ ...active, ...change }))
}

/** How often the head was asked for; a URL's first block is asked for as well. */
let asked = 0
const looks = () => asked

test('an announced head is taken without a request', async () => {
  const head = await readHead(chain.client)
  await announceHead(database, chain.networkId, head, [])
  const before = looks()
  expect(await open().newest()).toEqual(head)
  expect(looks()).toBe(before)
})

test('when the announcements fall silent, the node is looked at', async () => {
  await announceHead(database, chain.networkId, await readHead(chain.client), [])
  await chain.mine()
  await database`update chain_head set announced_at = now() - interval '1 minute'`
  const heads = open()
  expect(await heads.newest()).toEqual(await readHead(chain.client))
  await announceHead(database, chain.networkId, await readHead(chain.client), [])
  const before = looks()
  await heads.newest()
  expect(looks()).toBe(before)
})

test('all who ask at once share one look', async () => {
  const heads = open({ headPolling: 'paced' })
  const before = looks()
  const [one, two, three] = await Promise.all([heads.newest(), heads.newest(), heads.newest()])
  expect(looks()).toBe(before + 1)
  expect([two, three]).toEqual([one, one])
})

test('a node elsewhere is looked at no more often than blocks are expected', async () => {
  const heads = open({ headPolling: 'paced', blockTimeMs: 60_000 })
  const before = looks()
  for (let i = 0; i < 5; i += 1) await heads.newest()
  expect(looks()).toBe(before + 1)
})

test('a node that lags behind does not take the head back', async () => {
  const heads = open()
  await heads.newest()
  await chain.mine(3)
  const head = await heads.newest()
  node.rule(() => ({ type: 'stale', blocks: 3 }))
  expect(await heads.newest()).toEqual(head)
  node.rule()
})
