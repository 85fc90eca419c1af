import { INVITATION_MS } from '../../core/access/invitation.ts'
import type { MerchantId, PersonId } from '../../core/base/ids.ts'
import type { Queryable } from '../database/database.ts'

/** Operators of the deployment, and their invitations: by the owner's command alone. */

/** Whether a user is an operator. Read on every request, so that a removal takes effect at once. */
export async function isOperator(sql: Queryable, personId: PersonId): Promise<boolean> {
  const rows = await sql`select 1 from operator where person_id = ${personId}`
  return rows.length === 1
}

export interface Operator {
  readonly email: string
  readonly hasSecondFactor: boolean
  readonly createdAt: Date
}

export async function listOperators(sql: Queryable): Promise<Operator[]> {
  return sql<Operator[]>`
    select u.email, coalesce(u."twoFactorEnabled", false) as has_second_factor, o.created_at
    from operator o join auth."user" u on u.id = o.person_id order by o.created_at, u.email`
}

/** Makes the user with a confirmed address an operator; null when there is no such user. */
export async function addOperator(sql: Queryable, email: string): Promise<PersonId | null> {
  const [row] = await sql<{ id: PersonId }[]>`
    with person as (
      select id from auth."user" where email = ${email} and "emailVerified"
    ), added as (
      insert into operator (person_id) select id from person on conflict do nothing
    )
    select id from person`
  return row?.id ?? null
}

/** Removes an operator; false when no operator has this address. */
export async function removeOperator(sql: Queryable, email: string): Promise<boolean> {
  await sql`delete from operator_invitation where email = ${email} and accepted_at is null`
  const rows = await sql`
    delete from operator where person_id in (select id from auth."user" where email = ${email})
    returning person_id`
  return rows.length > 0
}

const TOKEN_BYTES = 32

/** Invites an address without an account; the token of the link can't be read again. */
export async function inviteOperator(
  sql: Queryable,
  email: string,
  now: Date,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = crypto
    .getRandomValues(new Uint8Array(TOKEN_BYTES))
    .toBase64({ alphabet: 'base64url', omitPadding: true })
  const expiresAt = new Date(now.getTime() + INVITATION_MS)
  await sql`
    insert into operator_invitation (token_hash, email, created_at, expires_at)
    values (${hashOf(token)}, ${email}, ${now}, ${expiresAt})`
  return { token, expiresAt }
}

export interface OperatorInvitation {
  readonly email: string
  readonly expiresAt: Date
  /** Whether this address has an account. */
  readonly hasAccount: boolean
}

/** The invitation of a link, as long as it can be accepted; otherwise null. */
export async function findOperatorInvitation(
  sql: Queryable,
  token: string,
  now: Date,
): Promise<OperatorInvitation | null> {
  const [row] = await sql<OperatorInvitation[]>`
    select i.email, i.expires_at,
      exists (select from auth."user" u where u.email = i.email and (u."emailVerified"
        or exists (select from member b where b.person_id = u.id))) as has_account
    from operator_invitation i
    where i.token_hash = ${hashOf(token)} and i.accepted_at is null and i.expires_at > ${now}`
  return row ?? null
}

/** Makes the user an operator, once; false when the invitation is not, or no longer, for them. */
export async function acceptOperatorInvitation(
  sql: Queryable,
  token: string,
  personId: PersonId,
  now: Date,
): Promise<boolean> {
  const [row] = await sql<{ isAccepted: boolean }[]>`
    select accept_operator_invitation(${hashOf(token)}, ${personId}, ${now}) as is_accepted`
  return row?.isAccepted ?? false
}

/** A merchant as those see it who run the deployment. */
export interface MerchantSummary {
  readonly id: MerchantId
  readonly name: string
  readonly recipient: string | null
  readonly members: number
  readonly keyLastUsedAt: Date | null
  /** Webhook endpoints that answer nothing but failures, or were switched off for that. */
  readonly failingEndpoints: number
  readonly createdAt: Date
}

/** Merchants whose names begin so, or all, the newest first, after one of them when it is given. */
export async function summarizeMerchants(
  sql: Queryable,
  { search, before, limit }: { search: string; before: MerchantId | null; limit: number },
): Promise<MerchantSummary[]> {
  const start = `${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql<MerchantSummary[]>`
    select m.id, m.name, m.recipient, m.created_at,
      (select count(*)::integer from member b where b.merchant_id = m.id) as members,
      (select max(last_used_at) from api_key k where k.merchant_id = m.id) as key_last_used_at,
      (select count(*)::integer from webhook_endpoint e
        where e.merchant_id = m.id and e.failing_since is not null) as failing_endpoints
    from merchant m
    where (${search === ''} or m.name ilike ${start} or m.id::text = ${search.toLowerCase()})
      and (${before}::uuid is null or (m.created_at, m.id) <
        (select created_at, id from merchant where id = ${before}))
    order by m.created_at desc, m.id desc limit ${limit}`
}

function hashOf(token: string): Uint8Array {
  return Bun.CryptoHasher.hash('sha256', token)
}
