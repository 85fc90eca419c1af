import type { Logger } from 'pino'
import type { Tracer } from '../../metrics/process/tracing.ts'
import type { Database } from '../../store/database/database.ts'
import { traceOfEvent } from '../../store/database/traces.ts'
import type { DeliveryOutcome } from '../../store/webhook/outcomes.ts'
import type { Outgoing } from './lanes.ts'

interface Tracing {
  readonly database: Database
  readonly log: Logger
  readonly tracer?: Tracer | undefined
}

/** Reports an attempt to a trace collector, if its object was requested in a trace. Never waited for. */
export function traceAttempt(
  { tracer, database, log }: Tracing,
  { delivery: { event } }: Outgoing,
  { at, latencyMs, number, status, error, url }: DeliveryOutcome,
): void {
  if (tracer === undefined) return
  traceOfEvent(database, event.id)
    .then((context) => {
      if (context === null) return
      tracer.record(context, {
        name: 'webhook',
        start: at,
        end: new Date(at.getTime() + latencyMs),
        attributes: {
          'remit.event_id': event.id,
          'remit.event_type': event.type,
          'remit.attempt': number,
          'server.address': URL.parse(url)?.hostname ?? '',
          ...(status === null ? {} : { 'http.response.status_code': status }),
        },
        error: error ?? undefined,
      })
    })
    .catch((err: unknown) => log.debug({ err }, 'a delivery could not be traced'))
}
