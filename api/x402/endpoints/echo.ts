import type { PaymentRequest } from '../../../core/x402/terms.ts'
import type { EndpointTerms } from '../../../store/x402/terms.ts'
import type { Exchange } from '../../http/exchange.ts'

/**
 * The header in which facilitators report the result of an extension: base64 of `{"bazaar": {"status",
 * "rejectedReason"?}}`. The payment is independent of it.
 */
const HEADER = 'extension-responses'

const UNLISTED = 'the resource is not a discoverable endpoint of the paid merchant'

/** Checks the echoed metadata against the paid endpoint. */
export function answerEcho(
  exchange: Exchange,
  { echo }: Pick<PaymentRequest, 'echo'>,
  endpoint: EndpointTerms | null,
): void {
  if (echo === null) return
  const rejectedReason = echo.problem ?? (endpoint?.isListed ? null : UNLISTED)
  const answer = rejectedReason === null ? PROCESSING : { status: 'rejected', rejectedReason }
  exchange.set.headers[HEADER] = headerOf(answer)
}

/** After settlement: the resource was paid for and is listed. */
export function endEcho({ set }: Exchange): void {
  if (set.headers[HEADER] === headerOf(PROCESSING))
    set.headers[HEADER] = headerOf({ status: 'success' })
}

/** The result for the header, once it is decided; null without metadata. */
export function echoed({ set }: Exchange): object | null {
  const header = set.headers[HEADER]
  if (typeof header !== 'string') return null
  return Object(JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(header)))).bazaar
}

const PROCESSING = { status: 'processing' }

function headerOf(bazaar: object): string {
  return new TextEncoder().encode(JSON.stringify({ bazaar })).toBase64()
}
