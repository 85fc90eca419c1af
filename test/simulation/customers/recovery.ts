import { settledNonce } from '../../../chain/blocks/accounts.ts'
import { type ChainClient, openChain } from '../../../chain/rpc/client.ts'
import { isRpcFault } from '../../../chain/rpc/faults.ts'
import { reconcile } from '../../../cli/books/reconcile.ts'
import { recoverOrders } from '../../../cli/operate/recoverRefunds.ts'
import { holdSweeps, readReviews, retryReview } from '../../../store/books/reviews.ts'
import {
  type Database,
  isContention,
  isDatabaseDown,
  openDatabase,
} from '../../../store/database/database.ts'
import { unreadLostOrders } from '../../../store/refund/lostOrders.ts'
import { reactivateKey, readRelayerKeys } from '../../../store/relayer/keys.ts'
import { workerConfig } from '../../support/servers/chain.ts'
import type { Process } from '../kernel.ts'
import { NODES, variablesOf } from '../variables.ts'
import type { World } from '../world.ts'
import { SUPPORT } from './operators.ts'

/** What a person does once another server has taken the place of the database, which lacks a commit: docs/backups.md. */
export async function recoverChain(world: World, actor: Process): Promise<void> {
  const { random } = actor
  const { networkId } = world.chain.hub
  const nodes = NODES.map((name) => `http://${name}`).join(',')
  const { config, chain } = workerConfig(variablesOf(world, world.database.url, nodes))
  const client = openChain(chain)
  const database = openDatabase(world.database.url, SUPPORT)
  const look = () => Bun.sleep(random.between(5_000, 15_000))
  do await look()
  while (!(await tried(() => isBehind(database, networkId))))
  world.kernel.note('the operator sees that the database is behind the chain')
  // What was sent arrives meanwhile, or never.
  await Bun.sleep(random.between(20_000, 60_000))
  while ((await tried(() => holdSweeps(database, networkId))) === null) await look()
  const now = new Date(world.kernel.now)
  const report = await tried(() => reconcile({ database, config, only: networkId, now }))
  world.counts['differences after a failover'] = report?.differences.length ?? 0
  for (;;) {
    const orders = await tried(() => recoverOrders(database, chain, config.hub))
    const isRestored = orders?.every(({ refundId }) => refundId !== null) === true
    const isRevived = isRestored && (await tried(() => revive(database, client)))
    if (isRevived) await tried(() => retryAll(database, networkId))
    await look()
  }
}

/** Null where the database or the nodes have no answer now, or others were first. */
async function tried<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isDatabaseDown(error) || isContention(error) || isRpcFault(error)) return null
    throw error
  }
}

/** What workers report: relayers that are quarantined, or orders that the hub has paid and no row has. */
async function isBehind(database: Database, networkId: string): Promise<boolean> {
  const keys = await quarantined(database, networkId)
  return keys.length > 0 || (await unreadLostOrders(database, networkId)).length > 0
}

async function quarantined(database: Database, networkId: string) {
  const keys = await readRelayerKeys(database, networkId)
  return keys.filter(({ status }) => status === 'quarantined')
}

/** True once no relayer is quarantined any more. */
async function revive(database: Database, client: ChainClient): Promise<boolean> {
  let isWhole = true
  for (const { networkId, address } of await quarantined(database, client.chain.networkId)) {
    const nonce = await settledNonce(client, address)
    const key = { networkId, address }
    const revival = nonce === null ? null : await reactivateKey(database, key, nonce)
    if (revival?.ok !== true) isWhole = false
  }
  return isWhole
}

async function retryAll(database: Database, networkId: string): Promise<void> {
  for (const { id } of await readReviews(database, networkId)) await retryReview(database, id)
}
