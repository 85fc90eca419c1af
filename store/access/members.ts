import type { Role } from '../../core/access/roles.ts'
import type { MerchantId, PersonId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/** Who acts for which merchant. Read on every request, so that an end of it is an end at once. */

/** A merchant of a user. */
export interface Membership {
  readonly merchantId: MerchantId
  readonly merchantName: string
  readonly role: Role
}

export interface Member {
  readonly personId: PersonId
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly hasSecondFactor: boolean
  readonly createdAt: Date
}

/** The merchants of a user, by name. */
export async function membershipsOf(sql: Queryable, personId: PersonId): Promise<Membership[]> {
  return sql<Membership[]>`
    select m.merchant_id, c.name as merchant_name, m.role
    from member m join merchant c on c.id = m.merchant_id
    where m.person_id = ${personId} order by c.name, c.id`
}

/** A user's role at a merchant, with the merchant's settings. */
export interface MembershipTerms {
  readonly role: Role
  /** The merchant's own recipient; null while none is configured. */
  readonly recipient: Address | null
  /** The merchant's default underpayment tolerance. */
  readonly usualTolerance: string
}

/** A user's membership of a merchant; null when there is none. */
export async function findMembership(
  sql: Queryable,
  personId: PersonId,
  merchantId: MerchantId,
): Promise<MembershipTerms | null> {
  const [row] = await sql<MembershipTerms[]>`
    select m.role, c.recipient, coalesce(g.underpayment_tolerance, '0') as usual_tolerance
    from member m join merchant c on c.id = m.merchant_id
    left join merchant_page g on g.merchant_id = c.id
    where m.person_id = ${personId} and m.merchant_id = ${merchantId}`
  return row ?? null
}

/** The members of a merchant, in the order in which they joined. */
export async function listMembers(sql: Queryable, merchantId: MerchantId): Promise<Member[]> {
  return sql<Member[]>`
    select m.person_id, u.name, u.email, m.role, m.created_at,
      coalesce(u."twoFactorEnabled", false) as has_second_factor
    from member m join auth."user" u on u.id = m.person_id
    where m.merchant_id = ${merchantId} order by m.created_at, m.person_id`
}

/** Who changes a membership. */
export interface MemberChanger {
  readonly personId: PersonId
  /** As the audit log names them. */
  readonly name: string
}

/** The outcome of a change of a member; `asked` where it needs approval. */
export type MemberChanged = 'done' | 'unknown' | 'last_owner' | 'asked' | 'open' | 'alone'

/**
 * Gives a member another role, or ends the membership where it is null. The last owner stays one, under
 * concurrent changes as well.
 */
export async function changeMember(
  sql: Queryable,
  merchantId: MerchantId,
  personId: PersonId,
  role: Role | null,
  by: MemberChanger,
): Promise<MemberChanged> {
  const [row] = await sql<{ outcome: MemberChanged }[]>`
    select change_membership(${merchantId}, ${personId}, ${role}, ${by.personId}, ${by.name}) as outcome`
  if (!row) throw new Error('a member was neither changed nor refused')
  return row.outcome
}

/** The same by the operator, whom no rule of the merchant's binds. */
export async function setMember(
  sql: Transaction,
  merchantId: MerchantId,
  personId: PersonId,
  role: Role | null,
): Promise<'done' | 'unknown' | 'last_owner'> {
  await sql`select set_config('remit.member_by', 'The operator', true)`
  const [row] = await sql<{ outcome: 'done' | 'unknown' | 'last_owner' }[]>`
    select set_member(${merchantId}, ${personId}, ${role}) as outcome`
  if (!row) throw new Error('a member was neither changed nor refused')
  return row.outcome
}

/** Email addresses of those who may approve, but one, and want to be notified of requests. */
export async function approversToNotify(
  sql: Queryable,
  merchantId: MerchantId,
  except: PersonId | null,
): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select u.email from member m join auth."user" u on u.id = m.person_id
    where m.merchant_id = ${merchantId} and m.role in ('owner', 'finance') and m.approval_emails
      and m.person_id is distinct from ${except}
    order by m.created_at, m.person_id`
  return rows.map(({ email }) => email)
}

/** Which emails a member wants of a merchant. */
export interface Notifications {
  /** Of requests that they may approve. */
  readonly approvals: boolean
}

export async function readNotifications(
  sql: Queryable,
  merchantId: MerchantId,
  personId: PersonId,
): Promise<Notifications | null> {
  const [row] = await sql<Notifications[]>`
    select approval_emails as approvals from member
    where merchant_id = ${merchantId} and person_id = ${personId}`
  return row ?? null
}

export async function changeNotifications(
  sql: Queryable,
  merchantId: MerchantId,
  personId: PersonId,
  { approvals }: Notifications,
): Promise<void> {
  await sql`
    update member set approval_emails = ${approvals}
    where merchant_id = ${merchantId} and person_id = ${personId}`
}

/** What a merchant is called. */
export async function merchantName(sql: Queryable, merchantId: MerchantId): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select name from merchant where id = ${merchantId}`
  if (!row) throw new Error(`there is no merchant ${merchantId}`)
  return row.name
}
