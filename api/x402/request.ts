import { AppError } from '../../core/errors.ts'
import { parsePaymentRequest } from '../../core/x402/parse.ts'
import { readJsonBody } from '../body.ts'
import type { ApiDependencies } from '../exchange.ts'

/** Reading what verify and settle are sent. */

export type ParsedRequest = ReturnType<typeof parsePaymentRequest>

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
