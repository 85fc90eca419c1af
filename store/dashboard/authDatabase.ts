import postgres from 'postgres'
import { DEADLINE_MS } from '../database/availability.ts'
import { backoff, type Queryable } from '../database/database.ts'

/** The connection with which better-auth reads and writes the schema auth, by its own names and types. */

export type AuthDatabase = ReturnType<typeof openAuthDatabase>

const CONNECTIONS = 2

export function openAuthDatabase(url: string, silenceMs: number) {
  return postgres(url, {
    types: { bigint: postgres.BigInt },
    max: CONNECTIONS,
    connection: {
      application_name: 'remit-auth',
      search_path: 'auth',
      statement_timeout: DEADLINE_MS,
      lock_timeout: DEADLINE_MS,
      idle_in_transaction_session_timeout: 30_000,
    },
    silence_timeout: silenceMs / 1_000,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    backoff,
    onnotice: () => {},
  })
}

/** How long a used code is remembered: longer than one is good. */
const USED_FOR_S = 300

/** Records that a user's code was used; false when it was before. */
export async function useCode(sql: Queryable, personId: string, code: string): Promise<boolean> {
  await sql`
    delete from auth.totp_used where used_at < now() - make_interval(secs => ${USED_FOR_S})`
  const rows = await sql`
    insert into auth.totp_used (user_id, code) values (${personId}, ${code})
    on conflict do nothing returning code`
  return rows.length === 1
}

/** Ends all other sessions of this session's user. */
export async function endOtherSessions(sql: Queryable, token: string): Promise<void> {
  await sql`
    delete from auth.session other using auth.session own
    where own.token = ${token} and other."userId" = own."userId" and other.id <> own.id`
}

/** So long an address may wait to be confirmed. Then its account goes, and the name is free. */
const UNCONFIRMED_DAYS = 7

/** Removes the account of an unconfirmed address, unless it is a member or operator. */
export async function forgetUnconfirmed(sql: Queryable, email: string): Promise<void> {
  await sql`delete from auth."user" u where u.email = ${email} and ${isForgettable(sql)}`
}

function isForgettable(sql: Queryable) {
  return sql`not u."emailVerified"
    and not exists (select from member m where m.person_id = u.id)
    and not exists (select from operator o where o.person_id = u.id)
    and not exists (select from invitation i where i.accepted_by = u.id)
    and not exists (select from operator_invitation i where i.accepted_by = u.id)`
}

/** Removes expired sessions, expired verifications, and accounts that were never confirmed. */
export async function removeExpired(sql: Queryable): Promise<void> {
  await sql`delete from auth.session where "expiresAt" < now()`
  await sql`delete from auth.verification where "expiresAt" < now()`
  await sql`
    delete from auth."user" u where ${isForgettable(sql)}
      and u."createdAt" < now() - make_interval(days => ${UNCONFIRMED_DAYS})`
}
