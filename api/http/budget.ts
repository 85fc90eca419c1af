import { AppError } from '../../core/base/errors.ts'
import { clientOfExchange } from './clientAddress.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/**
 * Charges units to the budget of the client's address, before the work that costs them. Throws
 * `budget_exceeded`, with Retry-After, if the budget is too low.
 */
export async function spend(
  deps: Pick<ApiDependencies, 'limiter' | 'config' | 'peer'>,
  exchange: Exchange,
  units: number,
): Promise<void> {
  if (units === 0) return
  const client = clientOfExchange(deps, exchange)
  const { isAdmitted, retryAfter } = await deps.limiter.spend(
    client,
    units,
    deps.config.limits.budget,
  )
  if (isAdmitted) return
  exchange.set.headers['retry-after'] = String(retryAfter)
  throw new AppError('budget_exceeded')
}
