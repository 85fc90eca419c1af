import { type Refusal, refuse } from '../../core/base/errors.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import { chainsOffered } from '../../core/checkout/present.ts'
import { SESSION_METADATA } from '../../core/checkout/price.ts'
import {
  type CheckoutSession,
  mayChoose,
  type Offer,
  type SessionId,
} from '../../core/checkout/session.ts'
import type { Config } from '../../core/config/processes.ts'
import type { Quotes } from '../../core/fiat/quote.ts'
import {
  draftInvoice,
  type InvoiceDecision,
  type InvoiceDraft,
} from '../../core/invoice/creation.ts'
import { inToken } from '../../core/invoice/pricing.ts'
import { deadline, type Invoice } from '../../core/invoice/state.ts'
import type { Database, Transaction } from '../database/database.ts'
import { insertInvoices, type NewInvoice } from '../invoice/creations.ts'
import { SESSION_CHANNEL } from '../invoice/sessionNews.ts'
import { readAuthorizations } from '../x402/invoiceClaims.ts'
import { limitReached, type UnpaidBounds } from './choiceLimits.ts'
import { hasUnread } from './kept.ts'

/** A payer chooses what to pay with, and only then an invoice is made and its address watched. */

export interface Choice {
  readonly sessionId: SessionId
  readonly tokenSymbol: string
  /** The network that the payer means to use; the others that are offered count as well. */
  readonly networkId: string | null
}

/** Whose invoice is made of a draft. */
export interface InvoiceOwner {
  readonly merchantId: MerchantId
  readonly recipient: Address | null
}

export interface ChoiceTerms {
  readonly config: Config
  /** By which an amount in another currency becomes one of the token. */
  readonly quotes: Quotes
  readonly bounds: UnpaidBounds
  compose(draft: InvoiceDraft, owner: InvoiceOwner): NewInvoice
}

export type ChoiceResult =
  | {
      readonly ok: true
      /** The invoice that was ended for another choice. */
      readonly ended: Pick<Invoice, 'id' | 'chains'> | null
      readonly isNew: boolean
    }
  | Refusal

/**
 * Makes the invoice of a choice. The same choice again changes nothing; another one, while nothing was
 * seen, ends the invoice before. Throws when the invoice's reference is taken; then nothing was written.
 */
export async function choose(
  database: Database,
  terms: ChoiceTerms,
  choice: Choice,
  now: Date,
): Promise<ChoiceResult> {
  return database.begin(async (sql): Promise<ChoiceResult> => {
    const locked = await lockSession(sql, choice.sessionId)
    if (locked === null) return refuse('session_not_found')
    const { session, offer } = locked
    if (offer === null) return notPossible('the merchant chose the token of this session')
    const before = await lockCurrent(sql, session)
    const isOver = before === null ? !mayChoose(locked, now) : hasEnded(before, now)
    if (isOver) return notPossible('the session is over: begin a new one')
    const offered = networksOffered(choice, offer, terms.config)
    if (!offered.ok) return offered
    if (before?.tokenSymbol === choice.tokenSymbol) return { ok: true, ended: null, isNew: false }
    if (before !== null && (await isPaidInto(sql, before))) {
      return notPossible('a payment was seen: pay what is still due in the same token')
    }
    if (before !== null && (await isClaimed(sql, before))) {
      return notPossible('a signed payment is being executed: wait for it')
    }
    if (before !== null && (await mayBeUnseen(sql, session.id, before, terms.config, now))) {
      const token = before.tokenSymbol
      return notPossible(
        `payments may not have been seen yet: pay in ${token}, or try again in a minute`,
      )
    }
    const limit = await limitReached(sql, session, terms.bounds, now)
    if (limit !== null) return limit
    const drafted = draftOf(locked, choice, offered.networkIds, terms, now)
    if (!drafted.ok) return drafted
    const { networkId } = choice
    if (networkId !== null && !drafted.draft.chains.includes(networkId)) {
      return notPossible(`${networkId} does not take so little: choose another network`)
    }
    const { merchantId } = session
    const entry = terms.compose(drafted.draft, { merchantId, recipient: locked.recipient })
    await insertInvoices(sql, [entry])
    if (before !== null) await sql`select close_invoice(${merchantId}, ${before.id}, ${now})`
    await becomesCurrent(sql, session, entry.invoice, terms.bounds, now)
    return { ok: true, ended: before, isNew: true }
  })
}

/** A session under its lock, with what an invoice is made of. */
interface LockedSession {
  readonly session: CheckoutSession
  readonly offer: Offer | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** The merchant's own recipient. */
  readonly recipient: Address | null
  /** That of the price, or else the merchant's usual one. */
  readonly tolerance: string
}

interface LockedRow extends CheckoutSession {
  readonly recipient: Address | null
  readonly offer: Omit<Offer, 'version'> | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly tolerance: string
}

async function lockSession(sql: Transaction, id: SessionId): Promise<LockedSession | null> {
  const [row] = await sql<LockedRow[]>`
    select s.*, m.recipient, p.metadata,
      coalesce(p.underpayment_tolerance, g.underpayment_tolerance, '0') as tolerance,
      case when p.id is not null then json_build_object('amount', p.amount, 'currency', p.currency, 'tokens', p.tokens,
        'chains', p.chains, 'description', p.description,
        'isOpen', p.active and p.deleted_at is null) end as offer
    from checkout_session s
    join merchant m on m.id = s.merchant_id
    left join merchant_page g on g.merchant_id = s.merchant_id
    left join price p on p.id = s.price_id
    where s.id = ${id} for update of s`
  if (!row) return null
  const { offer, recipient, metadata, tolerance, ...session } = row
  return {
    session,
    offer: offer && { ...offer, version: 0 },
    metadata: metadata ?? {},
    recipient,
    tolerance,
  }
}

