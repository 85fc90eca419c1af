import type { Database, Queryable } from '../database/database.ts'
import { type ListenLog, listenForNetworks } from '../database/listen.ts'

/** Word from a worker that ends in order to the others on its chain: what it held is free from now on. */

const CHANNEL = 'remit_handover'

/** Notifies all workers on a chain that keys of its relayers, or its leadership, were released. */
export async function announceHandover(sql: Queryable, networkId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${networkId})`
}

/**
 * Calls `wake` with the network of each handover, and for all of them once at each new subscription. It only
 * shortens a wait: a crashed process announces nothing. The result ends it.
 */
export function listenForHandovers(
  database: Database,
  networkIds: readonly string[],
  wake: (networkId: string) => void,
  log: ListenLog,
): () => Promise<void> {
  return listenForNetworks(database, { channel: CHANNEL, networkIds, wake, log })
}
