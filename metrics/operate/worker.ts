import type { Logger } from 'pino'
import type { MetricsAddress } from '../../core/config/metrics.ts'
import type { Database } from '../../store/database/database.ts'
import { openRegistry } from '../process/registry.ts'
import { showRpcCalls } from '../process/rpc.ts'
import { serveMetrics } from '../process/server.ts'
import { observeSignings } from '../process/signings.ts'
import { observeTurns } from '../process/turns.ts'
import { watchDatabase } from './database.ts'

/** Serves the metrics of a worker; the results count turns and calls to key stores. */
export function serveWorkerMetrics(address: MetricsAddress, database: Database, log: Logger) {
  const registry = openRegistry('worker')
  showRpcCalls(registry)
  serveMetrics(registry, address, log, watchDatabase(registry, database))
  return { onTurn: observeTurns(registry), onSigning: observeSignings(registry) }
}
