import type { RoleChange } from '../../core/access/membership.ts'
import type { ApprovalRequestId, MerchantId, PersonId } from '../../core/base/ids.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/** Approval requests for leaders to carry out, and memberships that owners are not notified of yet. */

export interface RequestToFollow {
  readonly id: ApprovalRequestId
  readonly merchantId: MerchantId
  readonly state: 'open' | 'approved'
}

/** Requests, but for some, that no leader has checked yet, or that are approved and not carried out. */
export async function requestsToFollow(
  sql: Queryable,
  without: readonly string[],
  limit: number,
): Promise<RequestToFollow[]> {
  return sql<RequestToFollow[]>`
    select id, merchant_id, state from approval_request
    where (state = 'open' and checked_at is null or state = 'approved' and done_at is null)
      and id <> all(${[...without]}::uuid[])
    order by id limit ${limit}`
}

type Followed = Pick<RequestToFollow, 'id' | 'merchantId'>

/** Notes that a request is genuine, or ends it for a reason. False when it was over, or carried out. */
export async function verifyRequest(
  sql: Transaction,
  { id, merchantId }: Followed,
  reason: string | null,
): Promise<boolean> {
  const [row] = await sql<{ isVerified: boolean }[]>`
    select verify_request(${id}, ${merchantId}, ${reason}) as is_verified`
  return row?.isVerified ?? false
}

/** Locks an approved request and its voters. Returns whose votes count, null when it is not to be carried out (yet). */
export async function lockApproved(
  sql: Transaction,
  { id, merchantId }: Followed,
): Promise<readonly PersonId[] | null> {
  const [row] = await sql<{ voters: PersonId[] | null }[]>`
    select lock_approved(${id}, ${merchantId}) as voters`
  return row?.voters ?? null
}

/** Carries out what is locked and checked; null when that can't be done any more, else who has approved it. */
export async function carryOut(
  sql: Transaction,
  id: ApprovalRequestId,
  delayS: number,
): Promise<{ readonly approvedBy: string } | null> {
  const [row] = await sql<{ isDone: boolean; approvedBy: string }[]>`
    select carry_out_checked(${id}, make_interval(secs => ${delayS})) as is_done, ended_by as approved_by
    from approval_request where id = ${id}`
  return row?.isDone ? { approvedBy: row.approvedBy } : null
}

/** Memberships that have changed, the oldest first. */
export async function memberChanges(
  sql: Queryable,
  without: readonly string[],
  limit: number,
): Promise<readonly bigint[]> {
  const rows = await sql<{ id: bigint }[]>`
    select id from member_change where id::text <> all(${[...without]}::text[]) order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Takes one of them, for the transaction that notifies the owners; null when another leader has. */
export async function takeMemberChange(
  sql: Transaction,
  id: bigint,
): Promise<(RoleChange & { readonly merchantId: MerchantId }) | null> {
  const [row] = await sql<(RoleChange & { merchantId: MerchantId })[]>`
    delete from member_change where id = ${id}
    returning merchant_id, name, email, role_before as before, role_after as after, by_name as by`
  return row ?? null
}
