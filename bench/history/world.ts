import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { hashFrom } from '../../core/chain/evm.ts'
import { type PostgresServer, startPostgres } from '../../dev/servers/postgres.ts'
import { addressOf } from '../../dev/stack/keys.ts'
import { createMerchant, type NewMerchant } from '../../store/access/merchants.ts'
import { insertChainState, saveLeastSweeps } from '../../store/chain/state.ts'
import { type Database, openDatabase } from '../../store/database/database.ts'
import { migrate } from '../../store/database/migrate.ts'
import {
  type HubChain,
  newRoles,
  startHubChain,
  workerConfig,
} from '../../test/support/servers/chain.ts'
import { stopAll } from '../../test/support/servers/run.ts'
import { leastSweepsOf } from '../../workers/invoice/leastSweeps.ts'
import { copyKept, keep, readKept } from './kept.ts'
import { logPlans, PlanLog } from './plans.ts'
import { seedHistory } from './seed.ts'
import { BLOCKS, type HistorySize } from './size.ts'

/** A database with a history, and a chain that continues from there. */
export interface World {
  readonly url: string
  readonly database: Database
  readonly chain: HubChain
  readonly relayerKey: `0x${string}`
  readonly merchant: NewMerchant
  /** The file that receives the log of the server. */
  readonly logFile: string
  close(): Promise<void>
}

/** A world whose database is reached by sessions that log their plans. */
export interface WatchedWorld extends World {
  readonly log: PlanLog
}

/** Logs the plans of all sessions that begin from now on, such as those of the answer's database. */
export async function watchPlans(world: World): Promise<WatchedWorld> {
  await logPlans(world.url)
  // Few sessions, which soon have planned all that there is to plan.
  const database = openPool(world.url, 3)
  return {
    ...world,
    database,
    log: new PlanLog(world.logFile),
    async close() {
      await database.end({ timeout: 1 })
      await world.close()
    },
  }
}

function openPool(url: string, poolSize = 10): Database {
  return openDatabase(url, { name: 'remit-history', poolSize })
}

/** Next to nothing, of which every statement should read as little as of the longest history. */
export const NO_HISTORY: HistorySize = {
  invoices: 1,
  transactions: 1,
  deliveries: 1,
  x402Payments: 1,
}

export interface WorldOptions {
  /** The folder of another Postgres than the embedded one. */
  readonly postgres?: string | undefined
  /** A folder that keeps the seeded database for the next run; filled by the first one. */
  readonly kept?: string | undefined
}

/** Starts servers of its own, with a history that is seeded now or, with `kept`, was seeded before. */
export async function openWorld(size: HistorySize, options: WorldOptions = {}): Promise<World> {
  const dir = mkdtempSync('/tmp/remit-history-')
  chmodSync(dir, 0o711)
  const dataDir = join(dir, 'data')
  const logFile = join(dir, 'postgres.log')
  const start = () =>
    startPostgres({
      ...{ dataDir, port: 0, durable: false, log: logFile },
      ...(options.postgres === undefined ? {} : { native: options.postgres }),
    })
  const known = options.kept === undefined ? null : readKept(options.kept, size)
  const identity = known ?? { roles: newRoles(), relayerKey: generatePrivateKey() }
  if (known !== null && options.kept !== undefined) await copyKept(options.kept, dataDir)
  let postgres = await start()
  const { roles, relayerKey } = identity
  const chain = await startHubChain({ relayerKeys: [relayerKey], roles })
  // What is seeded lies below the blocks that are kept.
  await chain.node.rpc('anvil_mine', [`0x${(2 * BLOCKS).toString(16)}`])
  await chain.node.rpc('anvil_setNonce', [
    addressOf(relayerKey),
    `0x${size.transactions.toString(16)}`,
  ])
  const merchant = known?.merchant ?? (await prepare(postgres.url, chain, relayerKey, size))
  if (known === null && options.kept !== undefined) {
    await stopInOrder(postgres)
    const seededAt = new Date().toISOString()
    await keep(options.kept, dataDir, { size, roles, relayerKey, merchant, seededAt })
    postgres = await start()
  }
  if (known !== null) await migrateKept(postgres.url)
  const database = openPool(postgres.url)
  const { hash } = await chain.client.getBlock({ blockNumber: 0n })
  await database`
    update chain_state set genesis_hash = ${hash} where network_id = ${chain.networkId}`
  return {
    url: postgres.url,
    database,
    chain,
    relayerKey,
    merchant,
    logFile,
    async close() {
      await database.end({ timeout: 1 })
      await stopAll()
      await postgres.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** What was kept may be older than the newest migrations; the server tidies up after them sooner or later. */
async function migrateKept(url: string): Promise<void> {
  const database = openSeeder(url)
  const applied = await migrate(database)
  if (applied.length > 0) await database`vacuum analyze`
  await database.end()
}

function openSeeder(url: string): Database {
  return openDatabase(url, { name: 'remit-seed', poolSize: 2, statementTimeoutMs: 0 })
}

/** What a long history leaves to be written at the end takes longer than a stop has time. */
async function stopInOrder(server: PostgresServer): Promise<void> {
  const database = openSeeder(server.url)
  await database`checkpoint`
  await database.end()
  await server.stop()
}

async function prepare(
  url: string,
  chain: HubChain,
  relayerKey: `0x${string}`,
  size: HistorySize,
): Promise<NewMerchant> {
  const { config, chain: active } = workerConfig(chain.variables())
  const database = openSeeder(url)
  await migrate(database)
  const recipient = addressOf(relayerKey)
  const merchant = await createMerchant(database, config, { name: 'Big shop', recipient })
  if (!merchant.ok) throw new Error(merchant.message)
  const genesis = await chain.client.getBlock({ blockNumber: 0n })
  await insertChainState(database, chain.networkId, chain.node.chainId, hashFrom(genesis.hash))
  await seedHistory(database, {
    ...size,
    merchantId: merchant.merchant.id,
    hub: chain.hub,
    networkId: chain.networkId,
    token: chain.usdc.address,
    stalledNetworkId: 'polygon-amoy',
    relayer: addressOf(relayerKey),
    blockHash: `0x${'7'.repeat(64)}`,
  })
  const past = 2 * BLOCKS
  await database`
    update chain_state set distributions_block = ${past}, projected_block = ${past}
    where network_id = ${chain.networkId}`
  // What is held for being too little stays held.
  await saveLeastSweeps(database, chain.networkId, leastSweepsOf(active))
  await database.end()
  return merchant
}
