import {
  AppError,
  type ErrorCode,
  type ErrorDetail,
  errorDocs,
  isExplained,
  MOST_DETAILS,
} from '../../core/base/errors.ts'
import { excerpt } from '../../core/base/text.ts'
import { DatabaseUnavailable } from '../../store/database/availability.ts'
import { isContention, isDatabaseDown } from '../../store/database/database.ts'
import { LateBody } from '../request/body.ts'
import { targetOf } from '../request/target.ts'
import { type ApiDependencies, type Exchange, sendJson } from './exchange.ts'

/** Converts faults to the error envelope (docs/api.md#errors), which reveals nothing internal. */

const LONGEST_MESSAGE = 300
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Whether a route exists for this method and path. */
export type FindRoute = (method: string, path: string) => boolean

/** The response to a fault thrown by a route or the router. `code` is Elysia's. */
export function answerFault(
  deps: ApiDependencies,
  exchange: Exchange,
  fault: { readonly error: unknown; readonly code: unknown },
  findRoute: FindRoute,
): string {
  const { error, code } = fault
  if (code === 'NOT_FOUND' && !(error instanceof AppError)) {
    return answerUnrouted(exchange, findRoute)
  }
  return answer(exchange, knownFault(deps, exchange, error))
}

/** The public error of a fault. Unexpected faults are logged and not revealed. */
export function knownFault(
  { log }: Pick<ApiDependencies, 'log'>,
  { traceId }: Pick<Exchange, 'traceId'>,
  error: unknown,
): AppError {
  if (error instanceof AppError) return error
  if (isOurFault(error)) {
    log.warn({ traceId, err: error }, 'the database is unavailable or too busy')
    return new AppError('service_unavailable')
  }
  log.error({ traceId, err: error }, 'a request failed unexpectedly')
  return new AppError('internal_error')
}

/** The found value. Throws `code` if there is none. */
export function found<T>(value: T | null, code: ErrorCode): T {
  if (value === null) throw new AppError(code)
  return value
}

/** Faults with their own HTTP status, even where every other result is a 200. */
export function isOurFault(error: unknown): boolean {
  return (
    error instanceof AppError ||
    error instanceof DatabaseUnavailable ||
    isDatabaseDown(error) ||
    isContention(error)
  )
}

/** Rates are read once a minute, and sooner after a failure. */
const RATE_RETRY_AFTER_S = 10

function answer(exchange: Exchange, error: AppError): string {
  if (error.code === 'rate_unavailable') {
    exchange.set.headers['retry-after'] = String(RATE_RETRY_AFTER_S)
  }
  const hasDetails = isExplained(error.code) || error.details.length > 0
  return sendError(exchange, error, hasDetails ? { details: described(error) } : {})
}

/** Responds with the error envelope and additional fields. */
export function sendError(
  exchange: Exchange,
  error: AppError,
  more: Readonly<Record<string, unknown>>,
): string {
  const body = { ...envelopeOf(error, exchange.traceId), ...more }
  exchange.errorCode = error.code
  if (error.cause instanceof LateBody) exchange.set.headers.connection = 'close'
  return sendJson(exchange, error.status, JSON.stringify(body))
}

/** The fields of every error envelope. */
export function envelopeOf(error: AppError, traceId: string) {
  const { code, message } = error
  return { success: false, error: message, code, docs: errorDocs(code), traceId }
}

function described(error: AppError): readonly ErrorDetail[] {
  return error.details.slice(0, MOST_DETAILS).map(({ path, message }) => ({
    path: excerpt(path),
    message: excerpt(message, LONGEST_MESSAGE),
  }))
}

/** No route: distinguishes an unknown path from an unknown method. RFC 9110, sections 9.3.7 and 15.5.6. */
function answerUnrouted(exchange: Exchange, findRoute: FindRoute): string {
  if (!writeAllow(exchange, findRoute)) return answer(exchange, new AppError('not_found'))
  if (exchange.request.method !== 'OPTIONS')
    return answer(exchange, new AppError('method_not_allowed'))
  exchange.set.status = 204
  return ''
}

/** The `Allow` header of a path (RFC 9110, section 10.2.1). */
export function writeAllow({ request, set }: Exchange, findRoute: FindRoute): boolean {
  const path = targetOf(request).pathname
  const allowed: string[] = METHODS.filter((method) =>
    findRoute(method === 'HEAD' ? 'GET' : method, path),
  )
  if (allowed.length === 0) return false
  set.headers.allow = [...allowed, 'OPTIONS'].join(', ')
  return true
}
