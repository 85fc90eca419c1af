import { timingSafeEqual } from 'node:crypto'
import { opens, scopesFor } from '../../core/access/scopes.ts'
import { AppError, type ErrorCode } from '../../core/base/errors.ts'
import type { MerchantId, PersonId } from '../../core/base/ids.ts'
import type { KeyOwner } from '../../store/access/apiKeys.ts'
import type { Documented } from '../request/schema.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'
import type { Limits } from './rateLimit.ts'

/** A caller for a merchant: its server with a secret key, or a user of the dashboard. */
export type MerchantCaller = Pick<KeyOwner, 'merchantId' | 'recipient' | 'usualTolerance'>

/** An operator of the deployment. */
export interface OperatorCaller {
  readonly personId: PersonId
  readonly email: string
}

/** A merchant's request that is still being counted. */
export interface PendingCaller {
  readonly owner: MerchantCaller
  /**
   * Rejects with `too_many_requests` if the window is full. The request may be read in the
   * meantime, but must have no effect before: neither a row nor a response.
   */
  readonly admission: Promise<void>
  /** The owner as it was found earlier; null where it was found for this request. */
  readonly recalled: KeyOwner | null
  /**
   * Finds the owner for this request. Before, an owner that was recalled may only be used for a statement that takes
   * effect `whileOwned`, and nothing be answered but its success.
   */
  confirm(): Promise<MerchantCaller>
}

/** True for a caller whose request is still being counted. */
export function isPendingCaller(caller: unknown): caller is PendingCaller {
  return typeof caller === 'object' && caller !== null && 'admission' in caller
}

/** The same caller, with the owner as found for this request. */
export async function confirmed(caller: PendingCaller): Promise<PendingCaller> {
  const owner = await caller.confirm()
  return { ...caller, owner, recalled: null, confirm: async () => owner }
}

/**
 * Who may call an endpoint, and by which limit the call is counted. A guard resolves to the
 * caller; it throws `unauthorized` or `too_many_requests`.
 */
export interface Guards {
  /** Only merchants, by their secret key. */
  merchant(exchange: Exchange): Promise<MerchantCaller>
  /** The same for an endpoint that works while the request is counted. */
  merchantEarly(exchange: Exchange): Promise<PendingCaller>
  /** Only merchants, on endpoints called for every unpaid request of their clients. */
  x402Merchant(exchange: Exchange): Promise<MerchantCaller>
  /** All callers; a given key must be valid. Resolves to the merchant's id, null without a key. */
  x402Anyone(exchange: Exchange): Promise<MerchantId | null>
  /** Merchants by their secret key, and the operator by its token: then the merchant is null. */
  analyst(exchange: Exchange): Promise<{ readonly merchantId: MerchantId | null }>
  /** Merchants by their secret key, and clients with a publishable key. */
  anyKey(exchange: Exchange): Promise<KeyOwner>
  /** All callers, on payers' endpoints. */
  payer(exchange: Exchange): Promise<void>
  /** All callers, on public endpoints. */
  utility(exchange: Exchange): Promise<void>
  /** Operators, in a browser. */
  operator(exchange: Exchange): Promise<OperatorCaller>
  /** All callers, without a limit. */
  unlimited(exchange: Exchange): Promise<void>
  /** The same; the operator's token, which must be right if given, returns details. */
  observer(exchange: Exchange): Promise<{ readonly isOperator: boolean }>
}

export type Access = keyof Guards
export type Caller<A extends Access> = Awaited<ReturnType<Guards[A]>>

/** How the OpenAPI document describes the access to an endpoint. */
export interface AccessRule {
  readonly security: NonNullable<Documented['security']>
  readonly errors: readonly ErrorCode[]
  readonly isLimited: boolean
}

const SECRET_KEY: AccessRule = {
  security: [{ secretKey: [] }],
  errors: ['unauthorized', 'service_unavailable'],
  isLimited: true,
}
const PUBLIC: AccessRule = { security: [], errors: [], isLimited: true }

export const ACCESS_RULES: Readonly<Record<Access, AccessRule>> = {
  merchant: SECRET_KEY,
  merchantEarly: SECRET_KEY,
  x402Merchant: SECRET_KEY,
  x402Anyone: { ...SECRET_KEY, security: [{}, { secretKey: [] }] },
  analyst: { ...SECRET_KEY, security: [{ secretKey: [] }, { operatorToken: [] }] },
  anyKey: { ...SECRET_KEY, security: [{ secretKey: [] }, { publishableKey: [] }] },
  payer: { ...PUBLIC, errors: ['service_unavailable'] },
  utility: PUBLIC,
  operator: { ...PUBLIC, errors: ['unauthorized', 'service_unavailable'] },
  unlimited: { ...PUBLIC, isLimited: false },
  observer: { ...PUBLIC, errors: ['unauthorized'], isLimited: false },
}

type GuardDependencies = Pick<ApiDependencies, 'availability' | 'keys' | 'config'>

/**
 * The guards check the secret key before they read anything else of the request, so that an unauthenticated
 * caller learns nothing and causes little work.
 */
