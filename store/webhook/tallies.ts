import type { WebhookEndpointId } from '../../core/base/ids.ts'
import type { Database, Queryable } from '../database/database.ts'
import { foldChanges, type Tally } from '../database/tallies.ts'

/** How many deliveries endpoints have: counted by the database as they come and change. */

const DELIVERIES: Tally = {
  lock: 7_733_104,
  changes: 'delivery_tally_change',
  sums: ['deliveries'],
  into: { delivery_tally: ['endpoint_id', 'day', 'state', 'event_type'] },
}

/** What became of the events of one day (UTC, as YYYY-MM-DD), by their deliveries. */
export interface DeliveryDay {
  readonly day: string
  readonly deliveries: number
  readonly failed: number
}

/** An endpoint's days since then that have deliveries, the oldest first. */
export async function deliveryDays(
  sql: Queryable,
  endpointId: WebhookEndpointId,
  since: Date,
): Promise<DeliveryDay[]> {
  const wanted = sql`
    endpoint_id = ${endpointId} and day >= (${since}::timestamptz at time zone 'UTC')::date`
  return sql<DeliveryDay[]>`
    select day::text, sum(deliveries)::integer as deliveries,
      coalesce(sum(deliveries) filter (where state = 'failed'), 0)::integer as failed
    from (
      select day, state, deliveries from delivery_tally where ${wanted}
      union all
      select day, state, deliveries from delivery_tally_change where ${wanted}
    ) tallied
    group by day having sum(deliveries) > 0 order by day`
}

export const foldDeliveryTallies = (database: Database) => foldChanges(database, DELIVERIES)
