import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { waitUntil } from '../../../dev/processes/child.ts'
import { announceHead } from '../../../store/chain/heads.ts'
import type { Database } from '../../../store/database/database.ts'
import { chainLeadership } from '../../../store/database/leadership.ts'
import { closeRedis, openRedis } from '../../../store/redis/connection.ts'
import { openNonceMemory } from '../../../store/redis/nonces.ts'
import { listenForHandovers } from '../../../store/relayer/handover.ts'
import { readRelayerKeys } from '../../../store/relayer/keys.ts'
import { type ChainActor, startChainActor } from '../../../workers/ledger/actor.ts'
import { dueSweeps } from '../../support/relayer/sweeps.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { asWorker, databaseUrlOf, freshDatabase } from '../../support/servers/database.ts'
import { redisPrefix, redisUrl } from '../../support/servers/run.ts'

/** Two workers on a chain with slow blocks, so that each looks by itself every three seconds only. */

const TICK_MS = 3_000
/** After a turn of the successor: until its next tick it has to be woken. */
const TAKEN_WITHIN_MS = TICK_MS - 500

let chain: HubChain
let database: Database
let redis: ReturnType<typeof openRedis>
const actors: ChainActor[] = []

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  database = await freshDatabase()
  redis = openRedis(await redisUrl(), { name: 'test', onError: () => {} })
}, 120_000)

afterAll(async () => {
  for (const actor of actors) await actor.stop()
  closeRedis(redis)
  await database.end()
  await chain.node.stop()
})

/** Starts a worker's actor; `turns` counts the turns of its relayer. */
function start(workerId: string): { readonly actor: ChainActor; turns(): number } {
  const { config, chain: active } = workerConfig(
    chain.variables({
      DATABASE_URL: databaseUrlOf(database),
      BLOCK_TIME_MS_BASE_SEPOLIA: '60000',
      RELAYER_LEASE_MS: '600000',
    }),
  )
  let turns = 0
  const actor = startChainActor({
    ...{ config, chain: active, workerId },
    database: asWorker(database),
    nonces: openNonceMemory(redis, redisPrefix()),
    leadership: chainLeadership(config.databaseUrl, active.chainId),
    log: pino({ level: 'silent' }),
    wakeOthers: () => {},
    wakeNotifier: () => {},
    onTurn: ({ loop, isFailed }) => {
      if (loop === 'relayer' && !isFailed) turns += 1
    },
    onFatal: (error) => {
      throw error
    },
  })
  return { actor, turns: () => turns }
}

test('work whose message was lost is taken with the next head', async () => {
  const { actor, turns } = start('only')
  await actor.ready
  await announceHead(database, chain.networkId, await readHead(chain.client), [])
  const before = turns()
  expect(await waitUntil(() => turns() > before, 10_000)).toBe(true)
  await dueSweeps(database, chain, 1, { pays: 'recipient' })
  actor.followHead()
  const isSent = async () => (await database`select from relayer_tx`).length === 1
  expect(await waitUntil(isSent, TAKEN_WITHIN_MS)).toBe(true)
  await actor.stop()
}, 60_000)

test('keys that a worker gives back are taken by the next one at once', async () => {
  const first = start('first')
  await first.actor.ready
  const owner = async () => (await readRelayerKeys(database))[0]?.leaseOwner
  expect(await waitUntil(async () => (await owner()) === 'first', 10_000)).toBe(true)

  const second = start('second')
  actors.push(second.actor)
  await second.actor.ready
  const networks = [chain.networkId]
  const wake = () => second.actor.wake()
  const unlisten = listenForHandovers(asWorker(database), networks, wake, { warn: () => {} })
  // Each subscription wakes it once.
  await Bun.sleep(500)
  const before = second.turns()
  expect(await waitUntil(() => second.turns() > before, 10_000)).toBe(true)
  await first.actor.stop()
  const taken = await waitUntil(async () => (await owner()) === 'second', TAKEN_WITHIN_MS)
  expect(taken).toBe(true)
  await unlisten()
}, 60_000)
