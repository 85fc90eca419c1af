import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import type { Database } from '../../../store/database/database.ts'
import { closeRedis, openRedis, type RedisConnection } from '../../../store/redis/connection.ts'
import { openNonceMemory } from '../../../store/redis/nonces.ts'
import { WrongChainError } from '../../../workers/blocks/head.ts'
import { startChainActor } from '../../../workers/ledger/actor.ts'
import { relayerVariables } from '../../support/relayer/relayers.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { asWorker, freshDatabase } from '../../support/servers/database.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { redisPrefix, redisUrl } from '../../support/servers/run.ts'
import { newHash } from '../../support/store/database.ts'

/** A worker whose node shows another chain than the database knows. */

let chain: HubChain
let node: FakeRpc
let database: Database
let redis: RedisConnection

beforeAll(async () => {
  chain = await startHubChain({ relayers: 1 })
  node = startFakeRpc(chain.node.url)
  database = await freshDatabase()
  redis = openRedis(await redisUrl(), { name: 'test', onError: () => {} })
}, 120_000)

afterAll(async () => {
  closeRedis(redis)
  await node?.stop()
  await database?.end({ timeout: 1 })
  await chain?.node.stop()
})

test('asks it for nothing but its identity, though another worker leads the chain', async () => {
  const [key = '0x'] = chain.relayerKeys
  const { config, chain: active } = workerConfig(relayerVariables(chain, { key, rpcUrl: node.url }))
  await database`
    insert into chain_state (network_id, chain_id, genesis_hash)
    values (${active.networkId}, ${active.chainId}, ${newHash()})`
  const fatal: unknown[] = []
  const actor = startChainActor({
    config,
    chain: active,
    database: asWorker(database),
    nonces: openNonceMemory(redis, redisPrefix()),
    leadership: { hold: async () => false, leave: async () => {}, release: async () => {} },
    workerId: 'follower',
    log: pino({ level: 'silent' }),
    wakeOthers: () => {},
    wakeNotifier: () => {},
    onFatal: (error) => fatal.push(error),
  })
  await eventually(
    async () => fatal.length,
    (count) => count > 0,
    10_000,
  )
  await actor.stop()
  expect(fatal[0]).toBeInstanceOf(WrongChainError)
  expect([...node.calls.keys()].sort()).toEqual(['eth_chainId', 'eth_getBlockByNumber'])
})
