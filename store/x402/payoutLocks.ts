import type { MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/** Payouts of forwarders wait for refunds of what the forwarders hold. */

/** A forwarder's money of one token. */
export interface Payable {
  readonly merchantId: MerchantId
  readonly token: Address
}

/**
 * Whether a refund of what a forwarder holds is on its way: it stays there until the refund has the chain's
 * confirmations, or has failed. `merchant` and `token` are expressions.
 */
export function isRefunding(
  sql: Queryable,
  networkId: string,
  merchant: ReturnType<Queryable>,
  token: ReturnType<Queryable>,
) {
  return sql`
    exists (select from refund r
      where r.network_id = ${networkId} and r.merchant_id = ${merchant} and r.token = ${token}
        and r.x402_payment_id is not null and r.status in ('open', 'mined'))`
}

/**
 * Those of the forwarders that may be paid out in the transaction that is being made. Until it ends no refund
 * of their balance can be requested; a later request finds this payout stored.
 */
export async function withoutRefunds<Row extends Payable>(
  sql: Transaction,
  networkId: string,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return []
  await sql`select share_payouts(${rows.map(({ merchantId }) => merchantId)}::uuid[])`
  // Read by a statement of its own, which sees what was committed while the lock was waited for.
  const held = await sql<Payable[]>`
    select g.merchant_id, g.token from unnest(
      ${rows.map(({ merchantId }) => merchantId)}::uuid[], ${rows.map(({ token }) => token)}::text[]
    ) as g (merchant_id, token)
    where ${isRefunding(sql, networkId, sql`g.merchant_id`, sql`g.token`)}`
  const keys = new Set(held.map(({ merchantId, token }) => `${merchantId} ${token}`))
  return rows.filter(({ merchantId, token }) => !keys.has(`${merchantId} ${token}`))
}
