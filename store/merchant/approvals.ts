import type { ApprovalRequestId, MerchantId, PersonId } from '../../core/base/ids.ts'
import {
  type ApprovalPolicy,
  type ApprovalRequest,
  NO_POLICY,
} from '../../core/merchant/approval.ts'
import type { Queryable } from '../database/database.ts'

/** What needs approval at a merchant, and the pending requests. The database decides. */

/** How many requests are shown that are over. */
const ENDED_SHOWN = 20

export interface Approver {
  readonly merchantId: MerchantId
  readonly personId: PersonId
  /** As the audit log names them. */
  readonly name: string
}

/** What needs approval. */
export async function readPolicy(sql: Queryable, merchantId: MerchantId): Promise<ApprovalPolicy> {
  const [row] = await sql<ApprovalPolicy[]>`
    select recipient, refunds_above from approval_policy where merchant_id = ${merchantId}`
  return row ?? NO_POLICY
}

/** Changes that: at once, by an approval of its own, or not at all. */
export async function requestPolicy(
  sql: Queryable,
  { merchantId, personId, name }: Approver,
  { recipient, refundsAbove }: ApprovalPolicy,
): Promise<'done' | 'asked' | 'open' | 'alone'> {
  const [row] = await sql<{ outcome: 'done' | 'asked' | 'open' | 'alone' }[]>`
    select ask_for_policy(${merchantId}, ${personId}, ${name}, ${recipient},
      ${refundsAbove?.toString() ?? null}) as outcome`
  if (!row) throw new Error('the rules were neither changed nor refused')
  return row.outcome
}

/**
 * Ends all rules, for the operator: there may be no member left who could approve that. Requests for other
 * rules end with them. False when no rule is on.
 */
export async function liftPolicy(sql: Queryable, merchantId: MerchantId): Promise<boolean> {
  const [rules] = await sql`
    select from approval_policy where merchant_id = ${merchantId} and on_since is not null for update`
  if (rules === undefined) return false
  await sql`select put_policy(${merchantId}, false, null)`
  await sql`
    update approval_request set state = 'refused', ended_at = clock_timestamp(), ended_by = 'the operator'
    where merchant_id = ${merchantId} and kind = 'policy' and state = 'open'`
  return true
}

/** What came of an approval. */
export type Approved = 'approved' | 'counted' | 'unknown' | 'ended' | 'own' | 'new' | 'twice'

/** Votes for a request; a leader carries it out once it has all its votes. */
export async function approveRequest(
  sql: Queryable,
  { merchantId, personId, name }: Approver,
  id: ApprovalRequestId,
  delayS: number,
): Promise<Approved> {
  const [row] = await sql<{ outcome: Approved }[]>`
    select approve_request(${id}, ${merchantId}, ${personId}, ${name},
      make_interval(secs => ${delayS})) as outcome`
  if (!row) throw new Error('a request was neither approved nor not')
  return row.outcome
}

/** Refuses a request; `askers` where only its asker may, `unknown` where none is open. */
export async function refuseRequest(
  sql: Queryable,
  { merchantId, personId, name }: Approver,
  id: ApprovalRequestId,
): Promise<'refused' | 'askers' | 'unknown'> {
  const [row] = await sql<{ isRefused: boolean }[]>`
    select refuse_request(${id}, ${merchantId}, ${personId}, ${name}) as is_refused`
  if (row?.isRefused) return 'refused'
  const [open] = await sql`
    select from approval_request
    where id = ${id} and merchant_id = ${merchantId} and kind = 'member' and state = 'open'`
  return open === undefined ? 'unknown' : 'askers'
}

/**
 * A merchant's requests: those that are open, then the newest that are over, with what approve_request would
 * refuse this user.
 */
export async function listRequests(
  sql: Queryable,
  merchantId: MerchantId,
  personId: PersonId | null = null,
): Promise<ApprovalRequest[]> {
  const notApprovable = sql`
    case when a.state <> 'open' or a.expires_at <= now() then 'ended'
      when a.actor = 'person' and a.actor_id = ${personId}::text then 'own'
      when a.member_id = ${personId}::uuid then 'own'
      when not exists (
        select from member m left join approval_policy p on p.merchant_id = m.merchant_id
        where m.merchant_id = a.merchant_id and m.person_id = ${personId}::uuid
          and (m.role_since <= a.created_at - interval '24 hours' or m.role_since <= p.on_since))
        then 'new'
      when exists (
        select from votes_that_count(a.id) v where v.person_id = ${personId}::uuid) then 'twice'
    end as not_approvable`
  const columns = sql`
    a.id, a.kind, case when a.state = 'open' and a.expires_at <= now() then 'expired' else a.state end
      as state, a.actor_name, a.actor_id, a.needed, a.created_at, a.expires_at, a.ended_at, a.ended_by,
    array(select v.person_name from approval_vote v where v.request_id = a.id
      and (a.state <> 'open' or v.person_id in (select c.person_id from votes_that_count(a.id) c))
      order by v.at) as approved_by, ${notApprovable},
    (select u.name || ' <' || u.email || '>' from auth."user" u where u.id = a.member_id) as member,
    a.member_id, a.wanted_role,
    coalesce(c.recipient, r.recipient, a.wanted_address) as recipient, a.refund_id, r.invoice_id, i.reference as invoice_ref,
    r.network_id, r.token, r.amount, a.wanted_recipient, a.wanted_refunds_above
    from approval_request a left join recipient_change c on c.id = a.change_id
    left join refund r on r.id = a.refund_id left join invoice i on i.id = r.invoice_id`
  return sql<ApprovalRequest[]>`
    (select ${columns} where a.merchant_id = ${merchantId} and a.state = 'open'
      order by a.created_at desc)
    union all
    (select ${columns} where a.merchant_id = ${merchantId} and a.state <> 'open'
      order by a.created_at desc limit ${ENDED_SHOWN})`
}
