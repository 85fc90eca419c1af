import type { MerchantId, PersonId, RecipientChangeId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Config } from '../../core/config/processes.ts'
import type { Actor } from '../../core/events/audit.ts'
import type { RecipientChange } from '../../core/merchant/recipientChange.ts'
import { checkRecipient, type MerchantTerms, makeDue } from '../access/merchants.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { announceOn, spreadEntry } from '../hub/replacedTreasuries.ts'

/**
 * Changes of recipients. The API's role only requests and ends them; a chain's leader activates them after
 * their delay.
 */

const TOKEN_BYTES = 32
/** How many of a merchant's changes are shown. */
const SHOWN = 10

/** Requests another recipient; null when another change is open. */
export async function requestRecipient(
  sql: Queryable,
  wanted: { readonly merchantId: MerchantId; readonly recipient: Address; readonly actor: Actor },
  delayS: number,
): Promise<RecipientChange | null> {
  const { merchantId, recipient, actor } = wanted
  const id = Bun.randomUUIDv7()
  const [asked] = await sql<{ isOpen: boolean }[]>`
    select ask_for_recipient(${id}, ${merchantId}, ${recipient}, ${actor.type}, ${actor.id},
      ${actor.name}, make_interval(secs => ${delayS})) as is_open`
  if (!asked?.isOpen) return null
  const [change] = await sql<RecipientChange[]>`
    select ${columns(sql)} from recipient_change c where c.id = ${id}`
  return change ?? null
}

/** Ends a change that is not active yet; null when there is none. */
export async function cancelChange(
  sql: Queryable,
  merchantId: MerchantId,
  id: RecipientChangeId,
  by: Actor,
): Promise<RecipientChange | null> {
  const [ended] = await sql<{ isEnded: boolean }[]>`
    select cancel_recipient_change(${id}, ${merchantId}, ${by.type}, ${by.id}, ${by.name}) as is_ended`
  if (!ended?.isEnded) return null
  const [change] = await sql<RecipientChange[]>`
    select ${columns(sql)} from recipient_change c where c.id = ${id}`
  return change ?? null
}

