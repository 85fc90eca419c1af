import type { EventId } from '../../core/base/ids.ts'
import type { TraceContext } from '../../core/base/tracing.ts'
import type { Queryable } from './database.ts'

/** The traces in which objects were requested. Only a trace collector depends on them. */

/** Stores the span in which an object was requested; the first one stays. */
export async function rememberTrace(
  sql: Queryable,
  objectId: string,
  { traceId, spanId }: TraceContext,
): Promise<void> {
  await sql`
    insert into trace_context (object_id, trace_id, span_id)
    values (${objectId}, ${traceId}, ${spanId}) on conflict do nothing`
}

/** An item of a transaction whose object has a trace. */
export interface TracedItem extends TraceContext {
  readonly objectId: string
  readonly kind: string
  readonly queuedAt: Date
  /** When its transaction was made, mined and confirmed. */
  readonly sentAt: Date
  readonly minedAt: Date | null
  readonly confirmedAt: Date | null
}

export async function tracedItems(sql: Queryable, txId: bigint): Promise<TracedItem[]> {
  return sql<TracedItem[]>`
    select c.object_id, c.trace_id, c.span_id, w.kind, w.created_at as queued_at,
      t.created_at as sent_at, t.mined_at, t.confirmed_at
    from work_item w join relayer_tx t on t.id = w.tx_id
    left join settlement s on w.kind = 'sweep' and s.id = w.subject_id
    join trace_context c on c.object_id = coalesce(s.invoice_id, w.subject_id)
    where w.tx_id = ${txId} order by w.id`
}

/** The trace of what an event is about; null when there is none. */
export async function traceOfEvent(sql: Queryable, eventId: EventId): Promise<TraceContext | null> {
  const [row] = await sql<TraceContext[]>`
    select c.trace_id, c.span_id from outbox o join trace_context c using (object_id)
    where o.id = ${eventId}`
  return row ?? null
}

const KEPT = '7 days'
const BATCH = 1_000

/** Removes a batch of those that no collector is interested in any more. */
export async function removeOldTraces(sql: Queryable): Promise<void> {
  await sql`
    delete from trace_context where object_id in (
      select object_id from trace_context where at < now() - ${KEPT}::interval
      order by at limit ${BATCH})`
}
