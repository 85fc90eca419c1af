import { FRESH_MS } from '../../core/access/roles.ts'
import { AppError } from '../../core/base/errors.ts'
import { isOperator } from '../../store/access/operators.ts'
import { guardDatabase } from '../http/backends.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Guards, OperatorCaller } from '../http/guards.ts'
import type { Limits } from '../http/rateLimit.ts'
import type { Dashboard } from './dashboard.ts'
import { requireUser, type SessionDependencies } from './guards.ts'

/**
 * An operator with a second factor and, for changes, a sign-in within the last ten minutes.
 * All other users, merchants' owners included, get 404.
 */
export async function requireOperator(
  deps: SessionDependencies,
  dashboard: Pick<Dashboard, 'whoIs' | 'config'>,
  limits: Limits,
  exchange: Exchange,
): Promise<OperatorCaller> {
  const person = await requireUser(dashboard, limits, exchange)
  const { id, name, email, hasSecondFactor, signedInAt } = person
  // Read for each request: a removed operator loses access at once.
  const isOne = await guardDatabase(deps, (sql) => isOperator(sql, id))
  if (!isOne) throw new AppError('not_found')
  exchange.actor = { type: 'operator', id, name: `${name} <${email}>` }
  if (!hasSecondFactor) {
    throw refusal('second_factor_required', 'set up an authenticator first')
  }
  const isChange = exchange.request.method !== 'GET'
  if (isChange && deps.now().getTime() - signedInAt.getTime() > FRESH_MS) {
    throw refusal(
      'fresh_sign_in_required',
      'requires a sign-in within the last ten minutes: sign in again',
    )
  }
  return { personId: id, email }
}

/** Guards for the operator's routes; all other access is refused. */
export function operatorGuards(
  deps: SessionDependencies,
  dashboard: Dashboard,
  limits: Limits,
): Guards {
  const refuse = async (): Promise<never> => {
    throw new AppError('unauthorized')
  }
  return {
    operator: (exchange) => requireOperator(deps, dashboard, limits, exchange),
    merchant: refuse,
    merchantEarly: refuse,
    x402Merchant: refuse,
    x402Anyone: refuse,
    analyst: refuse,
    anyKey: refuse,
    payer: refuse,
    utility: refuse,
    unlimited: refuse,
    observer: refuse,
  }
}

function refusal(code: 'second_factor_required' | 'fresh_sign_in_required', message: string) {
  return new AppError(code, [{ path: 'role', message }])
}
