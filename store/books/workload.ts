import type { Database } from '../database/database.ts'

/** How much work is open, and for how long: what is counted is open, so no history makes it more. */

/** Work of one kind on one chain in one state. */
export interface OpenWork {
  readonly networkId: string
  readonly kind: string
  readonly state: 'queued' | 'assigned' | 'review'
  readonly count: number
  readonly oldestAt: Date
}

export interface Workload {
  readonly work: readonly OpenWork[]
  /** Deliveries that are still to be made or tried again, */
  readonly deliveries: number
  /** and when the first of them is or was due; null while there is none. */
  readonly deliveryDueAt: Date | null
  /** Events that no notifier has taken yet. */
  readonly events: number
}

export async function readWorkload(database: Database): Promise<Workload> {
  const [queued, assigned, reviews, [deliveries], [events]] = await Promise.all([
    database<OpenWork[]>`
      select network_id, kind, 'queued' as state, count(*)::integer as count,
        min(not_before) as oldest_at
      from work_item where state = 'queued' and waits_for is null group by network_id, kind`,
    database<OpenWork[]>`
      select network_id, kind, 'assigned' as state, count(*)::integer as count,
        min(updated_at) as oldest_at
      from work_item where state = 'assigned' group by network_id, kind`,
    database<OpenWork[]>`
      select network_id, kind, 'review' as state, count(*)::integer as count,
        min(updated_at) as oldest_at
      from work_item where state = 'review' group by network_id, kind`,
    database<{ count: number; dueAt: Date | null }[]>`
      select count(*)::integer as count, min(next_attempt_at) as due_at
      from webhook_delivery where state = 'pending'`,
    database<{ count: number }[]>`
      select count(*)::integer as count from outbox where position is null`,
  ])
  return {
    work: [...queued, ...assigned, ...reviews],
    deliveries: deliveries?.count ?? 0,
    deliveryDueAt: deliveries?.dueAt ?? null,
    events: events?.count ?? 0,
  }
}
