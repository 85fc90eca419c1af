import type { ChainClient } from '../../chain/rpc/client.ts'
import type { Database } from '../../store/database/database.ts'
import { NO_PROBE, type Probe } from './steps.ts'

/** Asks a chain's nodes for their chain's id, and the database for nothing. */
export function probeOf(database: Database, { rpc }: Pick<ChainClient, 'rpc'>): Probe {
  return {
    node: () => rpc.getChainId(),
    database: () => database`select 1`,
  }
}

/** Of work that asks no node. */
export function databaseProbe(database: Database): Probe {
  return { ...NO_PROBE, database: () => database`select 1` }
}
