import type { MerchantId, PersonId, RecipientChangeId } from '../../core/base/ids.ts'
import type { Keyring } from '../../core/base/keyring.ts'
import { checkMac, type MacParts, macOf } from '../../core/base/mac.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import type { Email, EmailText } from './emails.ts'

/**
 * Emails to owners about who gets the merchant's money. Workers write them; the API sends them and can neither
 * remove nor change them, so that its database credentials can't hide anything from an owner.
 */

/** How long a process leases an email, in seconds: as for other emails. */
const LEASE_S = 300
const KEPT_DAYS = 7
/** Of one merchant's memberships, in all: enough for many changes and several owners. */
const MEMBERSHIP_WARNINGS_PER_HOUR = 40
/** Longer where it was not sent: delaying an email for a week must not delete it. */
const UNSENT_KEPT_DAYS = 30
/** So many are checked in a turn. */
const PROVEN_AT_ONCE = 200
/** So long a worker may lack a key by mistake, while keys are replaced, in seconds. */
const KEY_MISSES_S = 3_600

/**
 * Recipients of owners' notifications: owners, owners until so many seconds ago, holders of a link of this
 * change.
 */
export async function ownersToNotify(
  sql: Queryable,
  merchantId: MerchantId,
  sinceS: number,
  changeId: RecipientChangeId | null = null,
): Promise<readonly { readonly personId: PersonId; readonly email: string }[]> {
  return sql<{ personId: PersonId; email: string }[]>`
    select person_id, email
    from owners_to_notify(${merchantId}, make_interval(secs => ${sinceS}), ${changeId})`
}

export async function storeOwnerEmail(
  sql: Transaction,
  message: EmailText & {
    readonly recipient: string
    readonly hasStopLink?: boolean
    readonly countedAs?: string
  },
): Promise<void> {
  const { recipient, subject, body, hasStopLink = false, countedAs = null } = message
  await sql`
    insert into owner_mail (id, recipient, subject, body, has_stop_link, counted_as)
    values (${Bun.randomUUIDv7()}, ${recipient}, ${subject}, ${body}, ${hasStopLink}, ${countedAs})`
}

/** Sends all of them the same. */
export async function storeOwnerEmails(
  sql: Transaction,
  recipients: Iterable<{ readonly email: string }>,
  message: EmailText,
): Promise<void> {
  for (const { email } of recipients) await storeOwnerEmail(sql, { recipient: email, ...message })
}

/** Sends each of them the same, once an hour at most under this name. */
export async function storeOncePerHour(
  sql: Transaction,
  recipients: Iterable<{ readonly email: string }>,
  countedAs: string,
  message: EmailText,
): Promise<void> {
  const stored = await sql<{ recipient: string }[]>`
    select recipient from owner_mail
    where counted_as = ${countedAs} and created_at > now() - interval '1 hour'`
  const notified = new Set(stored.map(({ recipient }) => recipient))
  for (const { email } of recipients) {
    if (!notified.has(email))
      await storeOwnerEmail(sql, { recipient: email, countedAs, ...message })
  }
}

/**
 * Stores a warning about a merchant's memberships to each of them, in their order, in the caller's transaction. Beyond
 * the limit of an hour each gets one that reports that there were more, up to the same bound: members change roles as
 * often as they like, and warnings of other merchants must not wait behind all of them.
 */
export async function storeMembershipWarnings(
  sql: Transaction,
  merchantId: MerchantId,
  recipients: Iterable<string>,
  message: EmailText,
  more: EmailText,
): Promise<void> {
  const [counted, countedSummary] = [`member:${merchantId}`, `members:${merchantId}`]
  // Leaders of several chains may store some more at the same moment: none waits for a lock that others can hold.
  const stored = await sql<{ countedAs: string; recipient: string }[]>`
    select counted_as, recipient from owner_mail
    where counted_as in (${counted}, ${countedSummary}) and created_at > now() - interval '1 hour'`
  const summaries = stored.filter(({ countedAs }) => countedAs === countedSummary)
  let left = MEMBERSHIP_WARNINGS_PER_HOUR - (stored.length - summaries.length)
  let summariesLeft = MEMBERSHIP_WARNINGS_PER_HOUR - summaries.length
  for (const recipient of recipients) {
    if (left > 0) {
      await storeOwnerEmail(sql, { recipient, countedAs: counted, ...message })
      left -= 1
    } else if (summariesLeft > 0 && !summaries.some((one) => one.recipient === recipient)) {
      await storeOwnerEmail(sql, { recipient, countedAs: countedSummary, ...more })
      summariesLeft -= 1
    }
  }
}

