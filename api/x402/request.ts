import { AppError } from '../../core/errors.ts'
import { parsePaymentRequest } from '../../core/x402/parse.ts'
import { readJsonBody } from '../body.ts'
import type { ApiDependencies, Exchange } from '../exchange.ts'
import type { Limits } from '../rateLimit.ts'

/** Reading what verify and settle are sent. No key is needed; one that is shown must be valid. */

export type ParsedRequest = ReturnType<typeof parsePaymentRequest>

/** Counts the call. The answer is whose secret key came along, or null without one. */
export type Admit = (exchange: Exchange) => Promise<string | null>

export function createAdmit(deps: ApiDependencies, limits: Limits): Admit {
  return async (exchange) => {
    const key = exchange.request.headers.get('x-service-key')
    if (key === null) {
      await limits.x402(exchange, null)
      return null
    }
    const owner = await deps.availability.guard(() => deps.findKeyOwner(key))
    if (owner?.kind !== 'secret') {
      await limits.stranger(exchange)
      throw new AppError('unauthorized')
    }
    exchange.merchantId = owner.merchantId
    await limits.x402(exchange, owner.merchantId)
    return owner.merchantId
  }
}

/** Reads the body in any dialect. What is no JSON at all is a malformed payload, not an error. */
export async function readPaymentRequest(
  deps: ApiDependencies,
  request: Request,
): Promise<ParsedRequest> {
  let body: unknown
  try {
    body = await readJsonBody(request)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request_body') throw error
    body = undefined
  }
  return parsePaymentRequest(body, deps.config.chains)
}
