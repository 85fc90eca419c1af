import { type EndpointId, type MerchantId, NIL_UUID } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import { type Days, type Narrowing, ofMerchant, onNetwork, type ReadScope } from './readScope.ts'
import { type Period, periodOf } from './volume.ts'

/** What x402 payments have brought, by the endpoint that they were for. */

/** Of one endpoint, period, chain and token. */
export interface EndpointRevenueRow {
  /** The first day of the period; null for all the days together. */
  readonly day: string | null
  readonly merchantId: MerchantId
  /** Null for payments that belong to no endpoint. */
  readonly endpointId: EndpointId | null
  readonly url: string | null
  readonly networkId: string
  readonly token: Address
  readonly payments: bigint
  /** In base units. */
  readonly revenue: BaseUnits
}

export interface EndpointQuery extends Narrowing {
  readonly days: Days
  readonly period: Period
  readonly endpointId: EndpointId | null
  readonly limit: number
}

/** The confirmed payments of each period; the newest period first, in it the most revenue. */
export async function readEndpointRevenue(
  scope: ReadScope,
  { days, period, endpointId, merchantId, networkId, limit }: EndpointQuery,
): Promise<EndpointRevenueRow[]> {
  const { sql } = scope
  return sql<EndpointRevenueRow[]>`
    select summed.*, e.id as endpoint_id, e.url
    from (
      select ${periodOf(scope, period)} as day, merchant_id, endpoint_id as tallied_id, network_id,
        token, sum(payments)::bigint as payments, sum(amount) as revenue
      from seen_endpoint_movement
      where ${ofMerchant(scope, merchantId)} and ${onNetwork(scope, networkId)}
        and day >= ${days.from}::text::date and day < ${days.to}::text::date
        and ${endpointId === null ? sql`true` : sql`endpoint_id = ${endpointId}`}
      group by 1, 2, 3, 4, 5 having sum(payments) <> 0
      order by 1 desc, 7 desc, 3 limit ${limit}
    ) as summed
    left join seen_endpoint e on e.id = nullif(tallied_id, ${NIL_UUID}::uuid)
      and e.merchant_id = summed.merchant_id
    order by summed.day desc, revenue desc, tallied_id, network_id, token`
}
