import type { Registry } from 'prom-client'
import type { Chain } from '../../core/chain/registry.ts'
import type { ReadHealth } from '../../store/books/health.ts'
import type { Books } from '../../store/books/money.ts'
import type { Workload } from '../../store/books/workload.ts'
import { Gauges } from '../process/gauges.ts'
import { chainFigures, gasFigures, nonceFigures, relayerFigures } from './chains.ts'
import { moneyFigures } from './money.ts'
import { trouble, workFigures } from './work.ts'

/** Where the figures of the whole system come from. */
export interface SystemSources {
  readonly readHealth: ReadHealth
  readonly readWorkload: () => Promise<Workload>
  readonly readBooks: () => Promise<Books>
  /** The chain ids of the chains that are switched on, by networkId. */
  readonly chainIds: ReadonlyMap<string, number>
  /** Every chain of the environment, with what is known of its tokens. */
  readonly registry: readonly Chain[]
  /** Called with the reason when the figures could not be read. */
  onFault(error: unknown): void
}

/**
 * Metrics from rows of the ledger, read at each scrape. Every API process shows the same ones: query their
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
  const showNonces = nonceFigures(gauges)
  const showGas = gasFigures(gauges)
  const showMoney = moneyFigures(gauges, sources.registry)
  return async () => {
    try {
      const [health, load, books] = await Promise.all([
        sources.readHealth(),
        sources.readWorkload(),
        sources.readBooks(),
      ])
      gauges.clear()
      isRead(1)
      showChains(health, sources.chainIds)
      showRelayers(health, sources.chainIds)
      showWork(load)
      showTrouble(health)
      showNonces(books.nonces)
      showGas(books.gas)
      showMoney(books)
    } catch (error) {
      sources.onFault(error)
      gauges.clear()
      isRead(0)
    }
  }
}
