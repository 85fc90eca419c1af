import type { MerchantId } from '../../core/base/ids.ts'
import { HELD_EVENT_TYPES } from '../../core/events/eventTypes.ts'
import type { Queryable } from '../database/database.ts'

/** What an email about held money reports. */
export interface HeldEvent {
  readonly type: (typeof HELD_EVENT_TYPES)[number]
  readonly invoiceRef: string
  readonly position: bigint
}

/** The merchant's events about held money after a position among its events, in their order. */
export async function heldEventsAfter(
  sql: Queryable,
  merchantId: MerchantId,
  position: bigint,
  limit: number,
): Promise<HeldEvent[]> {
  return sql<HeldEvent[]>`
    select type, data->>'reference' as invoice_ref, position from outbox
    where merchant_id = ${merchantId} and type = any(${[...HELD_EVENT_TYPES]}::text[])
      and position > ${position}
    order by position limit ${limit}`
}
