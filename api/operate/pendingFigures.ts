import type { SystemHealth } from '../../store/books/health.ts'
import { ageInSeconds } from './readiness.ts'

/** Pending x402 payments of all chains. */
export interface PendingFigures {
  readonly count: number
  /** The age of the oldest, in whole seconds; null if there is none. */
  readonly oldestSeconds: number | null
}

export function pendingFigures({ pendingPayments }: SystemHealth, now: Date): PendingFigures {
  const ages = pendingPayments.map(({ oldestAt }) => ageInSeconds(oldestAt, now))
  const count = pendingPayments.reduce((sum, chain) => sum + chain.count, 0)
  return { count, oldestSeconds: ages.length === 0 ? null : Math.max(...ages) }
}
