import { isRpcFault } from '../../chain/faults.ts'
import { AppError, type ErrorCode, type ErrorDetail } from '../../core/errors.ts'
import { DatabaseUnavailable } from '../../store/availability.ts'
import { isContention, isDatabaseDown } from '../../store/database.ts'
import { type ApiDependencies, type Exchange, sendJson } from './exchange.ts'
import { targetOf } from './target.ts'

/** Every fault becomes the envelope of specification section 2.1, with nothing internal in it. */

/** More than this explains nothing better. */
const MAX_DETAILS = 20
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Whether a route exists for this method and path. */
export type FindRoute = (method: string, path: string) => boolean

/** Answers for a fault that a route or the router has thrown. `code` is Elysia's. */
export function answerFault(
  deps: ApiDependencies,
  exchange: Exchange,
  fault: { readonly error: unknown; readonly code: unknown },
  findRoute: FindRoute,
): string {
  const { error, code } = fault
  if (error instanceof AppError) return answer(exchange, error)
  if (code === 'NOT_FOUND') return answerUnrouted(exchange, findRoute)
  const { traceId } = exchange
  if (isOurFault(error)) {
    deps.log.warn({ traceId, err: error }, 'the database is unavailable or too busy')
    return answer(exchange, new AppError('service_unavailable'))
  }
  deps.log.error({ traceId, err: error }, 'a request failed for a reason that nobody foresaw')
  return answer(exchange, new AppError('internal_error'))
}

/** What was looked up; throws the error with this code when there is no such thing. */
export function found<T>(value: T | null, code: ErrorCode): T {
  if (value === null) throw new AppError(code)
  return value
}

/** Asks a node. One that doesn't answer is a fault of ours that passes. */
export async function askNode<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isRpcFault(error)) throw new AppError('service_unavailable', [], { cause: error })
    throw error
  }
}

/** Faults that have an HTTP status of their own, also where every other outcome is a 200. */
export function isOurFault(error: unknown): boolean {
  return (
    error instanceof AppError ||
    error instanceof DatabaseUnavailable ||
    isDatabaseDown(error) ||
    isContention(error)
  )
}

function answer(exchange: Exchange, error: AppError): string {
  const isExplained = error.status === 400 || error.details.length > 0
  return sendError(exchange, error, isExplained ? { details: described(error) } : {})
}

/** The error envelope, with whatever else the answer has to say. */
export function sendError(
  exchange: Exchange,
  error: AppError,
  more: Readonly<Record<string, unknown>>,
): string {
  const body = { ...envelopeOf(error, exchange.traceId), ...more }
  return sendJson(exchange, error.status, JSON.stringify(body))
}

/** What every error answer says. */
export function envelopeOf(error: AppError, traceId: string) {
  return { success: false, error: error.message, traceId }
}

function described(error: AppError): readonly ErrorDetail[] {
  return error.details.slice(0, MAX_DETAILS)
}

/** No route: is it the path that nobody knows, or only the method? RFC 9110, sections 9.3.7, 15.5.6. */
function answerUnrouted(exchange: Exchange, findRoute: FindRoute): string {
  const path = targetOf(exchange.request).pathname
  const allowed: string[] = METHODS.filter((method) =>
    findRoute(method === 'HEAD' ? 'GET' : method, path),
  )
  if (allowed.length === 0) return answer(exchange, new AppError('not_found'))
  exchange.set.headers.allow = [...allowed, 'OPTIONS'].join(', ')
  if (exchange.request.method !== 'OPTIONS')
    return answer(exchange, new AppError('method_not_allowed'))
  exchange.set.status = 204
  return ''
}
