import { isAction, permits } from '../../core/access/roles.ts'
import { AppError } from '../../core/base/errors.ts'
import { asMerchantId, type MerchantId } from '../../core/base/ids.ts'
import { findMembership } from '../../store/access/members.ts'
import { guardDatabase } from '../http/backends.ts'
import { requireOwnOrigin } from '../http/cors.ts'
import type { ApiDependencies, Exchange } from '../http/exchange.ts'
import type { Guards, MerchantCaller } from '../http/guards.ts'
import type { Limits } from '../http/rateLimit.ts'
import { parseId, pathId } from '../request/id.ts'
import type { Dashboard, Person } from './dashboard.ts'

/** Guards for browsers: a user, identified by the session cookie, acting for a merchant. */

const MERCHANT_ID = pathId(
  'merchant',
  '0198c5b4-7f1e-7000-8000-5d5d1c1f0a11',
  'invalid_merchant_id',
  asMerchantId,
)

export type SessionDependencies = Pick<ApiDependencies, 'availability' | 'database' | 'now'>

/** The user of a request, which is counted. Throws `unauthorized` and `origin_not_allowed`. */
export async function requireUser(
  dashboard: Pick<Dashboard, 'whoIs' | 'config'>,
  limits: Limits,
  exchange: Exchange,
): Promise<Person> {
  const { request } = exchange
  if (request.method !== 'GET') requireOwnOrigin(exchange, dashboard.config.origin)
  const person = await dashboard.whoIs(request.headers)
  if (person === null) {
    await limits.signIn(exchange)
    throw new AppError('unauthorized')
  }
  await limits.person(exchange, person.id)
  return person
}

/**
 * Guards for one operation of the API, mounted for browsers: where the API requires a merchant's secret key, these
 * require a user with a sufficient role at the merchant in the path. All other access is refused.
 */
export function sessionGuards(
  deps: SessionDependencies,
  dashboard: Dashboard,
  limits: Limits,
  operation: { readonly operationId: string; merchantOf(exchange: Exchange): unknown },
): Guards {
  const { operationId } = operation

  async function merchant(exchange: Exchange): Promise<MerchantCaller> {
    const person = await requireUser(dashboard, limits, exchange)
    const merchantId: MerchantId = parseId(
      MERCHANT_ID,
      operation.merchantOf(exchange),
      'merchantId',
    )
    // Read for each request: a removed member loses access at once.
    const membership = await guardDatabase(deps, (sql) =>
      findMembership(sql, person.id, merchantId),
    )
    if (membership === null) throw new AppError('merchant_not_found')
    const { role, recipient, usualTolerance } = membership
    const { id, name, email, hasSecondFactor, signedInAt } = person
    exchange.merchantId = merchantId
    exchange.actor = { type: 'person', id, name: `${name} <${email}>`, role }
    if (!isAction(operationId)) throw refusal('role_not_sufficient', role)
    const verdict = permits({ role, hasSecondFactor, signedInAt }, operationId, deps.now())
    if (!verdict.ok) throw refusal(verdict.code, role)
    return { merchantId, recipient, usualTolerance }
  }
  const refuse = async (): Promise<never> => {
    throw new AppError('unauthorized')
  }
  return {
    merchant,
    async merchantEarly(exchange) {
      const owner = await merchant(exchange)
      const admission = Promise.resolve()
      return { owner, admission, recalled: null, confirm: async () => owner }
    },
    x402Merchant: merchant,
    x402Anyone: refuse,
    analyst: refuse,
    anyKey: refuse,
    operator: refuse,
    payer: refuse,
    utility: refuse,
    unlimited: refuse,
    observer: refuse,
  }
}

const ADVICE = {
  role_not_sufficient: 'is not allowed to do this: ask an owner of the merchant',
  second_factor_required: 'requires a second factor: set up an authenticator first',
  fresh_sign_in_required: 'requires a sign-in within the last ten minutes: sign in again',
} as const

function refusal(code: keyof typeof ADVICE, role: string): AppError {
  return new AppError(code, [{ path: 'role', message: `${role} ${ADVICE[code]}` }])
}
