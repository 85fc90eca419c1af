import { asPersonId, isUuid, type PersonId } from '../../core/base/ids.ts'
import type { Queryable } from '../database/database.ts'

/**
 * Account recovery for a user who lost the password or authenticator, by the operator's command alone. It
 * removes password, passkeys and factors, and sends a link, valid once and for a day, to set a password.
 */

const RECOVERY_MS = 24 * 3_600_000
const TOKEN_BYTES = 32

export interface Recovery {
  readonly token: string
  readonly expiresAt: Date
}

/**
 * Starts a recovery, with its entries in the audit log; null when no user has the address. Within a
 * transaction.
 */
export async function beginRecovery(
  sql: Queryable,
  { email, operator }: { readonly email: string; readonly operator: string },
  now: Date,
): Promise<Recovery | null> {
  const [person] = await sql<{ id: PersonId }[]>`
    select id from auth."user" where email = ${email} for update`
  if (person === undefined) return null
  await addEntries(sql, person.id, email, operator)
  await sql`delete from auth."twoFactor" where "userId" = ${person.id}`
  await sql`delete from auth.passkey where "userId" = ${person.id}`
  await sql`update auth."user" set "twoFactorEnabled" = false where id = ${person.id}`
  await sql`update auth.account set password = null, "updatedAt" = ${now} where "userId" = ${person.id}`
  await sql`delete from auth.session where "userId" = ${person.id}`
  await sql`delete from auth.verification where value = ${person.id}`
  const token = crypto
    .getRandomValues(new Uint8Array(TOKEN_BYTES))
    .toBase64({ alphabet: 'base64url', omitPadding: true })
  const expiresAt = new Date(now.getTime() + RECOVERY_MS)
  await sql`
    insert into auth.verification (identifier, value, "expiresAt")
    values (${identifierOf(token)}, ${person.id}, ${expiresAt})`
  return { token, expiresAt }
}

/** Once for each merchant of the user, or for the deployment where they have none. */
async function addEntries(
  sql: Queryable,
  personId: PersonId,
  email: string,
  operator: string,
): Promise<void> {
  await sql`
    with place as (select merchant_id from member where person_id = ${personId}),
    entry as (
      insert into audit_entry (merchant_id, actor, actor_id, actor_name, action, object_id, after)
      select p.merchant_id, 'operator', ${operator}, ${operator}, 'recoverPerson', ${personId},
        jsonb_build_object('email', ${email}::text)
      from (
        select merchant_id from place union all select null where not exists (select from place)
      ) p
      returning id
    )
    insert into audit_outcome (entry_id, status) select id, 200 from entry`
}

/** Whether a link can still be used. */
export async function isRecovery(sql: Queryable, token: string, now: Date): Promise<boolean> {
  const found = await sql`
    select 1 from auth.verification
    where identifier = ${identifierOf(token)} and "expiresAt" > ${now}`
  return found.length === 1
}

/** Sets the password by the link, once; null for an unknown or used link. */
export async function finishRecovery(
  sql: Queryable,
  { token, passwordHash }: { readonly token: string; readonly passwordHash: string },
  now: Date,
): Promise<PersonId | null> {
  const [used] = await sql<{ value: string }[]>`
    delete from auth.verification
    where identifier = ${identifierOf(token)} and "expiresAt" > ${now} returning value`
  if (used === undefined || !isUuid(used.value)) return null
  const personId = asPersonId(used.value)
  const set = await sql`
    update auth.account set password = ${passwordHash}, "updatedAt" = ${now}
    where "userId" = ${personId} and "providerId" = 'credential' returning id`
  return set.length === 1 ? personId : null
}

/** What the link holds is stored as SHA-256. */
function identifierOf(token: string): string {
  return `recovery-${Bun.CryptoHasher.hash('sha256', token).toHex()}`
}
