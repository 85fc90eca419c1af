import type { Database } from '../database/database.ts'
import { foldChanges, type Tally } from '../database/tallies.ts'

/** How many deliveries endpoints have: counted by the database as they come and change. */

const DELIVERIES: Tally = {
  lock: 7_733_104,
  changes: 'delivery_tally_change',
  sums: ['deliveries'],
  into: { delivery_tally: ['endpoint_id', 'day', 'state', 'event_type'] },
}

export const foldDeliveryTallies = (database: Database) => foldChanges(database, DELIVERIES)
