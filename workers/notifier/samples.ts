import type { NotifierConfig } from '../../core/config/processes/processes.ts'
import { isEventType } from '../../core/eventTypes.ts'
import { sampleEvent } from '../../core/webhook/samples.ts'
import type { Database } from '../../store/database.ts'
import { writeSamples } from '../../store/webhook/samples.ts'

/**
 * Writes the sample events that people have asked for, in a sandbox. In live it does nothing, whatever the
 * table has: merchants act on events there.
 */
export async function writeAskedSamples(
  database: Database,
  { environment, hub }: Pick<NotifierConfig, 'environment' | 'hub'>,
): Promise<void> {
  if (environment === 'live') return
  await writeSamples(database, ({ id, merchantId, type, createdAt }) => {
    if (!isEventType(type)) return null
    const objectId = Bun.randomUUIDv7()
    const data = sampleEvent(type, environment, { objectId, merchantId, hub, now: createdAt })
    return { id, merchantId, type, objectId, version: 1, data }
  })
}
