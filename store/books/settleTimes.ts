import type { PaymentKind } from './payers.ts'
import {
  type Days,
  MOST_ADDED_UP,
  type Narrowing,
  ofMerchant,
  onNetwork,
  type ReadScope,
  within,
} from './readScope.ts'

/** How long payers' money takes until it is settled. */

/** Of one kind of payment on one chain. */
export interface SettleTimeRow {
  readonly kind: PaymentKind
  /** Null for invoices that were paid on several chains. */
  readonly networkId: string | null
  readonly settled: bigint
  /** In milliseconds. */
  readonly medianMs: bigint
  readonly p95Ms: bigint
  readonly slowestMs: bigint
}

export interface SettleTimeQuery extends Narrowing {
  readonly days: Days
}

/**
 * Of invoices that were paid on these days: from being paid to being completed. Of x402 payments that were
 * confirmed on them: from the claim to the token's logs. Of the newest, if there are very many.
 */
export async function readSettleTimes(
  scope: ReadScope,
  { days, merchantId, networkId }: SettleTimeQuery,
): Promise<SettleTimeRow[]> {
  const { sql } = scope
  const most = MOST_ADDED_UP
  const chain = networkId === null ? sql`true` : sql`target_network = ${networkId}`
  const percentile = (share: number) =>
    sql`round(percentile_cont(${share}::float8) within group (order by ms))::bigint`
  return sql<SettleTimeRow[]>`
    select kind, network_id, count(*) as settled, ${percentile(0.5)} as median_ms,
      ${percentile(0.95)} as p95_ms, round(max(ms))::bigint as slowest_ms
    from (
      (select 'INVOICE' as kind, target_network as network_id,
        extract(epoch from completed_at - paid_at)::float8 * 1000 as ms
      from seen_invoice
      where ${ofMerchant(scope, merchantId)} and ${chain} and completed_at is not null
        and ${within(scope, 'paid_at', days)}
      order by paid_at desc limit ${most})
      union all
      (select 'X402', network_id, extract(epoch from settled_at - created_at)::float8 * 1000
      from seen_x402_payment
      where ${ofMerchant(scope, merchantId)} and ${onNetwork(scope, networkId)}
        and ${within(scope, 'confirmed_at', days)}
      order by confirmed_at desc limit ${most})
    ) as settled
    group by kind, network_id order by kind, network_id`
}
