import type { PersonId } from '../../core/base/ids.ts'
import { ERASED, withoutWords } from '../../core/operate/erasure.ts'
import type { Transaction } from '../database/database.ts'
import { added, type ErasedRows } from './erasedRows.ts'

/**
 * Ends a user's account and erases their name and address from what is kept. Their id stays, so that the audit
 * log still shows that one user acted, and no longer who.
 */

/** What replaces an address, in a domain that can't exist: RFC 2606, section 2. */
const erasedAddress = (id: string) => `${id}@${ERASED}.invalid`

export interface UserErased {
  readonly rows: ErasedRows
  /** Merchants that would have no owner left: their name. Then nothing was changed. */
  readonly ownerless: readonly string[]
}

export async function eraseUser(sql: Transaction, email: string): Promise<UserErased> {
  const [person] = await sql<{ id: PersonId }[]>`
    select id from auth."user" where email = ${email} for update`
  if (person !== undefined) {
    const ownerless = await lastOwnerOf(sql, person.id)
    if (ownerless.length > 0) return { rows: {}, ownerless }
  }
  const own = person === undefined ? {} : await endAccount(sql, person.id)
  return { rows: added(own, await eraseMentions(sql, email)), ownerless: [] }
}

async function lastOwnerOf(sql: Transaction, id: PersonId): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select m.name from member own join merchant m on m.id = own.merchant_id
    where own.person_id = ${id} and own.role = 'owner'
      and not exists (select from member other where other.merchant_id = own.merchant_id
        and other.role = 'owner' and other.person_id <> ${id})
    order by m.name`
  return rows.map(({ name }) => name)
}

async function endAccount(sql: Transaction, id: PersonId): Promise<ErasedRows> {
  const text = String(id)
  const rows = {
    member: (await sql`delete from member where person_id = ${id}`).count,
    former_owner: (await sql`delete from former_owner where person_id = ${id}`).count,
    operator: (await sql`delete from operator where person_id = ${id}`).count,
    saved_view: (await sql`delete from saved_view where person_id = ${id}`).count,
    report_schedule: (await sql`delete from report_schedule where person_id = ${id}`).count,
    'auth.session': (await sql`delete from auth.session where "userId" = ${id}`).count,
    'auth.account': (await sql`delete from auth.account where "userId" = ${id}`).count,
    'auth.passkey': (await sql`delete from auth.passkey where "userId" = ${id}`).count,
    'auth.twoFactor': (await sql`delete from auth."twoFactor" where "userId" = ${id}`).count,
    'auth.verification': (await sql`delete from auth.verification where value = ${text}`).count,
    audit_entry: (
      await sql`
        update audit_entry set actor_name = ${ERASED}, address = null, agent = null
        where actor = 'person' and actor_id = ${text}
          and (actor_name <> ${ERASED} or address is not null or agent is not null)`
    ).count,
  }
  const user = await sql`
    update auth."user" set name = ${ERASED}, email = ${erasedAddress(text)}, image = null,
      "emailVerified" = false, "twoFactorEnabled" = false, "updatedAt" = now()
    where id = ${id}`
  return { ...rows, 'auth.user': user.count }
}

/** What others have written about the address: invitations, emails, changes, log lines. */
async function eraseMentions(sql: Transaction, email: string): Promise<ErasedRows> {
  const open = await sql`delete from invitation where email = ${email} and accepted_at is null`
  const accepted = await sql`
    update invitation set email = ${erasedAddress(ERASED)} where email = ${email}`
  const toRun = await sql`
    delete from operator_invitation where email = ${email} and accepted_at is null`
  const running = await sql`
    update operator_invitation set email = ${erasedAddress(ERASED)} where email = ${email}`
  const holds = (column: ReturnType<typeof sql>) =>
    sql`position(${email} in lower(coalesce(${column}, ''))) > 0`
  return {
    invitation: open.count + accepted.count,
    operator_invitation: toRun.count + running.count,
    owner_mail: (
      await sql`
        delete from owner_mail where lower(recipient) = ${email} or ${holds(sql`subject`)}
          or ${holds(sql`body`)}`
    ).count,
    member_change: (
      await sql`
        delete from member_change where lower(email) = ${email} or ${holds(sql`by_name`)}`
    ).count,
    mail: (
      await sql`
        delete from mail where lower(recipient) = ${email} or ${holds(sql`subject`)}
          or ${holds(sql`body`)} or ${holds(sql`attachment`)}`
    ).count,
    'auth.verification': (
      await sql`
        delete from auth.verification
        where ${holds(sql`identifier`)} or ${holds(sql`value`)}`
    ).count,
    saved_view: (
      await sql`
        delete from saved_view where ${holds(sql`name`)} or ${holds(sql`query`)}
          or position(${encodeURIComponent(email)} in query) > 0`
    ).count,
    approved_recipient: (
      await sql`
        update approved_recipient set
          added_by = case when ${holds(sql`added_by`)} then ${ERASED} else added_by end,
          approved_by = case when ${holds(sql`approved_by`)} then ${ERASED} else approved_by end
        where ${holds(sql`added_by`)} or ${holds(sql`approved_by`)}`
    ).count,
    api_request: (await sql`delete from api_request where ${holds(sql`path`)}`).count,
    merchant_page: (
      await sql`
        update merchant_page set support_email = null where lower(support_email) = ${email}`
    ).count,
    audit_entry: await eraseEntries(sql, email),
    audit_outcome: (
      await sql`
        update audit_outcome set object_id = ${ERASED} where ${holds(sql`object_id`)}`
    ).count,
  }
}

async function eraseEntries(sql: Transaction, email: string): Promise<number> {
  const rows = await sql<EntryRow[]>`
    select id, actor_name, actor_id, object_id, before::text as before, after::text as after
    from audit_entry
    where position(${email} in lower(concat_ws(' ', actor_name, actor_id, object_id, before::text,
      after::text))) > 0`
  const blank = (value: string) => String(withoutWords(value, [email]))
  const json = (text: string | null) =>
    text === null ? null : JSON.stringify(withoutWords(JSON.parse(text), [email]))
  for (const { id, actorName, actorId, objectId, before, after } of rows) {
    await sql`
      update audit_entry set actor_name = ${blank(actorName)}, actor_id = ${blank(actorId)},
        object_id = ${objectId === null ? null : blank(objectId)},
        before = ${json(before)}::text::jsonb, after = ${json(after)}::text::jsonb
      where id = ${id}`
  }
  return rows.length
}

interface EntryRow {
  readonly id: bigint
  readonly actorName: string
  readonly actorId: string
  readonly objectId: string | null
  readonly before: string | null
  readonly after: string | null
}
