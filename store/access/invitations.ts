import { INVITATION_MS } from '../../core/access/invitation.ts'
import type { Role } from '../../core/access/roles.ts'
import type { MerchantId, PersonId } from '../../core/base/ids.ts'
import type { Queryable } from '../database/database.ts'

/** Invitations: the link is shown once, stored as SHA-256, and good once. */

export interface Invitation {
  readonly merchantId: MerchantId
  readonly merchantName: string
  readonly email: string
  readonly role: Role
  readonly expiresAt: Date
  /** Whether this address has an account. */
  readonly hasAccount: boolean
}

const TOKEN_BYTES = 32

/** So many invitations of a merchant can be accepted at the same time: schema/04_dashboard.sql. */
export const MOST_OPEN_INVITATIONS = 50

/** Whether an error is the limit of a merchant's open invitations. */
export function isTooManyInvitations(error: unknown): boolean {
  const name = error instanceof Error && 'constraint_name' in error ? error.constraint_name : null
  return name === 'invitations_open'
}

/** Invites an address and returns the token of the link; it can't be read again. */
export async function createInvitation(
  sql: Queryable,
  wanted: { readonly merchantId: MerchantId; readonly email: string; readonly role: Role },
  now: Date,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = crypto
    .getRandomValues(new Uint8Array(TOKEN_BYTES))
    .toBase64({ alphabet: 'base64url', omitPadding: true })
  const expiresAt = new Date(now.getTime() + INVITATION_MS)
  await sql`
    insert into invitation (id, merchant_id, email, role, token_hash, created_at, expires_at)
    values (${Bun.randomUUIDv7()}, ${wanted.merchantId}, ${wanted.email}, ${wanted.role},
      ${hashOf(token)}, ${now}, ${expiresAt})`
  return { token, expiresAt }
}

/** The invitation of a link, as long as it can be accepted; otherwise null. */
export async function findInvitation(
  sql: Queryable,
  token: string,
  now: Date,
): Promise<Invitation | null> {
  const [row] = await sql<Invitation[]>`
    select i.merchant_id, m.name as merchant_name, i.email, i.role, i.expires_at,
      exists (select from auth."user" u where u.email = i.email and (u."emailVerified"
        or exists (select from member b where b.person_id = u.id))) as has_account
    from invitation i join merchant m on m.id = i.merchant_id
    where i.token_hash = ${hashOf(token)} and i.accepted_at is null and i.expires_at > ${now}`
  return row ?? null
}

/** Makes the user a member, once; null when the invitation is not, or no longer, for them. */
export async function acceptInvitation(
  sql: Queryable,
  token: string,
  personId: PersonId,
  now: Date,
): Promise<{ readonly merchantId: MerchantId; readonly role: Role } | null> {
  const [row] = await sql<{ merchantId: MerchantId; role: Role }[]>`
    select merchant_id, role from accept_invitation(${hashOf(token)}, ${personId}, ${now})`
  return row === undefined ? null : { merchantId: row.merchantId, role: row.role }
}

/** An invitation as owners see it: without its link. */
export interface OpenInvitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** The invitations of a merchant that can still be accepted, the newest first. */
export async function openInvitations(
  sql: Queryable,
  merchantId: MerchantId,
  now: Date,
): Promise<OpenInvitation[]> {
  return sql<OpenInvitation[]>`
    select id, email, role, created_at, expires_at from invitation
    where merchant_id = ${merchantId} and accepted_at is null and expires_at > ${now}
    order by created_at desc, id desc`
}

/** Cancels an invitation; false when there is none pending. */
export async function revokeInvitation(
  sql: Queryable,
  merchantId: MerchantId,
  id: string,
): Promise<boolean> {
  const [row] = await sql<{ isRevoked: boolean }[]>`
    select revoke_invitation(${merchantId}, ${id}) as is_revoked`
  return row?.isRevoked ?? false
}

function hashOf(token: string): Uint8Array {
  return Bun.CryptoHasher.hash('sha256', token)
}
