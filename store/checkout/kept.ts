import type { PriceId } from '../../core/base/ids.ts'
import type { CheckoutSession, SessionId } from '../../core/checkout/session.ts'
import type { Fragment, Transaction } from '../database/database.ts'
import { SILENT_HOURS } from '../invoice/due.ts'

/** Which session a request is answered with again. */

/** So many of the newest sessions may be paid or may have been, and are waited for. */
const WAITED_FOR = 20
/** So many of a reference or a price are searched for money, which can come late for each of them. */
const SEARCHED = 1_000

export interface KeptSessions {
  /** The one that has the reference while it can be paid or may have been, or one of its former ones with money. */
  readonly byReference: CheckoutSession | null
  /** The session of a one-time price, unless all have ended without any money. */
  readonly ofPrice: CheckoutSession | null
}

/**
 * Which sessions are answered with again: of the one that has the reference, if any has, and of a one-time price. What
 * is being recorded for their invoices, or chosen in those of the price, at this moment is waited for.
 */
export async function findKept(
  sql: Transaction,
  referenced: SessionId | null,
  oneTimePrice: PriceId | null,
  now: Date,
): Promise<KeptSessions> {
  const line = await lineOf(sql, referenced)
  const ofPrice = await lockNewest(sql, oneTimePrice)
  await lockInvoices(sql, [...line.newest, ...ofPrice.newest])
  return {
    byReference: await firstKept(sql, line, now),
    ofPrice: await firstKept(sql, ofPrice, now),
  }
}

interface Line {
  readonly newest: readonly SessionId[]
  /** Those before them: only whether money has come for one is read, without waiting for what is being recorded. */
  readonly older: readonly SessionId[]
}

const NO_LINE: Line = { newest: [], older: [] }

/** A session and its former ones, which have ended: no token is chosen in them any more. */
async function lineOf(sql: Transaction, id: SessionId | null): Promise<Line> {
  if (id === null) return NO_LINE
  const rows = await sql<{ id: SessionId }[]>`
    with recursive line as (
      select id, former_id, 1 as place from checkout_session where id = ${id}
      union all
      select f.id, f.former_id, line.place + 1
      from checkout_session f join line on f.id = line.former_id
      where line.place < ${SEARCHED}
    ) select id from line order by place`
  const ids = rows.map((row) => row.id)
  return { newest: ids.slice(0, WAITED_FOR), older: ids.slice(WAITED_FOR) }
}

/** The newest session of a price, and the newest with an invoice. The price is locked, so that there comes no other. */
async function lockNewest(sql: Transaction, priceId: PriceId | null): Promise<Line> {
  if (priceId === null) return NO_LINE
  const rows = await sql<{ id: SessionId }[]>`
    select id from checkout_session where id in (
      (select id from checkout_session
        where price_id = ${priceId} order by created_at desc limit 1)
      union all
      (select id from checkout_session
        where price_id = ${priceId} and invoice_id is not null
        order by created_at desc limit ${WAITED_FOR})
    ) order by id for update`
  const older = await sql<{ id: SessionId }[]>`
    select id from checkout_session where price_id = ${priceId} and invoice_id is not null
    order by created_at desc offset ${WAITED_FOR} limit ${SEARCHED - WAITED_FOR}`
  return { newest: rows.map((row) => row.id), older: older.map((row) => row.id) }
}

/** Every invoice that the sessions have had, in one order. */
async function lockInvoices(sql: Transaction, ids: readonly SessionId[]): Promise<void> {
  await sql`
    select from (
      select distinct invoice_id from checkout_session_invoice
      where session_id = any(${[...ids]}::text[]) order by invoice_id
    ) o cross join lateral lock_invoice(o.invoice_id)`
}

/** Of some sessions, the one that has received money, or else one that can still be paid or may have been; the newest. */
async function firstKept(
  sql: Transaction,
  { newest, older }: Line,
  now: Date,
): Promise<CheckoutSession | null> {
  if (newest.length === 0) return null
  const [row] = await sql<CheckoutSession[]>`
    select s.* from checkout_session s left join invoice i on i.id = s.invoice_id
    cross join lateral (
      select coalesce(i.status in ('paid', 'completed') or i.pending_amount > 0, false) or exists (
        select from checkout_session_invoice o join payment p on p.invoice_id = o.invoice_id
        where o.session_id = s.id and p.status <> 'reverted'
      ) as has_money
    ) received
    where s.id = any(${[...newest, ...older]}::text[]) and (has_money or case
      when s.id <> all(${[...newest]}::text[]) then false
      when i.id is null then s.expires_at > ${now}
      else coalesce(least(i.expires_at, i.closed_at) >= ${now}, true) or ${mayBeUnseen(sql, now)} end)
    order by has_money desc, s.created_at desc limit 1`
  return row ?? null
}

/**
 * About a session `s` whose invoice `i` has ended by our clock: money that was sent in time may not have been seen yet.
 * As its expiry is announced, a chain of any of its invoices must have confirmed a block after that end; once it is
 * announced, only one that was listed for another choice, and is still followed, has to. A chain of which nothing was
 * ever read holds up nothing.
 */
function mayBeUnseen(sql: Transaction, now: Date) {
  return sql`exists (
    select from checkout_session_invoice o join invoice c on c.id = o.invoice_id
    cross join unnest(c.chains) as n (id) join chain_state h on h.network_id = n.id
    where o.session_id = s.id
      and (h.confirmed_time <= least(i.expires_at, i.closed_at)
        or (h.confirmed_time is null and h.head_time is not null))
      and (i.expiry_announced_at is null or (n.id <> all(i.chains)
        and h.head_seen_at > ${now}::timestamptz - ${SILENT_HOURS} * interval '1 hour'))
  ) or ${hasUnread(sql, sql`s.id`)}`
}

/** Whether an invoice of a session may have payments that could not be read yet. */
export function hasUnread(sql: Transaction, sessionId: Fragment) {
  return sql`exists (
    select from checkout_session_invoice o
    join quarantine q on q.part = 'invoice' and q.subject = o.invoice_id::text
    where o.session_id = ${sessionId})`
}
