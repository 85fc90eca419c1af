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

/** What a merchant is called. */
export async function merchantName(sql: Queryable, merchantId: MerchantId): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select name from merchant where id = ${merchantId}`
  if (!row) throw new Error(`there is no merchant ${merchantId}`)
  return row.name
}
