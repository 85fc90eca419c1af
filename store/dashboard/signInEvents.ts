import { isUuid, type PersonId } from '../../core/base/ids.ts'
import type { SignInEvent } from '../../core/events/audit.ts'
import type { Queryable } from '../database/database.ts'

/** Sign-in events of users, in the log of each of their merchants. */

export interface SignInRecord {
  readonly personId: string
  readonly event: SignInEvent
  /** In a few words what it was by, or why it failed; never what the user typed. */
  readonly after: Readonly<Record<string, string>> | null
  readonly address: string | null
  readonly agent: string | null
  readonly traceId: string | null
  /** The HTTP status of the answer. */
  readonly status: number
}

/** So many failures of a user are recorded in so many seconds; further guesses fill no table. */
const MOST_FAILURES = 10
const FAILURES_S = 600

/**
 * Records it once for each merchant of the user, once for the deployment when they are an operator, and once
 * without either when they belong to nothing.
 */
export async function addSignInEvent(sql: Queryable, record: SignInRecord): Promise<void> {
  const { personId, event, after, address, agent, traceId, status } = record
  await sql`
    with person as (select id, name || ' <' || email || '>' as name from auth."user" where id = ${personId}),
    place as (
      select merchant_id, 'person' as actor, role from member where person_id = ${personId}
      union all select null, 'operator', null from operator where person_id = ${personId}
    ),
    entry as (
      insert into audit_entry (merchant_id, actor, actor_id, actor_name, role, action, after, address,
        agent, trace_id)
      select p.merchant_id, p.actor, person.id, person.name, p.role, ${event},
        ${after === null ? null : JSON.stringify(after)}::text::jsonb, ${address}, ${agent}, ${traceId}
      from person, (
        select * from place union all select null, 'person', null where not exists (select from place)
      ) p
      where ${event} <> 'signInFailed' or ${MOST_FAILURES} > (
        select count(distinct trace_id) from audit_entry e
        where e.actor_id = ${personId} and e.action = 'signInFailed'
          and e.at > now() - make_interval(secs => ${FAILURES_S}))
      returning id
    )
    insert into audit_outcome (entry_id, status) select id, ${status}::smallint from entry`
}

/** A user's email address; null for one that was not confirmed: it may belong to another user. */
export async function confirmedEmail(sql: Queryable, personId: PersonId): Promise<string | null> {
  const [row] = await sql<{ email: string }[]>`
    select email from auth."user" where id = ${personId} and "emailVerified"`
  return row?.email ?? null
}

/** The user that a request claims to be, before the sign-in. */
export interface SignInClaim {
  readonly email?: string
  /** The sign-in that waits for its second factor. */
  readonly challenge?: string
  /** Of a passkey. */
  readonly credentialId?: string
}

/** The user of a claim, or null. Takes the same work either way, so that timing reveals nothing. */
export async function findSignInUser(sql: Queryable, claim: SignInClaim): Promise<PersonId | null> {
  const { email = null, challenge = null, credentialId = null } = claim
  const [row] = await sql<{ id: PersonId }[]>`
    select id::text from auth."user" where email = ${email}
    union all select value from auth.verification where identifier = ${challenge}
    union all select "userId"::text from auth.passkey where "credentialID" = ${credentialId}
    limit 1`
  return row !== undefined && isUuid(row.id) ? row.id : null
}

/** The address of the account whose sign-in waits for its second factor; null when it has ended, or there is none. */
export async function emailOfChallenge(sql: Queryable, challenge: string): Promise<string | null> {
  const [row] = await sql<{ email: string }[]>`
    select u.email from auth.verification v join auth."user" u on u.id::text = v.value
    where v.identifier = ${challenge}`
  return row?.email ?? null
}