/** Takes one that is due, one with a stop link first; null when there is none. */
export async function takeOwnerEmail(
  sql: Queryable,
): Promise<(EmailText & Pick<Email, 'id' | 'recipient'> & { readonly attempts: number }) | null> {
  const [row] = await sql<(Email & { attempts: number })[]>`
    select id, recipient, subject, body, attempts
    from take_owner_mail(make_interval(secs => ${LEASE_S}))`
  return row ?? null
}

/** An email that the server has accepted. Only a process with the keys can record that. */
export async function markOwnerEmailSent(sql: Queryable, keys: Keyring, id: string): Promise<void> {
  await sql`select note_owner_mail(${id}, ${macOf(keys, sentParts(id))}, null, interval '0')`
}

/** An email that the server has not accepted, to be retried after a pause that doubles. */
export async function markOwnerEmailFailed(
  sql: Queryable,
  { id, attempts }: { readonly id: string; readonly attempts: number },
  failure: string,
): Promise<void> {
  const pause = 30 * 2 ** Math.min(attempts - 1, 6)
  await sql`
    select note_owner_mail(${id}, null, ${failure.slice(0, 400)}, make_interval(secs => ${pause}))`
}

/**
 * Verifies once each email that is marked as sent, for workers: a mark made without the key is removed, and it is sent
 * again. One whose key this process lacks waits for it for an hour. Returns how many were sent, and how many not.
 */
export async function proveOwnerEmails(
  sql: Queryable,
  keys: Keyring,
): Promise<{ readonly proven: number; readonly reopened: number }> {
  const rows = await sql<{ id: string; sentMac: string }[]>`
    select id, sent_mac from owner_mail
    where sent_mac is not null and proven_at is null
      and (split_part(sent_mac, ':', 3) = any(${[...keys.all.keys()]}::text[])
        or due_at < now() - make_interval(secs => ${KEY_MISSES_S}))
    order by due_at limit ${PROVEN_AT_ONCE}`
  if (rows.length === 0) return { proven: 0, reopened: 0 }
  const isSent = (row: (typeof rows)[number]) =>
    checkMac(keys, sentParts(row.id), row.sentMac) === 'genuine'
  const [sent, wrong] = [rows.filter(isSent), rows.filter((row) => !isSent(row))]
  // Of each the HMAC that was checked, and no other that was stored meanwhile.
  const proven = await sql`
    update owner_mail m set proven_at = now() from ${pairs(sql, sent)}
    where m.id = p.id and m.sent_mac = p.mac and m.proven_at is null`
  const reopened = await sql`
    update owner_mail m set sent_mac = null, due_at = now() from ${pairs(sql, wrong)}
    where m.id = p.id and m.sent_mac = p.mac and m.proven_at is null`
  return { proven: proven.count, reopened: reopened.count }
}

/** Removes what is a week old, and what could not be sent for a month: for workers. */
export async function removeOldOwnerEmails(sql: Queryable): Promise<number> {
  const gone = await sql`
    delete from owner_mail
    where created_at < now() - make_interval(days => ${UNSENT_KEPT_DAYS})
      or created_at < now() - make_interval(days => ${KEPT_DAYS}) and proven_at is not null`
  return gone.count
}

function pairs(sql: Queryable, rows: readonly { readonly id: string; readonly sentMac: string }[]) {
  const [ids, macs] = [rows.map(({ id }) => id), rows.map(({ sentMac }) => sentMac)]
  return sql`unnest(${ids}::uuid[], ${macs}::text[]) as p (id, mac)`
}

function sentParts(id: string): MacParts {
  return ['message of an owner was sent', id]
}
