import type { EndpointId, MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'

/** What a merchant's x402 payments of some days add up to. */

/** Payments of one endpoint in one token. */
export interface EndpointFigures {
  readonly endpointId: EndpointId | null
  readonly networkId: string
  readonly asset: Address
  readonly settled: number
  /** In base units. */
  readonly revenue: bigint
  readonly pending: number
  readonly failed: number
}

/** Why payments of one endpoint failed. */
export interface FailureFigures {
  readonly endpointId: EndpointId | null
  readonly reason: string
  readonly count: number
}

/** What one payer has paid in one token. */
export interface PayerFigures {
  readonly payer: Address
  readonly networkId: string
  readonly asset: Address
  readonly settled: number
  /** In base units. */
  readonly paid: bigint
}

export interface X402Figures {
  readonly endpoints: readonly EndpointFigures[]
  readonly failures: readonly FailureFigures[]
  readonly payers: readonly PayerFigures[]
  /** True when there were more payments than are added up: these are of the newest. */
  readonly isCut: boolean
}

/** The most payments that are added up at a time. */
const MOST_PAYMENTS = 200_000
const MOST_PAYERS = 10
const MOST_REASONS = 200

/** Adds up the payments since a time. */
export async function readFigures(
  sql: Queryable,
  merchantId: MerchantId,
  since: Date,
): Promise<X402Figures> {
  const recent = sql`
    recent as materialized (
      select endpoint_id, network_id, asset, payer, status, reason, amount from x402_payment
      where merchant_id = ${merchantId} and created_at >= ${since}
      order by created_at desc, id desc limit ${MOST_PAYMENTS})`
  const endpoints = await sql<EndpointFigures[]>`
    with ${recent}
    select endpoint_id, network_id, asset,
      count(*) filter (where status = 'settled')::integer as settled,
      coalesce(sum(amount) filter (where status = 'settled'), 0) as revenue,
      count(*) filter (where status = 'pending')::integer as pending,
      count(*) filter (where status = 'failed')::integer as failed
    from recent group by endpoint_id, network_id, asset order by revenue desc, endpoint_id`
  const failures = await sql<FailureFigures[]>`
    with ${recent}
    select endpoint_id, coalesce(reason, 'unknown') as reason, count(*)::integer as count
    from recent where status = 'failed'
    group by endpoint_id, reason order by count desc, reason limit ${MOST_REASONS}`
  const payers = await sql<PayerFigures[]>`
    with ${recent}
    select payer, network_id, asset, count(*)::integer as settled, sum(amount) as paid
    from recent where status = 'settled'
    group by payer, network_id, asset order by paid desc, payer limit ${MOST_PAYERS}`
  const added = endpoints.reduce((sum, one) => sum + one.settled + one.pending + one.failed, 0)
  return { endpoints, failures, payers, isCut: added >= MOST_PAYMENTS }
}
