import type { ChainClient } from '../../chain/rpc/client.ts'
import type { Database } from '../../store/database/database.ts'
import { NO_PROBE, type Probe } from './isolation.ts'

/** Requests the chain's id from its nodes, and nothing from the database. */
export function probeOf(database: Database, { rpc }: Pick<ChainClient, 'rpc'>): Probe {
  return {
    node: () => rpc.getChainId(),
    database: () => database`select 1`,
  }
}

/** Of work that needs no node. */
export function databaseProbe(database: Database): Probe {
  return { ...NO_PROBE, database: () => database`select 1` }
}
