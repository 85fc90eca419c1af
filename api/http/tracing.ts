import { parseTraceparent, traceIdOf } from '../../core/base/tracing.ts'
import type { Tracer } from '../../metrics/process/tracing.ts'
import { rememberTrace } from '../../store/database/traces.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/** A request's span, where spans are sent to a collector. */

/** Begins it, in the caller's trace if it names one; null when the caller records nothing. */
export function beginSpan(tracer: Tracer, { request, traceId }: Exchange) {
  const header = request.headers.get('traceparent')
  const parent = header === null ? null : parseTraceparent(header)
  if (parent?.isSampled === false) return null
  return tracer.begin(new Date(), parent, traceIdOf(traceId))
}

/** Ends it with the answer. */
export function endSpan(exchange: Exchange, route: string): void {
  const { span, request, set, traceId, errorCode, about } = exchange
  const status = Number(set.status ?? 200)
  const name = route === '' ? request.method : `${request.method} ${route}`
  const reason = errorCode ?? about?.reason
  span?.end(
    name,
    {
      'http.request.method': request.method,
      'http.response.status_code': status,
      'remit.trace_id': traceId,
      ...(route === '' ? {} : { 'http.route': route }),
      ...(reason === undefined ? {} : { 'remit.reason': reason }),
    },
    status >= 500 ? (errorCode ?? String(status)) : undefined,
  )
}

/** Has workers continue the trace with the requested work. Never waited for, and never a reason to fail. */
export function carryTrace(
  { database, log }: Pick<ApiDependencies, 'database' | 'log'>,
  { span, traceId }: Pick<Exchange, 'span' | 'traceId'>,
  objectId: string,
): void {
  if (span === null) return
  rememberTrace(database, objectId, span).catch((err: unknown) =>
    log.debug({ traceId, err }, 'a trace ends here: it could not be stored'),
  )
}
