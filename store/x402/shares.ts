import type { DistributionId, X402PaymentId } from '../../core/base/ids.ts'
import type { Transaction } from '../database/database.ts'
import { feeHeldBefore, isPayoutBefore } from '../invoice/list/heldFees.ts'
import { lockPayments } from './locking.ts'
import type { Binding } from './payouts.ts'
import { refundedBefore } from './refundsBeforePayouts.ts'

/** What payments bear of the fees of their payouts. */

/** A distribution with its payments, for sharing its fee. Amounts in base units. */
export interface DistributionShares {
  readonly id: DistributionId
  /** What the forwarder had to give: the treasury's part and the fee, paid out or held. */
  readonly amount: bigint
  /** The fee of this distribution alone. */
  readonly fee: bigint
  /** The first one leaves a base unit behind, which stays forever. */
  readonly isFirst: boolean
  /** What refunds have taken of the forwarder between the payout before it and this one. */
  readonly refunded: bigint
  /** In the chain's order. */
  readonly payments: readonly SharingPayment[]
}

interface SharingPayment {
  readonly id: X402PaymentId
  readonly amount: bigint
  /** What of it went back before the payout: it bears no fee. */
  readonly refunded: bigint
}

interface SharesRow {
  id: DistributionId
  remitted: bigint
  fee: bigint
  feeHeld: bigint
  heldBefore: bigint
  isFirst: boolean
  refunded: bigint
}

/** Reads distributions with the payments that are bound to them, or are about to be. */
export async function readShares(
  sql: Transaction,
  distributionIds: readonly DistributionId[],
  bindings: readonly Binding[],
): Promise<DistributionShares[]> {
  const payments = await readPaidOut(sql, distributionIds, bindings)
  const rows = await sql<SharesRow[]>`
    select d.id, d.remitted, d.fee, d.fee_held,
      not exists (select from x402_distribution e where ${isPayoutBefore(sql, 'e', 'd')}) as is_first,
      ${feeHeldBefore(sql, 'd')} as held_before, ${refundedBefore(sql)} as refunded
    from x402_distribution d
    where d.id = any(${[...distributionIds]}::uuid[])`
  return rows.map((row) => {
    // A collector that got nothing may still be owed earlier fees, while this one's was rounded to 0.
    const paid = row.fee
    const fee = paid > 0n ? paid - row.heldBefore : row.feeHeld
    return {
      id: row.id,
      amount: row.remitted + fee,
      fee,
      isFirst: row.isFirst,
      refunded: row.refunded,
      payments: payments.get(row.id) ?? [],
    }
  })
}

/** The payments of each distribution, in the chain's order. */
async function readPaidOut(
  sql: Transaction,
  distributionIds: readonly DistributionId[],
  bindings: readonly Binding[],
): Promise<Map<DistributionId, SharingPayment[]>> {
  const rows = await sql<(SharingPayment & { distributionId: DistributionId })[]>`
    with paid as (
      select distribution_id, id, amount, block_number, log_index from x402_payment
      where distribution_id = any(${[...distributionIds]}::uuid[])
      union all
      select b.distribution_id, p.id, p.amount, p.block_number, p.log_index
      from unnest(
        ${bindings.map(({ paymentId }) => paymentId)}::uuid[],
        ${bindings.map(({ distributionId }) => distributionId)}::uuid[]
      ) as b (id, distribution_id)
      join x402_payment p using (id)
    )
    select paid.distribution_id, paid.id, paid.amount, (
      select coalesce(sum(r.amount), 0) from refund r
      where r.x402_payment_id = paid.id and r.distribution_id = paid.distribution_id) as refunded
    from paid
    order by paid.block_number, paid.log_index`
  const byDistribution = new Map<DistributionId, SharingPayment[]>()
  for (const { distributionId, ...payment } of rows) {
    const those = byDistribution.get(distributionId) ?? []
    those.push(payment)
    byDistribution.set(distributionId, those)
  }
  return byDistribution
}

/**
 * Binds payments to the distribution that has paid them out, each with its part of the fee, and stores what
 * belongs to no payment. Reverted distributions and payments are not bound.
 */
export async function saveShares(
  sql: Transaction,
  distributionId: DistributionId,
  unattributed: bigint,
  shares: readonly { readonly paymentId: X402PaymentId; readonly fee: bigint }[],
): Promise<void> {
  const [kept] = await sql`
    update x402_distribution set unattributed = ${unattributed.toString()}
    where id = ${distributionId} returning id`
  if (kept === undefined) return
  await lockPayments(
    sql,
    shares.map(({ paymentId }) => paymentId),
  )
  const fees = Object.fromEntries(shares.map((share) => [share.paymentId, share.fee.toString()]))
  // Each fee is looked up by its payment: rows joined to as many others would be compared crosswise.
  await sql`
    update x402_payment p set distribution_id = ${distributionId},
      fee = (g.fees ->> p.id::text)::numeric
    from (select ${sql.json(fees)}::jsonb as fees) g
    where p.id = any(${shares.map((s) => s.paymentId)}::uuid[]) and p.status = 'settled'
      and (p.distribution_id is null or p.distribution_id = ${distributionId}::uuid)
      and (p.distribution_id, p.fee) is distinct from
        (${distributionId}::uuid, (g.fees ->> p.id::text)::numeric)`
}
