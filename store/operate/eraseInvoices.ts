import type { InvoiceId } from '../../core/base/ids.ts'
import { erased } from '../../core/operate/erasure.ts'
import type { Transaction } from '../database/database.ts'
import type { ErasedRows } from './erasedRows.ts'

/**
 * Empties what invoices know of their payers: metadata, the address that was left for refunds, the
 * references of their sessions, and copies of these in events, answers and the audit log. No amount, state,
 * time or transfer is touched, and no version: nothing has happened to the money.
 */
export async function eraseInvoices(
  sql: Transaction,
  ids: readonly InvoiceId[],
  words: readonly string[],
): Promise<ErasedRows> {
  const list = [...ids]
  // In the order in which everybody locks several invoices.
  await sql`select from invoice where id = any(${list}::uuid[]) order by id for update`
  const sessions = await sql<{ sessionId: string }[]>`
    select distinct session_id from checkout_session_invoice where invoice_id = any(${list}::uuid[])
    union select id from checkout_session where invoice_id = any(${list}::uuid[])`
  const sessionIds = sessions.map(({ sessionId }) => sessionId)
  await sql`
    update invoice_authorization set network_tags = null
    where invoice_id = any(${list}::uuid[]) and network_tags is not null`
  const objects = [...list, ...(await refundsOf(sql, list)), ...sessionIds]
  return {
    invoice: (
      await sql`
        update invoice set metadata = '{}', payer_refund_address = null
        where id = any(${list}::uuid[]) and (metadata <> '{}' or payer_refund_address is not null)`
    ).count,
    invoice_metadata: (
      await sql`delete from invoice_metadata where invoice_id = any(${list}::uuid[])`
    ).count,
    checkout_session: await emptySessions(sql, sessionIds),
    outbox: await eraseEvents(sql, objects, words),
    webhook_attempt: await forgetAnswers(sql, objects),
    idempotency_key: await eraseKeptAnswers(sql, objects, words),
    audit_entry: await eraseEntries(sql, objects, words),
  }
}

/**
 * What sessions know of their payers, and from where they chose. One whose reference is gone is not found
 * by it any more.
 */
export async function emptySessions(sql: Transaction, ids: readonly string[]): Promise<number> {
  await sql`
    update checkout_session_invoice set client_tag = null, network_tags = null
    where session_id = any(${[...ids]}::text[])
      and (client_tag is not null or network_tags is not null)`
  const { count } = await sql`
    update checkout_session set refund_address = null, client_reference = null, return_url = null
    where id = any(${[...ids]}::text[])
      and (refund_address is not null or client_reference is not null or return_url is not null)`
  return count
}

async function refundsOf(sql: Transaction, ids: readonly InvoiceId[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from refund where invoice_id = any(${[...ids]}::uuid[])
    union all
    select id from external_refund where invoice_id = any(${[...ids]}::uuid[])`
  return rows.map(({ id }) => id)
}

const uuids = (objects: readonly string[]) => objects.filter((id) => !id.startsWith('cs_'))

async function eraseEvents(
  sql: Transaction,
  objects: readonly string[],
  words: readonly string[],
): Promise<number> {
  const rows = await sql<{ id: string; text: string }[]>`
    select id, data::text as text from outbox where object_id = any(${uuids(objects)}::uuid[])`
  let count = 0
  for (const { id, text } of rows) {
    const fresh = erasedText(text, words)
    if (fresh === null) continue
    count += 1
    await sql`update outbox set data = ${fresh}::text::json where id = ${id}`
  }
  return count
}

/** What endpoints answered to events may repeat them. */
async function forgetAnswers(sql: Transaction, objects: readonly string[]): Promise<number> {
  const { count } = await sql`
    update webhook_attempt a set answer = null
    from webhook_delivery d join outbox o on o.id = d.event_id
    where a.delivery_id = d.id and a.answer is not null
      and o.object_id = any(${uuids(objects)}::uuid[])`
  return count
}

async function eraseKeptAnswers(
  sql: Transaction,
  objects: readonly string[],
  words: readonly string[],
): Promise<number> {
  const rows = await sql<{ merchantId: string; key: string; answer: string }[]>`
    select merchant_id, key, answer from idempotency_key
    where object_id = any(${uuids(objects)}::uuid[]) and answer is not null`
  let count = 0
  for (const { merchantId, key, answer } of rows) {
    const fresh = erasedText(answer, words)
    if (fresh === null) continue
    count += 1
    await sql`
      update idempotency_key set answer = ${fresh}
      where merchant_id = ${merchantId} and key = ${key}`
  }
  return count
}

async function eraseEntries(
  sql: Transaction,
  objects: readonly string[],
  words: readonly string[],
): Promise<number> {
  const rows = await sql<{ id: bigint; before: string | null; after: string | null }[]>`
    select e.id, e.before::text as before, e.after::text as after
    from audit_entry e left join audit_outcome o on o.entry_id = e.id
    where e.object_id = any(${[...objects]}::text[]) or o.object_id = any(${[...objects]}::text[])`
  let count = 0
  for (const { id, before, after } of rows) {
    const fresh = [before, after].map((text) => (text === null ? null : erasedText(text, words)))
    if (fresh.every((text) => text === null)) continue
    count += 1
    await sql`
      update audit_entry set before = ${fresh[0] ?? before}::text::jsonb,
        after = ${fresh[1] ?? after}::text::jsonb
      where id = ${id}`
  }
  return count
}

/** The JSON without them; null when there is nothing to erase. */
function erasedText(text: string, words: readonly string[]): string | null {
  const value: unknown = JSON.parse(text)
  const fresh = JSON.stringify(erased(value, words))
  return fresh === JSON.stringify(value) ? null : fresh
}
