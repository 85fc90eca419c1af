import { AppError } from '../core/errors.ts'
import type { KeyOwner } from '../store/apiKeys.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'
import type { Limits } from './rateLimit.ts'

/** Lets a request in, counted against its merchant's limit, or throws `unauthorized`. */
export type Authenticate = (exchange: Exchange) => Promise<KeyOwner>

/**
 * Checks the secret key of specification section 5 before anything else of the request is looked at,
 * so that whoever has no key learns nothing and makes us read nothing.
 */
export function createAuthenticate(deps: ApiDependencies, limits: Limits): Authenticate {
  const { availability, findKeyOwner } = deps

  return async (exchange) => {
    const key = exchange.request.headers.get('x-service-key')
    const owner = key === null ? null : await ownerOf(exchange, key)
    if (owner?.kind !== 'secret') {
      await limits.stranger(exchange)
      throw new AppError('unauthorized')
    }
    exchange.merchantId = owner.merchantId
    await limits.merchant(exchange, owner.merchantId)
    return owner
  }

  async function ownerOf(exchange: Exchange, key: string): Promise<KeyOwner | null> {
    try {
      return await availability.guard(() => findKeyOwner(key))
    } catch (error) {
      await limits.nobody(exchange)
      throw error
    }
  }
}
