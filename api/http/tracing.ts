import { parseTraceparent, traceIdOf } from '../../core/base/tracing.ts'
import type { Tracer } from '../../metrics/process/tracing.ts'
import { rememberTrace } from '../../store/database/traces.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/** Spans of requests, if a collector is configured. */

/** Starts a span, in the caller's trace if there is one; null if the caller's trace is not sampled. */
export function beginSpan(tracer: Tracer, { request, traceId }: Exchange) {
  const header = request.headers.get('traceparent')
  const parent = header === null ? null : parseTraceparent(header)
  if (parent?.isSampled === false) return null
  return tracer.begin(new Date(), parent, traceIdOf(traceId))
}

/** Ends the span with the response. */
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

/** Stores the trace context for workers. Never fails and is never awaited. */
export function carryTrace(
  { database, log }: Pick<ApiDependencies, 'database' | 'log'>,
  { span, traceId }: Pick<Exchange, 'span' | 'traceId'>,
  objectId: string,
): void {
  if (span === null) return
  rememberTrace(database, objectId, span).catch((err: unknown) =>
    log.debug({ traceId, err }, 'a trace context could not be stored'),
  )
}
