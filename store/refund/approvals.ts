import type { InvoiceId, MerchantId, RefundId } from '../../core/base/ids.ts'
import type { Chain } from '../../core/chain/registry.ts'
import type { Actor } from '../../core/events/audit.ts'
import { type RefundSum, refundNeedsApproval } from '../../core/merchant/approval.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/** Refunds that another member of the merchant has to approve. */

/** Above how much a merchant's refunds need one, in millionths of a whole token; null for none. */
export async function refundsApprovedAbove(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<bigint | null> {
  const [row] = await sql<{ refundsAbove: bigint | null }[]>`
    select refunds_above from approval_policy where merchant_id = ${merchantId}`
  return row?.refundsAbove ?? null
}

/** A refund that was just requested, and by whom; null for a command. */
interface Asked extends RefundSum {
  readonly id: RefundId
  readonly merchantId: MerchantId
  readonly by: Actor | null
}

/**
 * Makes a new refund wait for approval, where the merchant's rule requires it. Refunds of a merchant are added
 * up one after the other. Returns whether it waits.
 */
export async function holdWhereNeeded(
  sql: Transaction,
  registry: readonly Chain[],
  refund: Asked,
): Promise<boolean> {
  const { id, merchantId, by } = refund
  const refundsAbove = await refundsApprovedAbove(sql, merchantId)
  // Without a requester no one is excluded from approving: workers hold it all the same.
  if (by === null || refundsAbove === null) return false
  await sql`select lock_refund_sum(${merchantId})`
  const others = await sql<RefundSum[]>`
    select o.network_id, o.token, sum(o.amount) as amount from refund r join refund o
      on ${passedAlone(sql)} and o.id <> r.id
    where r.id = ${id} group by o.network_id, o.token`
  if (!refundNeedsApproval(refundsAbove, refund, registry, others)) return false
  await sql`select hold_refund(${id}, ${by.type}, ${by.id}, ${by.name})`
  return true
}

/**
 * Whether o is a refund of the merchant of r, of the 24 hours before it or later, that needs no approval. A
 * request for one that was signed without an approval takes nothing off the sum.
 */
function passedAlone(sql: Queryable) {
  return sql`o.merchant_id = r.merchant_id and o.created_at > r.created_at - interval '24 hours'
    and o.status <> 'failed' and not exists (
      select from approval_request a
      where a.refund_id = o.id and (o.order_number is null or a.done_at is not null))`
}

/** What is known of the approval of a refund. */
export interface RefundApproval {
  readonly isAsked: boolean
  /** By votes that a leader has checked. */
  readonly isApproved: boolean
  /**
   * The rule that held when it was requested, or the one that replaced it where that lets more pass; null where either
   * requires no approval. So a stricter rule has no refund wait that it is too late to request an approval for, and no
   * change of the rule lets pass what no rule has.
   */
  readonly refundsAbove: bigint | null
  /** What came before it within 24 hours and needed none, by token. */
  readonly before: readonly RefundSum[]
}

export const NO_APPROVAL: RefundApproval = {
  ...{ isAsked: false, isApproved: false },
  ...{ refundsAbove: null, before: [] },
}

/** It, by refund. */
export async function refundApprovals(
  sql: Queryable,
  refundIds: readonly RefundId[],
): Promise<ReadonlyMap<RefundId, RefundApproval>> {
  const ids = [...refundIds]
  const rows = await sql<(Omit<RefundApproval, 'before'> & { refundId: RefundId })[]>`
    select r.id as refund_id, a.id is not null as is_asked,
      coalesce(a.state = 'approved' and a.done_at is not null, false) as is_approved,
      case when p.since <= r.created_at then p.refunds_above
        when f.refunds_above is not null and p.refunds_above is not null
        then greatest(f.refunds_above, p.refunds_above) end as refunds_above
    from refund r
    left join approval_request a on a.refund_id = r.id
    left join approval_policy p on p.merchant_id = r.merchant_id
    left join lateral (
      select f.refunds_above from former_approval_policy f
      where f.merchant_id = r.merchant_id and f.since <= r.created_at
      order by f.since desc limit 1) f on true
    where r.id = any(${ids}::uuid[])`
  const ruled = rows.filter(({ refundsAbove }) => refundsAbove !== null)
  const sums = ruled.length === 0 ? [] : await sumsBefore(sql, ruled)
  return new Map(
    rows.map(({ refundId, ...approval }) => {
      const before = sums.filter((sum) => sum.refundId === refundId)
      return [refundId, { ...approval, before }]
    }),
  )
}

async function sumsBefore(sql: Queryable, refunds: readonly { readonly refundId: RefundId }[]) {
  const ids = refunds.map(({ refundId }) => refundId)
  return sql<(RefundSum & { readonly refundId: RefundId })[]>`
    select r.id as refund_id, o.network_id, o.token, sum(o.amount) as amount from refund r join refund o
      on ${passedAlone(sql)} and (o.created_at, o.id) < (r.created_at, r.id)
    where r.id = any(${ids}::uuid[]) group by r.id, o.network_id, o.token`
}

/** Ends requests that were not approved in time. */
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
    join work_item w on w.subject_id = r.id and w.state = 'queued'
    where a.kind = 'refund' and a.state in ('refused', 'expired') and r.network_id = ${networkId}
      and r.status = 'open' and r.deadline is null and r.id <> all(${[...without]}::uuid[])
    order by r.id limit ${limit}`
}
