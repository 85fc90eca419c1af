import type { Registry } from 'prom-client'
import type { ReadHealth } from '../store/books/health.ts'
import type { Workload } from '../store/books/workload.ts'
import { chainFigures, relayerFigures } from './chains.ts'
import { Gauges } from './gauges.ts'
import { trouble, workFigures } from './work.ts'

/** Where the figures of the whole system come from. */
export interface SystemSources {
  readonly readHealth: ReadHealth
  readonly readWorkload: () => Promise<Workload>
  /** The chain ids of the chains that are switched on, by networkId. */
  readonly chainIds: ReadonlyMap<string, number>
  /** Told why the figures could not be read. */
  onFault(error: unknown): void
}

/**
 * The figures that rows tell, read at each scrape. Every API process shows the same ones: ask for their
 * maximum. While they can't be read none is shown but that.
 */
export function showSystem(registry: Registry, sources: SystemSources): () => Promise<void> {
  const gauges = new Gauges(registry)
  const isRead = gauges.add(
    'remit_system_read',
    'Whether the figures below could be read: 1 if so.',
  )
  const showChains = chainFigures(gauges)
  const showRelayers = relayerFigures(gauges)
  const showWork = workFigures(gauges)
  const showTrouble = trouble(gauges)
  return async () => {
    try {
      const [health, load] = await Promise.all([sources.readHealth(), sources.readWorkload()])
      gauges.clear()
      isRead(1)
      showChains(health, sources.chainIds)
      showRelayers(health, sources.chainIds)
      showWork(load)
      showTrouble(health)
    } catch (error) {
      sources.onFault(error)
      gauges.clear()
      isRead(0)
    }
  }
}
