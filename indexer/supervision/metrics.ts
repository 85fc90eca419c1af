import pino from 'pino'
import type { IndexerConfig } from '../../core/config/processes/processes.ts'
import { logOptions } from '../../core/telemetry/logging.ts'
import { openRegistry } from '../../metrics/registry.ts'
import { showRpcCalls } from '../../metrics/rpc.ts'
import { serveMetrics } from '../../metrics/server.ts'

/** Serves the figures of the process that follows the chains, where the operator wants them. */
export function serveIndexerMetrics({ metrics, logLevel }: IndexerConfig): void {
  if (metrics === null) return
  const registry = openRegistry('indexer')
  showRpcCalls(registry)
  serveMetrics(registry, metrics, pino(logOptions('indexer', logLevel)))
}
