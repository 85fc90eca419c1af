import { AppError } from '../../core/errors.ts'
import { parsePaymentRequest } from '../../core/x402/parse.ts'
import { MAX_BODY_BYTES, readTextBody } from '../http/body.ts'
import type { ApiDependencies } from '../http/exchange.ts'

/** Reading what verify and settle are sent. */

export type ParsedRequest = ReturnType<typeof parsePaymentRequest>

/** Reads the body in any dialect. What is no JSON at all is a malformed payload, not an error. */
export async function readPaymentRequest(
  deps: ApiDependencies,
  request: Request,
): Promise<ParsedRequest> {
  return parsePaymentRequest(await readLeniently(request), deps.config.chains)
}

/**
 * Amounts are strings in every dialect, and each field that is used is read for itself: the JSON needs
 * none of the care by which other bodies are read. Undefined when it can't be read.
 */
async function readLeniently(request: Request): Promise<unknown> {
  const announced = request.headers.get('content-length')
  try {
    // The server hands over no more bytes than were announced, and reads them as JSON by itself.
    if (announced !== null && Number(announced) <= MAX_BODY_BYTES) return await request.json()
    return JSON.parse(await readTextBody(request))
  } catch (error) {
    if (error instanceof AppError && error.code !== 'invalid_request_body') throw error
    return undefined
  }
}
