import { AppError } from '../../core/base/errors.ts'
import {
  type Claim,
  claimRequest,
  forgetRequest,
  keepAnswer,
  releaseRequest,
} from '../../store/access/idempotency.ts'
import { invalidBody, jsonOf, readBodyBytes } from '../request/body.ts'
import { canonicalJson } from '../request/json.ts'
import { targetOf } from '../request/target.ts'
import { guardDatabase } from './backends.ts'
import { type ApiDependencies, type Exchange, sendJson } from './exchange.ts'

/**
 * Requests with an Idempotency-Key are executed once. The claim is stored before the work, the response after it; a
 * process that takes over from one that ended in between reuses its ids.
 */

const HEADER = 'idempotency-key'
const LONGEST_KEY = 255
/** Retry-After while the request is running, in seconds. */
const RETRY_AFTER_S = 1

/** The header in the OpenAPI document. */
export const IDEMPOTENCY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'For 24 hours, repeating the same JSON with this key returns the same response. An externalRef takes precedence.',
  // Swagger UI sends `example`: one key for all users' requests would be a conflict.
  schema: { type: 'string', maxLength: LONGEST_KEY, examples: ['order-1042'] },
} as const

const REUSED = {
  path: HEADER,
  message: 'was used for another request within the last 24 hours; use a new key',
}
const IN_FLIGHT = {
  path: HEADER,
  message: 'is in use by a request that is still running; retry later',
}

export function hasIdempotencyKey(request: Request): boolean {
  return request.headers.has(HEADER)
}

/** The key of a request that has one. Throws `invalid_request_body` for one that is empty or too long. */
export function idempotencyKeyOf(request: Request): string {
  const key = request.headers.get(HEADER) ?? ''
  if (key.length >= 1 && key.length <= LONGEST_KEY) return key
  const message = `must have 1 to ${LONGEST_KEY} characters`
  throw invalidBody([{ path: 'Idempotency-Key', message }])
}

/** Executes a request with its claim, or returns its earlier response. */
export async function carryOutOnce(
  deps: Pick<ApiDependencies, 'availability' | 'database' | 'log'>,
  exchange: Exchange,
  key: string,
  carryOut: (request: Request, claim: Claim | null) => Promise<string | Response>,
): Promise<string | Response> {
  const { request, merchantId } = exchange
  if (merchantId === null) throw new TypeError('only merchants send idempotency keys')
  const bytes = await readBodyBytes(request)
  const { method, headers } = request
  const again = new Request(request.url, { method, headers, body: new Uint8Array(bytes) })
  const sent = readSent(bytes)
  if (sent === null || hasExternalRef(sent.value)) return carryOut(again, null)
  const head = `${method} ${targetOf(request).pathname}\n`
  const hash = hashOf(head, canonicalJson(sent.value))
  const keyed = { merchantId, key, hash }
  const claiming = await guardDatabase(deps, (sql) => claimRequest(sql, keyed))
  if (claiming.type === 'conflict') throw new AppError('idempotency_key_reused', [REUSED])
  if (claiming.type === 'in_flight') {
    exchange.set.headers['retry-after'] = String(RETRY_AFTER_S)
    throw new AppError('idempotency_key_in_flight', [IN_FLIGHT])
  }
  if (claiming.type === 'answered') {
    exchange.set.headers['idempotency-replayed'] = 'true'
    return sendJson(exchange, claiming.status, claiming.answer)
  }
  const { claim } = claiming
  try {
    const answer = await carryOut(again, claim)
    const status = Number(exchange.set.status)
    if (typeof answer === 'string') {
      await guardDatabase(deps, (sql) => keepAnswer(sql, claim, { status, answer }))
    }
    return answer
  } catch (error) {
    const isRefusal = error instanceof AppError && error.status < 500
    const end = isRefusal ? forgetRequest : releaseRequest
    await guardDatabase(deps, (sql) => end(sql, claim)).catch((err) =>
      deps.log.warn({ traceId: exchange.traceId, err }, 'a claim was not released; it expires'),
    )
    throw error
  }
}

/** The JSON value of a body; null for a body that the route will refuse, for which nothing is claimed. */
function readSent(bytes: Uint8Array): { readonly value: unknown } | null {
  try {
    return { value: jsonOf(bytes) }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function hasExternalRef(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object(body).externalRef != null
}

function hashOf(head: string, body: string | Uint8Array): Uint8Array {
  return new Uint8Array(new Bun.CryptoHasher('sha256').update(head).update(body).digest())
}