/** A merchant's changes, the newest first. */
export async function listChanges(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<RecipientChange[]> {
  return sql<RecipientChange[]>`
    select ${columns(sql)} from recipient_change c where c.merchant_id = ${merchantId}
    order by c.created_at desc, c.id desc limit ${SHOWN}`
}

/** When changes were requested by keys, members or the operator since a moment, the newest first, `most` of them. */
export async function changesSince(
  sql: Queryable,
  merchantId: MerchantId,
  by: Actor['type'],
  since: Date,
  most: number,
): Promise<Date[]> {
  const rows = await sql<{ createdAt: Date }[]>`
    select created_at from recipient_change
    where merchant_id = ${merchantId} and actor = ${by} and created_at > ${since}
    order by created_at desc limit ${most}`
  return rows.map(({ createdAt }) => createdAt)
}

/** Makes a link by which one owner can stop a change; it can't be read again. */
export async function createStopLink(
  sql: Queryable,
  changeId: RecipientChangeId,
  personId: PersonId,
): Promise<string> {
  const token = crypto
    .getRandomValues(new Uint8Array(TOKEN_BYTES))
    .toBase64({ alphabet: 'base64url', omitPadding: true })
  await sql`
    insert into recipient_change_link (token_hash, change_id, person_id)
    values (${hashOf(token)}, ${changeId}, ${personId})`
  return token
}

/** What a link stops, and for whom. */
export interface StopLink {
  readonly personId: PersonId
  readonly personName: string
  readonly email: string
  readonly merchantName: string
  readonly change: RecipientChange
}

/** The change of a link, for the owners of when the link was created; null for no link. */
export async function findStopLink(sql: Queryable, token: string): Promise<StopLink | null> {
  const [row] = await sql<(RecipientChange & Omit<StopLink, 'change'>)[]>`
    select ${columns(sql)}, l.person_id, u.name as person_name, u.email, m.name as merchant_name
    from recipient_change_link l join recipient_change c on c.id = l.change_id
    join merchant m on m.id = c.merchant_id
    join auth."user" u on u.id = l.person_id
    where l.token_hash = ${hashOf(token)}`
  if (row === undefined) return null
  const { personId, personName, email, merchantName, ...change } = row
  return { personId, personName, email, merchantName, change }
}

/** Ends the change of a link in the name of its member; null when it is over already. */
export async function cancelByLink(
  sql: Queryable,
  token: string,
  { name }: Pick<Actor, 'name'>,
): Promise<RecipientChange | null> {
  const hash = hashOf(token)
  const [ended] = await sql<{ isEnded: boolean }[]>`
    select cancel_change_by_link(${hash}, ${name}) as is_ended`
  if (!ended?.isEnded) return null
  const [change] = await sql<RecipientChange[]>`
    select ${columns(sql)} from recipient_change c join recipient_change_link l on l.change_id = c.id
    where l.token_hash = ${hash}`
  return change ?? null
}

/** The changes that a leader has to process, the oldest first. */
export async function openChanges(sql: Queryable): Promise<
  readonly (Pick<RecipientChange, 'id' | 'merchantId' | 'recipient'> & {
    readonly state: 'untold' | 'waiting' | 'ended'
    readonly isDue: boolean
  })[]
> {
  return sql`
    select id, merchant_id, recipient, 'untold' as state, false as is_due from recipient_change
    where notified_at is null and state in ('needs_approval', 'waiting')
    union all
    select id, merchant_id, recipient, 'waiting', force_at <= clock_timestamp()
    from recipient_change where state = 'waiting' and notified_at is not null
    union all
    select id, merchant_id, recipient, 'ended', true from recipient_change
    where version is not null and withdrawn_at is null
      and state in ('cancelled', 'refused', 'expired', 'impossible')
    order by id`
}

/**
 * Records that owners were notified of a change, which starts its delay, or ends a forged one. Null when it was
 * over, or notified already.
 */
export async function verifyChange(
  sql: Transaction,
  id: RecipientChangeId,
  delayS: number,
  reason: string | null,
): Promise<(RecipientChange & { readonly notifiedAt: Date | null }) | null> {
  const [verified] = await sql<{ isVerified: boolean }[]>`
    select verify_change(${id}, make_interval(secs => ${delayS}), ${reason}) as is_verified`
  if (!verified?.isVerified) return null
  const [change] = await sql<(RecipientChange & { notifiedAt: Date | null })[]>`
    select ${columns(sql)}, c.notified_at from recipient_change c where c.id = ${id}`
  return change ?? null
}

type Terms = MerchantTerms & Pick<Config, 'chains' | 'recipientDelayS'>

/**
 * Activates a change after its delay, with all that follows for hubs and invoices, in one transaction: a crash
 * leaves nothing behind, and a second leader finds it done. Returns how many invoices are due because of it, or
 * null when it was not its time, or it was ended.
 */
export async function activateChange(
  database: Database,
  terms: Terms,
  { id, recipient }: Pick<RecipientChange, 'id' | 'recipient'>,
): Promise<number | null> {
  return database.begin(async (sql) => {
    const verdict = await checkRecipient(sql, terms, recipient)
    if (!verdict.ok) {
      await sql`select refuse_recipient_change(${id}, ${verdict.message})`
      return null
    }
    const [row] = await sql<{ merchantId: MerchantId | null }[]>`
      select put_recipient_in_force(${id}, make_interval(secs => ${terms.recipientDelayS}))
        as merchant_id`
    const merchantId = row?.merchantId ?? null
    if (merchantId === null) return null
    await spreadEntry(sql, terms, merchantId)
    return (await makeDue(sql, merchantId)).length
  })
}

/** Withdraws a change from hubs that was ended after it was announced. False when another process has. */
export async function withdraw(
  database: Database,
  terms: Terms,
  id: RecipientChangeId,
): Promise<boolean> {
  return database.begin(async (sql) => {
    const [row] = await sql<{ merchantId: MerchantId | null }[]>`
      select withdraw_recipient_change(${id}) as merchant_id`
    const merchantId = row?.merchantId ?? null
    if (merchantId === null) return false
    // What was not sent again stays where it is; what is on its way meets a newer version.
    await sql`
      update work_item w set state = 'failed', updated_at = now(),
        result = '{"error": "the change of the recipient was ended"}'
      from recipient_change c
      where c.id = ${id} and w.kind = 'configure' and w.state = 'queued'
        and w.payload->>'merchantId' = c.merchant_id::text
        and w.payload->>'version' = c.version::text`
    await spreadEntry(sql, terms, merchantId)
    return true
  })
}

/**
 * Has the hub of a chain hear of a change while it waits here, so that the hub's own delay runs at the same
 * time. False while it is too early, or there is nothing for this hub to hear.
 */
export async function announce(
  database: Database,
  terms: Terms,
  networkId: string,
  change: Pick<RecipientChange, 'id' | 'merchantId' | 'recipient'>,
): Promise<boolean> {
  return database.begin((sql: Transaction) =>
    announceOn(sql, { networkId, hub: terms.hub }, change),
  )
}

function columns(sql: Queryable) {
  return sql`
    c.id, c.merchant_id, c.recipient, c.replaces, c.state, c.actor_name, c.created_at, c.force_at,
    c.ended_at, c.ended_by`
}

function hashOf(token: string): Uint8Array {
  return Bun.CryptoHasher.hash('sha256', token)
}
