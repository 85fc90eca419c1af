import type { SystemHealth } from '../../store/books/health.ts'
import { ageInSeconds } from './readiness.ts'

/** x402 payments of all chains that are not decided yet. */
export interface PendingFigures {
  readonly count: number
  /** The age of the oldest one, in whole seconds; null while there is none. */
  readonly oldestSeconds: number | null
}

export function pendingFigures({ pendingPayments }: SystemHealth, now: Date): PendingFigures {
  const ages = pendingPayments.map(({ oldestAt }) => ageInSeconds(oldestAt, now))
  const count = pendingPayments.reduce((sum, chain) => sum + chain.count, 0)
  return { count, oldestSeconds: ages.length === 0 ? null : Math.max(...ages) }
}
