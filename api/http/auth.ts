import { AppError } from '../../core/errors.ts'
import type { MerchantId } from '../../core/ids.ts'
import type { KeyOwner } from '../../store/merchant/apiKeys.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'
import type { Limits } from './rateLimit.ts'

/** Lets a request in, counted against its merchant's limit, or throws `unauthorized`. */
export type Authenticate = (exchange: Exchange) => Promise<KeyOwner>

/** A merchant's request that is still being counted. */
export interface Arrival {
  readonly owner: KeyOwner
  /**
   * Rejects with `too_many_requests` when the window is full. The request may be read in the meantime,
   * but nothing may come of it: neither a row nor an answer.
   */
  readonly admission: Promise<void>
}

/** Tells whose request it is as soon as that is known, or throws `unauthorized`. */
export type Receive = (exchange: Exchange) => Promise<Arrival>

/**
 * Lets a request in that needs no key. The answer is whose secret key came along, or null without one;
 * a key that is given must be valid.
 */
export type Admit = (exchange: Exchange) => Promise<MerchantId | null>

export interface Doors {
  /** Endpoints for merchants. */
  readonly authenticate: Authenticate
  /** The same for an endpoint that has something to do while the request is counted. */
  readonly receive: Receive
  /** Endpoints for merchants that are asked at every visit of an unpaid caller. */
  readonly authenticateX402: Authenticate
  /** The facilitator's endpoints. */
  readonly admitX402: Admit
}

/**
 * Checks the secret key of specification section 5 before anything else of the request is looked at,
 * so that whoever has no key learns nothing and makes us read nothing.
 */
export function createDoors(deps: ApiDependencies, limits: Limits): Doors {
  const { availability, findKeyOwner } = deps

  /** The owner of the key that was given, or null when none was. */
  async function identify(exchange: Exchange): Promise<KeyOwner | null> {
    const key = exchange.request.headers.get('x-service-key')
    if (key === null) return null
    const owner = await ownerOf(exchange, key)
    if (owner?.kind !== 'secret') return refuse(exchange)
    exchange.merchantId = owner.merchantId
    return owner
  }

  async function refuse(exchange: Exchange): Promise<never> {
    await limits.stranger(exchange)
    throw new AppError('unauthorized')
  }

  async function ownerOf(exchange: Exchange, key: string): Promise<KeyOwner | null> {
    try {
      return await availability.guard(() => findKeyOwner(key))
    } catch (error) {
      await limits.nobody(exchange)
      throw error
    }
  }

  async function receive(exchange: Exchange): Promise<Arrival> {
    const owner = (await identify(exchange)) ?? (await refuse(exchange))
    return { owner, admission: limits.merchant(exchange, owner.merchantId) }
  }

  return {
    async authenticate(exchange) {
      const { owner, admission } = await receive(exchange)
      await admission
      return owner
    },
    receive,
    async authenticateX402(exchange) {
      const owner = (await identify(exchange)) ?? (await refuse(exchange))
      await limits.x402(exchange, owner.merchantId)
      return owner
    },
    async admitX402(exchange) {
      const owner = await identify(exchange)
      const merchantId = owner?.merchantId ?? null
      await limits.x402(exchange, merchantId)
      return merchantId
    },
  }
}
