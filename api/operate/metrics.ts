import type { MetricsAddress } from '../../core/config/metrics.ts'
import { watchDatabase } from '../../metrics/operate/database.ts'
import { showLeftOutEmails } from '../../metrics/operate/emails.ts'
import { showSystem } from '../../metrics/operate/system.ts'
import { openRegistry } from '../../metrics/process/registry.ts'
import { observeRequests } from '../../metrics/process/requests.ts'
import { showRpcCalls } from '../../metrics/process/rpc.ts'
import { serveMetrics } from '../../metrics/process/server.ts'
import { readBooks } from '../../store/books/money.ts'
import { readWorkload } from '../../store/books/workload.ts'
import type { ApiDependencies } from '../http/exchange.ts'

/** Serves the metrics of this process and the system; the result counts responses. */
export function serveApiMetrics(
  { config, database, availability, readHealth, log }: ApiDependencies,
  address: MetricsAddress,
): NonNullable<ApiDependencies['onAnswered']> {
  const registry = openRegistry('api')
  showRpcCalls(registry)
  showLeftOutEmails(registry)
  const wait = watchDatabase(registry, database)
  const refresh = showSystem(registry, {
    readHealth: () => availability.guard(readHealth),
    readWorkload: () => availability.guard(() => readWorkload(database)),
    readBooks: () => availability.guard(() => readBooks(database)),
    registry: config.registry,
    chainIds: new Map(config.chains.map(({ networkId, chainId }) => [networkId, chainId])),
    onFault: (error) => log.warn({ err: error }, 'the metrics of the system could not be read'),
  })
  serveMetrics(registry, address, log, async () => {
    await Promise.all([wait(), refresh()])
  })
  return observeRequests(registry)
}
