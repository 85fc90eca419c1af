import { type Refusal, refuse } from '../../core/base/errors.ts'
import type { InvoiceId, MerchantId, PaymentLinkId, PriceId } from '../../core/base/ids.ts'
import { type Price, USUAL_EXPIRY_S } from '../../core/checkout/price.ts'
import {
  type CheckoutSession,
  formatSessionId,
  type SessionId,
} from '../../core/checkout/session.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { findKept } from './kept.ts'
import type { SessionNames } from './sessionNames.ts'

/** Making and finding checkout sessions. */

/** Who requests a session of a price, and how. */
export interface SessionRequest {
  readonly merchantId: MerchantId
  readonly priceId: PriceId
  readonly linkId: PaymentLinkId | null
  readonly clientReference: string | null
  /** Whether a browser requests it, with the publishable key or by a link. */
  readonly byPublishable: boolean
  readonly returnUrl: string | null
}

export type OpenedSession =
  | { readonly ok: true; readonly session: CheckoutSession; readonly isNew: boolean }
  | Refusal

/**
 * Makes a session of a price. The same reference gets the same session, and a one-time price has one at a
 * time: a new one when the last has ended and no money can appear for it, while one that received money is kept.
 */
export async function openPriceSession(
  database: Database,
  request: SessionRequest,
  now: Date,
): Promise<OpenedSession> {
  return database.begin(async (sql): Promise<OpenedSession> => {
    const price = await lockPrice(sql, request)
    if (price === null) return refuse('price_not_found')
    const known = await lockReferenced(sql, request)
    const oneTimePrice = price.isReusable ? null : request.priceId
    const { byReference, ofPrice } = await findKept(sql, known?.id ?? null, oneTimePrice, now)
    if (byReference !== null) return repeated(byReference, request)
    if (ofPrice !== null) return { ok: true, session: ofPrice, isNew: false }
    if (!price.active)
      return refuse('price_not_active', [
        { path: 'price', message: 'is that of a price that is not active' },
      ])
    if (known !== null) await giveUpReference(sql, known)
    const session = await insertSession(sql, request, known, expiryOf(price, now), now)
    if (session !== null) return { ok: true, session, isNew: true }
    const winner = await lockReferenced(sql, request)
    if (winner === null) throw new Error('a session was neither made nor found')
    return repeated(winner, request)
  })
}

/** A session that a payer starts again from. */
export type FormerSession = Pick<CheckoutSession, 'id' | 'linkId' | 'priceId'> & SessionRequest

/**
 * The session from which a payer starts again: this one, or the newest of those that have taken its reference since.
 * Null for that of an invoice.
 */
export async function findFormer(sql: Queryable, id: SessionId): Promise<FormerSession | null> {
  const [row] = await sql<FormerSession[]>`
    with recursive line as (
      select id, created_at, 1 as place from checkout_session where id = ${id}
      union
      select n.id, n.created_at, line.place + 1
      from checkout_session n join line on n.former_id = line.id where line.place < ${LONGEST_LINE}
    )
    select s.id, s.merchant_id, s.price_id, s.link_id, s.client_reference, s.by_publishable, s.return_url
    from checkout_session s where s.price_id is not null
      and s.id = (select id from line order by created_at desc, place desc limit 1)`
  return row ?? null
}

const LONGEST_LINE = 100

interface PriceTerms extends Pick<Price, 'isReusable' | 'active' | 'expiresAfter'> {
  readonly defaultExpiry: number | null
}

/** The price; a one-time price is locked, so that it never has two sessions that can be paid. */
async function lockPrice(
  sql: Transaction,
  { merchantId, priceId }: SessionRequest,
): Promise<PriceTerms | null> {
  const [price] = await sql<PriceTerms[]>`
    select p.is_reusable, p.active, p.expires_after, g.default_expiry
    from price p left join merchant_page g on g.merchant_id = p.merchant_id
    where p.id = ${priceId} and p.merchant_id = ${merchantId} and p.deleted_at is null`
  if (price && !price.isReusable) await sql`select from price where id = ${priceId} for update`
  return price ?? null
}

function expiryOf({ expiresAfter, defaultExpiry }: PriceTerms, now: Date): Date {
  const seconds = expiresAfter ?? defaultExpiry ?? USUAL_EXPIRY_S
  return new Date(now.getTime() + seconds * 1_000)
}

/**
 * The session that has the reference, locked before its invoice, as by a payer's choice. Of two requests one replaces
 * it; the other one waits here, finds that the reference was given up, and then the session that has it now.
 */
async function lockReferenced(
  sql: Transaction,
  { merchantId, priceId, byPublishable, clientReference }: SessionRequest,
): Promise<CheckoutSession | null> {
  if (clientReference === null) return null
  const [row] = await sql<CheckoutSession[]>`
    select * from checkout_session
    where merchant_id = ${merchantId} and price_id = ${priceId}
      and by_publishable = ${byPublishable} and client_reference = ${clientReference}
    for update`
  return row ?? null
}