export function createGuards(
  { availability, keys, config }: GuardDependencies,
  limits: Limits,
): Guards {
  /** The owner of the secret key, or null without one. Publishable keys don't count. */
  async function identify(exchange: Exchange): Promise<KeyOwner | null> {
    const owner = await identifyAny(exchange)
    return owner?.kind === 'publishable' ? refuse(exchange) : owner
  }

  /** The same for a key of either kind. */
  async function identifyAny(exchange: Exchange): Promise<KeyOwner | null> {
    const key = exchange.request.headers.get('x-service-key')
    if (key === null) return null
    const owner = (await ownerOf(exchange, key)) ?? (await refuse(exchange))
    exchange.keyHint = owner.hint
    if (owner.kind === 'secret') nameActor(exchange, owner)
    return owner
  }

  async function refuse(exchange: Exchange): Promise<never> {
    await limits.unauthenticated(exchange)
    throw new AppError('unauthorized')
  }

  async function ownerOf(exchange: Exchange, key: string): Promise<KeyOwner | null> {
    try {
      return await availability.guard(() => keys.find(key))
    } catch (error) {
      await limits.showUnauthenticated(exchange)
      throw error
    }
  }

  /** Begins to count; a request that fails before it asks for the result must not end the process. */
  function admit(exchange: Exchange, { merchantId }: KeyOwner): Promise<void> {
    const admission = limits.merchant(exchange, merchantId)
    admission.catch(() => undefined)
    return admission
  }

  async function counted(exchange: Exchange): Promise<PendingCaller> {
    const owner = (await identify(exchange)) ?? (await refuse(exchange))
    const admission = admit(exchange, owner)
    if (!opens(owner.scopes, exchange.operationId)) {
      await admission
      requireScope(exchange, owner)
    }
    return { owner, admission, recalled: null, confirm: async () => owner }
  }

  async function merchantEarly(exchange: Exchange): Promise<PendingCaller> {
    const owner = keys.recall(exchange.request.headers.get('x-service-key') ?? '')
    if (owner?.kind !== 'secret' || !opens(owner.scopes, exchange.operationId)) {
      return counted(exchange)
    }
    nameActor(exchange, owner)
    const admission = admit(exchange, owner)
    const confirm = async () => {
      // The headers that it sets must not replace those of a refusal.
      await Promise.allSettled([admission])
      exchange.merchantId = null
      exchange.keyHint = null
      exchange.actor = null
      return (await identify(exchange)) ?? (await refuse(exchange))
    }
    return { owner, admission, recalled: owner, confirm }
  }

  return {
    async merchant(exchange) {
      const { owner, admission } = await counted(exchange)
      await admission
      return owner
    },
    merchantEarly,
    async x402Merchant(exchange) {
      const owner = (await identify(exchange)) ?? (await refuse(exchange))
      await limits.x402(exchange, owner.merchantId)
      requireScope(exchange, owner)
      return owner
    },
    async x402Anyone(exchange) {
      const owner = await identify(exchange)
      const merchantId = owner?.merchantId ?? null
      await limits.x402(exchange, merchantId)
      if (owner !== null) requireScope(exchange, owner)
      return merchantId
    },
    async analyst(exchange) {
      const owner = await identify(exchange)
      if (owner !== null) {
        await limits.merchant(exchange, owner.merchantId)
        requireScope(exchange, owner)
        return { merchantId: owner.merchantId }
      }
      const { headers } = exchange.request
      if (!isOperator(headers.get('authorization'), config.operatorToken)) return refuse(exchange)
      await limits.operator(exchange)
      return { merchantId: null }
    },
    async anyKey(exchange) {
      const owner = (await identifyAny(exchange)) ?? (await refuse(exchange))
      exchange.merchantId = owner.merchantId
      await (owner.kind === 'secret'
        ? limits.merchant(exchange, owner.merchantId)
        : limits.session(exchange, owner.merchantId))
      requireScope(exchange, owner)
      return owner
    },
    operator: refuse,
    payer: limits.payer,
    utility: limits.utility,
    async unlimited() {},
    async observer(exchange) {
      const authorization = exchange.request.headers.get('authorization')
      // A proxy may require its own login and pass it on.
      if (authorization === null || !/^Bearer /i.test(authorization)) return { isOperator: false }
      return isOperator(authorization, config.operatorToken)
        ? { isOperator: true }
        : refuse(exchange)
    },
  }
}

function nameActor(exchange: Exchange, { merchantId, hint }: KeyOwner): void {
  exchange.keyHint = hint
  exchange.merchantId = merchantId
  exchange.actor = { type: 'key', id: hint, name: `secret key …${hint}` }
}

/** Throws `scope_not_sufficient` where the key has scopes, and none of them opens the operation. */
function requireScope({ operationId }: Exchange, { scopes }: KeyOwner): void {
  if (opens(scopes, operationId)) return
  const needed = scopesFor(operationId).join(' or ')
  const message = needed === '' ? 'needs a key with full access' : `needs the scope ${needed}`
  throw new AppError('scope_not_sufficient', [{ path: 'key', message }])
}

/** Whether the operator's token is given; digests are compared in constant time. */
function isOperator(authorization: string | null, token: string | null): boolean {
  if (authorization === null || token === null) return false
  return timingSafeEqual(digest(authorization), digest(`Bearer ${token}`))
}

function digest(text: string): Uint8Array {
  return new Bun.CryptoHasher('sha256').update(text).digest()
}
