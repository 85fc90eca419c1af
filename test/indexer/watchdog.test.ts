import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type ChainClient, openChain } from '../../chain/rpc/client.ts'
import { compareGenesis, prepareRecord } from '../../indexer/deployment/genesis.ts'
import { type Watchdog, watchPonder } from '../../indexer/supervision/watchdog.ts'
import {
  activeAt,
  headOf,
  openRigDatabase,
  type RigChain,
  type RigDatabase,
  startRigChain,
} from '../support/indexer/rig.ts'

/** The watchdog with a clock of its own, looking at what a Ponder would have noted. */

const SCHEMA = 'deploy_watched'
let chain: RigChain
let client: ChainClient
let database: RigDatabase
let watchdog: Watchdog
let time = 0

beforeAll(async () => {
  chain = await startRigChain('base-sepolia')
  database = await openRigDatabase()
  client = openChain(activeAt(chain.chain, [chain.node.url]))
  await prepareRecord(database.sql)
  await compareGenesis(database.sql, [client])
}, 120_000)

beforeEach(async () => {
  await database.sql`drop schema if exists ${database.sql(SCHEMA)} cascade`
  await database.sql`drop table if exists ponder_sync.intervals`
  watchdog = watchPonder(database.sql, SCHEMA, [client], () => time)
})

afterAll(() => database.close())

test('a Ponder that has noted nothing yet is starting, for ten minutes at most', async () => {
  expect(await watchdog.check()).toEqual({ kind: 'starting' })
  time += 9 * 60_000
  expect(await watchdog.check()).toEqual({ kind: 'starting' })
  time += 2 * 60_000
  expect(await watchdog.check()).toMatchObject({ kind: 'stuck' })
})

test('readiness that the Ponder before has left behind does not count', async () => {
  await note({ head: (await headOf(chain)).number, ready: 1, locked: 0 })
  expect(await watchdog.check()).toEqual({ kind: 'starting' })
  await note({ head: (await headOf(chain)).number, ready: 1, locked: 1 })
  expect(await watchdog.check()).toEqual({ kind: 'healthy' })
})

test('a Ponder that stays where it is while the chain moves on is stuck', async () => {
  const { number } = await headOf(chain)
  await note({ head: number, ready: 1, locked: 1 })
  await chain.node.mine()
  expect(await watchdog.check()).toEqual({ kind: 'healthy' })
  time += 14_000
  expect(await watchdog.check()).toEqual({ kind: 'healthy' })
  time += 2_000
  expect(await watchdog.check()).toEqual({
    kind: 'stuck',
    reason: `chain 84532 is at ${number + 1n}, the index has been at ${number} for 16 s`,
  })
})

test('a Ponder that moves, however slowly, is healthy', async () => {
  const { number } = await headOf(chain)
  for (let behind = 4n; behind > 0n; behind--) {
    await note({ head: number - behind, ready: 1, locked: 1 })
    expect(await watchdog.check()).toEqual({ kind: 'healthy' })
    time += 14_000
  }
})

test('a chain whose head is behind the index is only suspected when its first block differs', async () => {
  await note({ head: (await headOf(chain)).number + 5n, ready: 1, locked: 1 })
  expect(await watchdog.check()).toEqual({ kind: 'healthy' })
  await database.sql`update ponder_sync.remit_genesis set hash = ${`0x${'11'.repeat(32)}`}`
  time += 5_000
  expect(await watchdog.check()).toEqual({
    kind: 'stuck',
    reason: 'base-sepolia was reset',
  })
})

/** Writes what Ponder keeps about itself. */
async function note({ head, ready, locked }: { head: bigint; ready: number; locked: number }) {
  const { sql } = database
  const checkpoint = `${'0'.repeat(26)}${String(head).padStart(16, '0')}${'0'.repeat(33)}`
  const meta = JSON.stringify({ is_ready: ready, is_locked: locked })
  await sql`drop schema if exists ${sql(SCHEMA)} cascade`
  await sql`create schema ${sql(SCHEMA)}`
  await sql`create table ${sql(SCHEMA)}._ponder_meta (value jsonb)`
  await sql`insert into ${sql(SCHEMA)}._ponder_meta values (${meta}::text::jsonb)`
  await sql`
    create table ${sql(SCHEMA)}._ponder_checkpoint (chain_id bigint, latest_checkpoint varchar(75))`
  await sql`insert into ${sql(SCHEMA)}._ponder_checkpoint values (84532, ${checkpoint})`
  await sql`
    create table if not exists ponder_sync.intervals (fragment_id text, blocks nummultirange)`
}
