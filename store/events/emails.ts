import type { MerchantId } from '../../core/base/ids.ts'
import type { Queryable } from '../database/database.ts'

/** Queued emails. They are stored first, so that the sender may crash at any moment. */

export interface Email {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly body: string
  /** A file that it carries, as text; null for none. */
  readonly attachment: string | null
  readonly attachmentName: string | null
}

/**
 * The kind of an email. A link is for an address that a stranger can have named, and is bounded for each recipient;
 * a warning waits for no other kind.
 */
export type EmailKind = 'link' | 'warning' | 'notice'

/** An email to be sent; a notice by default. */
export type NewEmail = Omit<Email, 'id' | 'attachment' | 'attachmentName'> & {
  readonly kind?: Exclude<EmailKind, 'link'>
  /** Under what it is counted, where its number within an hour is bounded. */
  readonly countedAs?: string
  readonly file?: { readonly name: string; readonly text: string }
}

/**
 * Who causes an email with a link: the merchant or operator that invites, strangers of a network (its digest), or payers
 * of a merchant who want a receipt.
 */
export type LinkCause =
  | MerchantId
  | 'operator'
  | 'stranger'
  | `stranger ${string}`
  | `receipt ${MerchantId}`

/** Emails are sent from each queue one by one, independently of the other. */
export type EmailQueue = 'warnings' | 'others'

/** An email as the mailbox of a development stack shows it. */
export interface StoredEmail extends Email {
  readonly createdAt: Date
}

/**
 * How long a process leases an email, in seconds: longer than an email server may take over all its answers, or
 * another process would send it as well.
 */
const LEASE_S = 300
const MOST_ATTEMPTS = 12
const KEPT_DAYS = 7
/**
 * For each recipient and cause: enough for who waits for one, and no more than an annoyance for who doesn't. All
 * strangers together cause three times as many at most, and a merchant or a network twenty times as many to all
 * recipients together.
 */
const LINKS_PER_HOUR = 5
/** Of one merchant's requests, in all: each of them is on the page of approvals as well. */
const APPROVAL_EMAILS_PER_HOUR = 100

let leftOut = 0

/** How many emails with a link this process did not store, since it began. */
export function linkEmailsLeftOut(): number {
  return leftOut
}

export async function storeEmail(sql: Queryable, message: NewEmail): Promise<void> {
  const { recipient, subject, body, file, kind = 'notice', countedAs } = message
  await sql`
    insert into mail (id, recipient, subject, body, attachment, attachment_name, kind, counted_as)
    values (${Bun.randomUUIDv7()}, ${recipient}, ${subject}, ${body}, ${file?.text ?? null},
      ${file?.name ?? null}, ${kind}, ${countedAs ?? null})`
}

export type EmailText = Pick<Email, 'subject' | 'body'>

/** Stores an email to each possible approver of a merchant; beyond the limit of an hour to none of them. */
export async function storeApprovalEmails(
  sql: Queryable,
  merchantId: MerchantId,
  recipients: Iterable<string>,
  message: EmailText,
): Promise<void> {
  const countedAs = `approval:${merchantId}`
  // Another one that is stored at the same moment waits, and then counts these.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails as ${countedAs}`}, 0))`
  const [counted] = await sql<{ stored: number }[]>`
    select count(*)::integer as stored from mail
    where counted_as = ${countedAs} and created_at > now() - interval '1 hour'`
  const room = Math.max(0, APPROVAL_EMAILS_PER_HOUR - (counted?.stored ?? 0))
  for (const recipient of [...recipients].slice(0, room)) {
    await storeEmail(sql, { recipient, countedAs, ...message })
  }
}

/**
 * Stores an email with a link, counted for the first of its causes that has room. False when it is one too many of each
 * within an hour, for the recipient or in all.
 */
export async function storeLinkEmail(
  sql: Queryable,
  causes: readonly LinkCause[],
  { recipient, subject, body }: Pick<Email, 'recipient' | 'subject' | 'body'>,
): Promise<boolean> {
  for (const cause of causes) {
    const [row] = await sql<{ isStored: boolean }[]>`
      select store_link_mail(${Bun.randomUUIDv7()}, ${cause}, ${recipient},
        ${subject}, ${body}, ${LINKS_PER_HOUR}) as is_stored`
    if (row?.isStored === true) return true
  }
  leftOut += 1
  return false
}

/** Takes one that is due, for this process alone until its lease ends; null when there is none. */
export async function takeEmail(
  sql: Queryable,
  queue: EmailQueue = 'others',
): Promise<(Email & { attempts: number }) | null> {
  const [row] = await sql<(Email & { attempts: number })[]>`
    update mail set attempts = attempts + 1, due_at = now() + make_interval(secs => ${LEASE_S})
    where id = (
      select id from mail where sent_at is null and due_at <= now() and attempts < ${MOST_ATTEMPTS}
        and (kind = 'warning') = ${queue === 'warnings'}
      order by due_at limit 1 for update skip locked)
    returning id, recipient, subject, body, attachment, attachment_name, attempts`
  return row ?? null
}

/** An email that the server has accepted. Its content is deleted: it held a link, or books. */
export async function markSent(sql: Queryable, id: string): Promise<void> {
  await sql`update mail set sent_at = now(), body = '', attachment = null, failure = null
    where id = ${id}`
}

/** An email that the server has not accepted, to be retried after a pause that doubles. */
export async function markFailed(
  sql: Queryable,
  { id, attempts }: Pick<Email, 'id'> & { readonly attempts: number },
  failure: string,
): Promise<void> {
  const pause = Math.min(30 * 2 ** (attempts - 1), 7_200)
  await sql`
    update mail set failure = ${failure}, due_at = now() + make_interval(secs => ${pause})
    where id = ${id} and sent_at is null`
}

/**
 * Removes what is a week old, sent or not. A receipt's has a payer's address: it is removed once it was sent and no
 * longer counts for the limit of an hour, and after a day if it could not be sent.
 */
export async function removeOldEmails(sql: Queryable): Promise<void> {
  await sql`
    delete from mail where starts_with(link_from, 'receipt ')
      and (created_at < now() - interval '1 day'
        or created_at < now() - interval '1 hour' and sent_at is not null)`
  await sql`delete from mail where created_at < now() - make_interval(days => ${KEPT_DAYS})`
}

/** What was written last, the newest first. */
export async function newestEmails(sql: Queryable, limit: number): Promise<StoredEmail[]> {
  return sql<StoredEmail[]>`
    select id, recipient, subject, body, attachment, attachment_name, created_at from mail
    union all select id, recipient, subject, body, null, null, created_at from owner_mail
    order by created_at desc, id desc limit ${limit}`
}
