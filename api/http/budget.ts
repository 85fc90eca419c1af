import { AppError } from '../../core/base/errors.ts'
import { networksOfExchange } from './clientAddress.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/**
 * Charges units to the budgets of the client's address and its wider networks, before the work that costs them. Throws
 * `budget_exceeded`, with Retry-After, if one of them is too low.
 */
export async function spend(
  deps: Pick<ApiDependencies, 'limiter' | 'config' | 'peer'>,
  exchange: Exchange,
  units: number,
): Promise<void> {
  if (units === 0) return
  const { isAdmitted, retryAfter } = await deps.limiter.spend(
    networksOfExchange(deps, exchange),
    units,
    deps.config.limits.budget,
  )
  if (isAdmitted) return
  exchange.set.headers['retry-after'] = String(retryAfter)
  throw new AppError('budget_exceeded')
}