async function giveUpReference(sql: Transaction, { id }: CheckoutSession): Promise<void> {
  await sql`
    update checkout_session set client_reference = null, keeps_former = false where id = ${id}`
}

/** A repeat must be identical; only the return URL may differ. */
function repeated(session: CheckoutSession, { returnUrl }: SessionRequest): OpenedSession {
  if (returnUrl === null || isSameUrl(returnUrl, session.returnUrl)) {
    return { ok: true, session, isNew: false }
  }
  const message = `is another one than that of session ${session.id}, which has this clientReference`
  return refuse('client_reference_conflict', [{ path: 'returnUrl', message }])
}

function isSameUrl(one: string, other: string | null): boolean {
  return other !== null && URL.parse(one)?.href === URL.parse(other)?.href
}

/**
 * Makes one. An empty session that it replaces hands on its own former, so that a line is no longer than there are
 * invoices.
 */
async function insertSession(
  sql: Transaction,
  request: SessionRequest,
  former: CheckoutSession | null,
  expiresAt: Date,
  now: Date,
): Promise<CheckoutSession | null> {
  const id = formatSessionId(crypto.getRandomValues(new Uint8Array(16)))
  const { merchantId, priceId, linkId, clientReference, byPublishable, returnUrl } = request
  const isEmpty = former !== null && former.invoiceId === null
  const formerId = (isEmpty ? former.formerId : null) ?? former?.id ?? null
  const [row] = await sql<CheckoutSession[]>`
    insert into checkout_session (id, merchant_id, price_id, link_id, client_reference,
      former_id, keeps_former, by_publishable, return_url, expires_at, created_at)
    values (${id}, ${merchantId}, ${priceId}, ${linkId}, ${clientReference}, ${formerId},
      exists (select from checkout_session where id = ${formerId} and invoice_id is not null),
      ${byPublishable}, ${returnUrl}, ${expiresAt}, ${now})
    on conflict (merchant_id, price_id, by_publishable, client_reference) do nothing
    returning *`
  return row ?? null
}

/**
 * The session with this id. An invoice's own session is created when it is first requested; where the invoice
 * was made by another session, it is that one. Null when there is none.
 */
export async function findSession(
  sql: Queryable,
  names: SessionNames,
  id: SessionId,
  now: Date,
): Promise<SessionId | null> {
  const [known] = await sql`select from checkout_session where id = ${id}`
  if (known) return id
  return sessionOfInvoice(sql, names.invoiceOf(id), id, now)
}

/** The session that an invoice belongs to; its own, with this id, if it has none yet. */
export async function sessionOfInvoice(
  sql: Queryable,
  invoiceId: InvoiceId,
  id: SessionId,
  now: Date,
): Promise<SessionId | null> {
  const [row] = await sql<{ sessionId: SessionId }[]>`
    with known as (
      select session_id from checkout_session_invoice where invoice_id = ${invoiceId}
    ), made as (
      insert into checkout_session (id, merchant_id, invoice_id, created_at)
      select ${id}, merchant_id, id, created_at from invoice
      where id = ${invoiceId} and not exists (select from known)
      on conflict do nothing
      returning id, merchant_id
    ), linked as (
      insert into checkout_session_invoice
        (invoice_id, session_id, merchant_id, by_payer, created_at)
      select ${invoiceId}, id, merchant_id, false, ${now} from made
      returning session_id
    )
    select session_id from known union all select session_id from linked`
  if (row) return row.sessionId
  // A concurrent request created it, or there is no such invoice.
  const [again] = await sql<{ sessionId: SessionId }[]>`
    select session_id from checkout_session_invoice where invoice_id = ${invoiceId}`
  return again?.sessionId ?? null
}

/** Keeps what the payer chose for the next time that the page is opened. */
export async function rememberChoice(
  sql: Queryable,
  id: SessionId,
  { networkId = null, locale = null }: Partial<Pick<CheckoutSession, 'networkId' | 'locale'>>,
): Promise<void> {
  await sql`
    update checkout_session
    set network_id = coalesce(${networkId}, network_id), locale = coalesce(${locale}, locale)
    where id = ${id}
      and (network_id is distinct from coalesce(${networkId}, network_id)
        or locale is distinct from coalesce(${locale}, locale))`
}

/** Says where the payer of an invoice's session returns to. */
export async function setReturnUrl(
  sql: Queryable,
  id: SessionId,
  returnUrl: string,
): Promise<void> {
  await sql`
    update checkout_session set return_url = ${returnUrl}, version = version + 1
    where id = ${id} and return_url is distinct from ${returnUrl}`
}