/** The invoice that is to be paid now, locked. */
async function lockCurrent(sql: Transaction, session: CheckoutSession): Promise<Invoice | null> {
  if (session.invoiceId === null) return null
  const [invoice] = await sql<Invoice[]>`select * from lock_invoice(${session.invoiceId})`
  return invoice ?? null
}

function hasEnded(invoice: Invoice, now: Date): boolean {
  const end = deadline(invoice)
  return end !== null && end < now
}

type OfferedNetworks = { readonly ok: true; readonly networkIds: readonly string[] } | Refusal

function networksOffered(
  { tokenSymbol, networkId }: Choice,
  offer: Offer,
  { chains }: Config,
): OfferedNetworks {
  const symbol = offer.tokens.find((candidate) => candidate === tokenSymbol)
  if (symbol === undefined) {
    const message = `must be one of ${offer.tokens.join(', ')}`
    return refuse('invalid_request_body', [{ path: 'tokenSymbol', message }])
  }
  const networkIds = chainsOffered(symbol, offer, chains).map((chain) => chain.networkId)
  if (networkIds.length === 0) return notPossible('no network takes so little now')
  if (networkId === null || networkIds.includes(networkId)) return { ok: true, networkIds }
  const message = `must be one of ${networkIds.join(', ')}`
  return refuse('unknown_chain', [{ path: 'networkId', message }])
}

/** Whether an invoice's address has payments that were not reverted. */
async function isPaidInto(sql: Transaction, { id }: Invoice): Promise<boolean> {
  const rows = await sql`
    select from payment where invoice_id = ${id} and status <> 'reverted' limit 1`
  return rows.length > 0
}

/** Whether a signed payment of it is on its way, and in no block that the ledger knows. */
async function isClaimed(sql: Transaction, { id }: Invoice): Promise<boolean> {
  return (await readAuthorizations(sql, [id])).some((one) => one.isClaimed)
}

/** How long after its last reading a chain counts as read, and how far recorded payments may be behind it, in ms. */
const READ_MS = 60_000
const TOLERATED_LAG_MS = 30_000
const TOLERATED_LAG_BLOCKS = 3

/**
 * Whether money for an invoice that can still be paid may have been sent and not seen: a chain of it is not read now, or
 * read further than payments were recorded. One that is switched off, or of which nothing was ever read, holds up nothing.
 */
async function mayBeUnseen(
  sql: Transaction,
  sessionId: SessionId,
  before: Invoice,
  { chains }: Config,
  now: Date,
): Promise<boolean> {
  const followed = chains.filter(({ networkId }) => before.chains.includes(networkId))
  const ids = followed.map(({ networkId }) => networkId)
  const lags = followed.map(({ blockTimeMs }) =>
    Math.max(TOLERATED_LAG_BLOCKS, Math.ceil(TOLERATED_LAG_MS / blockTimeMs)),
  )
  const [row] = await sql<{ isUnseen: boolean }[]>`
    select ${hasUnread(sql, sql`${sessionId}`)} or exists (
      select from unnest(${ids}::text[], ${lags}::integer[]) as n (network_id, lag)
      join chain_state s using (network_id) left join chain_head h using (network_id)
      where greatest(h.number, s.head) - s.projected_block > n.lag
        or s.head_seen_at < ${new Date(now.getTime() - READ_MS)}
    ) as is_unseen`
  return row?.isUnseen ?? false
}

function draftOf(
  { session, offer, metadata, tolerance }: LockedSession,
  { tokenSymbol }: Choice,
  networkIds: readonly string[],
  { config, quotes }: ChoiceTerms,
  now: Date,
): InvoiceDecision {
  const { id, priceId, linkId, clientReference, formerId, expiresAt } = session
  const origin = {
    session: id,
    price: priceId,
    ...(linkId === null ? {} : { paymentLink: linkId }),
    ...(clientReference === null ? {} : { clientReference }),
    ...(formerId === null ? {} : { formerSession: formerId }),
  }
  const request = {
    tokenSymbol,
    amountExpected: offer?.amount ?? '0',
    ...(offer === null || offer.currency === null ? {} : { currency: offer.currency }),
    chains: networkIds,
    metadata: { ...metadata, [SESSION_METADATA]: origin },
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
  }
  const priced = inToken(request, quotes, now)
  return priced.ok ? draftInvoice(priced.request, config, now, tolerance) : priced
}

async function becomesCurrent(
  sql: Transaction,
  { id, merchantId, linkId, refundAddress }: CheckoutSession,
  invoice: Invoice,
  { networkTags: [clientTag, ...networkTags] }: UnpaidBounds,
  now: Date,
): Promise<void> {
  await sql`
    insert into checkout_session_invoice
      (invoice_id, session_id, merchant_id, link_id, by_payer, client_tag, network_tags, created_at)
    values (${invoice.id}, ${id}, ${merchantId}, ${linkId}, true, ${clientTag ?? null},
      ${networkTags}::text[], ${now})`
  if (refundAddress !== null) await sql`select leave_refund_address(${id}, ${refundAddress})`
  await sql`
    update checkout_session set invoice_id = ${invoice.id}, version = version + 1 where id = ${id}`
  await sql`select pg_notify(${SESSION_CHANNEL}, ${id})`
}

function notPossible(message: string): Refusal {
  return refuse('choice_not_possible', [{ path: '', message }])
}
