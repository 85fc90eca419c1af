import type { ChainClient } from '../chain/client.ts'
import type { Database } from '../store/database.ts'
import type { Probe } from './steps.ts'

/** Asks a chain's nodes for their chain's id, and the database for nothing. */
export function probeOf(database: Database, { rpc }: Pick<ChainClient, 'rpc'>): Probe {
  return {
    node: () => rpc.getChainId(),
    database: () => database`select 1`,
  }
}
