import type { Actor } from '../../core/dashboard/audit.ts'
import type { InvoiceId, MerchantId, RefundId } from '../../core/ids.ts'
import type { Queryable } from '../database.ts'

/** Refunds that a second person of the merchant's has to approve. */

/** Above how much a merchant's refunds need one, in millionths of a whole token; null for none. */
export async function refundsApprovedAbove(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<bigint | null> {
  const [row] = await sql<{ refundsAbove: bigint | null }[]>`
    select refunds_above from approval_policy where merchant_id = ${merchantId}`
  return row?.refundsAbove ?? null
}

/** Has a refund that was just asked for wait for one. */
export async function holdRefund(sql: Queryable, refundId: RefundId, by: Actor): Promise<void> {
  await sql`select hold_refund(${refundId}, ${by.type}, ${by.id}, ${by.name})`
}

/** What is known of the approval of a refund. */
export interface RefundApproval {
  readonly isAsked: boolean
  readonly isApproved: boolean
  /** The rule that held when it was asked for, and still holds; null for none. */
  readonly refundsAbove: bigint | null
}

export const NO_APPROVAL: RefundApproval = { isAsked: false, isApproved: false, refundsAbove: null }

/** It, by refund. */
export async function refundApprovals(
  sql: Queryable,
  refundIds: readonly RefundId[],
): Promise<ReadonlyMap<RefundId, RefundApproval>> {
  const rows = await sql<(RefundApproval & { refundId: RefundId })[]>`
    select r.id as refund_id, a.id is not null as is_asked,
      coalesce(a.state = 'approved', false) as is_approved, p.refunds_above
    from refund r
    left join approval_request a on a.refund_id = r.id
    left join approval_policy p on p.merchant_id = r.merchant_id and p.since <= r.created_at
    where r.id = any(${[...refundIds]}::uuid[])`
  return new Map(rows.map(({ refundId, ...approval }) => [refundId, approval]))
}

/** Ends requests that nobody has approved in time. */
export async function expireRequests(sql: Queryable): Promise<number> {
  const [late] = await sql`
    select from approval_request where state = 'open' and expires_at <= clock_timestamp() limit 1`
  if (late === undefined) return 0
  const [row] = await sql<{ ended: number }[]>`select expire_requests() as ended`
  return row?.ended ?? 0
}

/** Refunds of a chain that were refused or came too late for an approval, and were never signed. */
export async function unapproved(
  sql: Queryable,
  networkId: string,
  without: readonly RefundId[],
  limit: number,
): Promise<
  {
    readonly refundId: RefundId
    /** Null for a refund of an x402 payment. */
    readonly invoiceId: InvoiceId | null
    readonly itemId: bigint
    readonly state: 'refused' | 'expired'
  }[]
> {
  return sql`
    select r.id as refund_id, r.invoice_id, w.id as item_id, a.state
    from approval_request a join refund r on r.id = a.refund_id
    join work_item w on w.dedupe_key = 'refund:' || r.id and w.state = 'queued'
    where a.kind = 'refund' and a.state in ('refused', 'expired') and r.network_id = ${networkId}
      and r.status = 'open' and r.deadline is null and r.id <> all(${[...without]}::uuid[])
    order by r.id limit ${limit}`
}
