import type { Queryable } from '../database/database.ts'
import { networkListener } from '../database/listen.ts'

/** Word from a worker that ends in order to the others on its chain: what it held is free from now on. */

const CHANNEL = 'remit_handover'

/** Notifies all workers on a chain that keys of its relayers, or its leadership, were released. */
export async function announceHandover(sql: Queryable, networkId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${networkId})`
}

/** Wakes at each handover. It only shortens a wait: a crashed process announces nothing. */
export const listenForHandovers = networkListener(CHANNEL)
