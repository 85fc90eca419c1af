import { asEventId } from '../../core/base/ids.ts'
import type { NotifierConfig } from '../../core/config/processes.ts'
import { isEventType } from '../../core/events/eventTypes.ts'
import { sampleEvent } from '../../core/webhook/samples.ts'
import type { Database } from '../../store/database/database.ts'
import {
  type RequestedSample,
  requestedSamples,
  writeSamples,
} from '../../store/webhook/samples.ts'
import type { Isolation } from '../turns/isolation.ts'

/**
 * Writes the requested sample events, in a sandbox. In live it ignores the table: merchants act on events
 * there.
 */
export async function writeRequestedSamples(
  database: Database,
  { environment, hub }: Pick<NotifierConfig, 'environment' | 'hub'>,
  work: Isolation,
): Promise<void> {
  if (environment === 'live') return
  // Nearly always there is none, and no transaction is opened for it.
  if ((await requestedSamples(database, [])).length === 0) return
  const eventOf = ({ id, merchantId, type, createdAt }: RequestedSample) => {
    if (!isEventType(type)) return null
    const objectId = Bun.randomUUIDv7()
    const data = sampleEvent(type, environment, { objectId, merchantId, hub, now: createdAt })
    return { id, merchantId, type, objectId, version: 1, data }
  }
  await work.found(
    'sample',
    asEventId,
    (without) => requestedSamples(database, without),
    (scope) => writeSamples(database, eventOf, scope),
  )
}
