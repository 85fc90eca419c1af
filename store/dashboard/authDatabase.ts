import postgres from 'postgres'
import type { Queryable } from '../database.ts'

/** The connection with which better-auth reads and writes the schema auth, by its own names and types. */

export type AuthDatabase = ReturnType<typeof openAuthDatabase>

const CONNECTIONS = 4
const DEADLINE_MS = 5_000

export function openAuthDatabase(url: string) {
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
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => {},
  })
}

/** How long a used code is remembered: longer than one is good. */
const USED_FOR_S = 300

/** Remembers that a person's code was used; false when it was before. */
export async function useCode(sql: Queryable, personId: string, code: string): Promise<boolean> {
  await sql`
    delete from auth.totp_used where used_at < now() - make_interval(secs => ${USED_FOR_S})`
  const rows = await sql`
    insert into auth.totp_used (user_id, code) values (${personId}, ${code})
    on conflict do nothing returning code`
  return rows.length === 1
}

/** Removes what has run out: sessions, and what was to be verified. */
export async function removeExpired(sql: Queryable): Promise<void> {
  await sql`delete from auth.session where "expiresAt" < now()`
  await sql`delete from auth.verification where "expiresAt" < now()`
}
