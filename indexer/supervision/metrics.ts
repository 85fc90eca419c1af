import pino from 'pino'
import { logOptions } from '../../core/base/logging.ts'
import type { IndexerConfig } from '../../core/config/processes.ts'
import { openRegistry } from '../../metrics/process/registry.ts'
import { showRpcCalls } from '../../metrics/process/rpc.ts'
import { serveMetrics } from '../../metrics/process/server.ts'

/** Serves the figures of the process that follows the chains, where the operator wants them. */
export function serveIndexerMetrics({ metrics, logLevel }: IndexerConfig): void {
  if (metrics === null) return
  const registry = openRegistry('indexer')
  showRpcCalls(registry)
  serveMetrics(registry, metrics, pino(logOptions('indexer', logLevel)))
}
