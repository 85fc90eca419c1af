import type { Queryable } from '../../store/database/database.ts'
import { type HistorySeed, OTHERS, uuidAt } from './size.ts'

/** Endpoints of each merchant, to all of which each of its events goes. */
const ENDPOINTS = 3
/** Events are kept for 30 days. */
const DAYS = 29
/** Responses of endpoints are kept for a week. */
const ANSWER_DAYS = 6

/** Events that were delivered to endpoints that want no more; three in a hundred deliveries were not taken. */
export async function seedEvents(sql: Queryable, { deliveries }: HistorySeed): Promise<void> {
  const events = Math.ceil(deliveries / ENDPOINTS)
  await sql`
    insert into webhook_endpoint (id, merchant_id, url, secret, event_types)
    select gen_random_uuid(), m.id, 'https://shop.example/' || m.n || '/' || e, 'sealed:1:public:AAAA', '{test}'
    from seed_merchant m cross join generate_series(1, ${ENDPOINTS}) e`
  await sql`
    insert into outbox (id, merchant_id, type, object_id, version, data, created_at, position)
    select ${uuidAt(sql, 'at', 'o.n')}, m.id,
      case when o.n % 1000 = 1 then 'invoice.expired' when o.n % 2 = 0 then 'invoice.created'
        else 'invoice.paid' end,
      gen_random_uuid(), 1, '{}', at, nextval('outbox_position')
    from (
      select n, now() - ${DAYS} * interval '1 day' * (1 - (n - 1)::float8 / ${events + 1}) as at
      from generate_series(1, ${events}::bigint) n order by n
    ) o
    join seed_merchant m on m.n = case when o.n % 5 = 0 then 0 else 1 + o.n % ${OTHERS} end`
  await sql`
    insert into webhook_delivery (id, endpoint_id, event_id, state, attempts, step, last_status,
      created_at, finished_at, next_attempt_at, event_type)
    select gen_random_uuid(), e.id, o.id,
      case when o.position % 33 = 0 then 'failed' else 'succeeded' end, 1, 1, 200, o.created_at,
      o.created_at, o.created_at, o.type
    from outbox o join webhook_endpoint e on e.merchant_id = o.merchant_id`
  await sql`
    insert into delivery_tally (endpoint_id, day, state, event_type, deliveries)
    select endpoint_id, day_of_id(event_id), state, event_type, count(*)
    from webhook_delivery group by 1, 2, 3, 4`
  await sql`
    insert into webhook_attempt (delivery_id, number, at, latency_ms, status, answer)
    select id, 1, created_at, 20, 200,
      case when created_at > now() - ${ANSWER_DAYS} * interval '1 day' then 'thank you' end
    from webhook_delivery`
}
