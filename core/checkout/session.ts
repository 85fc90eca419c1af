import type { MerchantId, PaymentLinkId, PriceId } from '../base/ids.ts'
import type { Address, Hex } from '../chain/evm.ts'
import type { TokenSymbol } from '../chain/tokens.ts'
import type { InvoiceAuthorization } from '../invoice/signature.ts'
import { deadline, type Invoice, isExpired, type Payment } from '../invoice/state.ts'
import { type LinkUse, takesPayers } from './link.ts'
import type { CheckoutState, HashVerdict } from './view.ts'

/** Checkout sessions: one payer's way from a price, or from an invoice, to what was paid. */

declare const sessionBrand: unique symbol

/** `cs_` and 16 random bytes in base64url. Its holder may pay, and see the payment's status. */
export type SessionId = string & { readonly [sessionBrand]: true }

const SESSION_ID = /^cs_[A-Za-z0-9_-]{21}[AQgw]$/
const SESSION_BYTES = 16
const BASE64URL = { alphabet: 'base64url', omitPadding: true } as const

/** True for what has the form of a session's id; 16 bytes leave two bits of its last letter. */
export function isSessionId(text: string): text is SessionId {
  return SESSION_ID.test(text)
}

/** Makes a session's id of 16 bytes. Throws a RangeError for any other number of them. */
export function formatSessionId(bytes: Uint8Array): SessionId {
  const id = `cs_${bytes.toBase64(BASE64URL)}`
  if (bytes.length !== SESSION_BYTES || !isSessionId(id)) {
    throw new RangeError('a session is named by 16 bytes')
  }
  return id
}

export interface CheckoutSession {
  readonly id: SessionId
  readonly merchantId: MerchantId
  /** Null for the session of an invoice that the merchant created. */
  readonly priceId: PriceId | null
  readonly linkId: PaymentLinkId | null
  readonly clientReference: string | null
  /** The session that had the same reference and ended without any money; an empty one may have been removed since. */
  readonly formerId: SessionId | null
  /** The invoice that is to be paid now; null until the payer has chosen. */
  readonly invoiceId: Invoice['id'] | null
  readonly version: number
  /** Until when the payer can choose and pay; null where the invoice alone decides it. */
  readonly expiresAt: Date | null
  readonly refundAddress: Address | null
  readonly returnUrl: string | null
  /** The network and language that the payer chose last. */
  readonly networkId: string | null
  readonly locale: string | null
  readonly createdAt: Date
}

/** What payers are shown of a merchant. */
export interface MerchantPage {
  readonly name: string
  readonly logoId: string | null
  readonly accent: string | null
  readonly supportEmail: string | null
  readonly supportUrl: string | null
  readonly returnUrl: string | null
  /** Whole origins: pages of these may show sessions in frames and read them. */
  readonly allowedOrigins: readonly string[]
  /** The languages of the page; empty for all. */
  readonly languages: readonly string[]
  /** 0 while the merchant has set nothing. */
  readonly version: number
}

/** What a session of a price offers. */
export interface Offer {
  /** Decimal, in major units. */
  readonly amount: string
  /** What the amount is in; null for the tokens themselves. */
  readonly currency: string | null
  readonly tokens: readonly TokenSymbol[]
  /** Empty for all chains that have the token. */
  readonly chains: readonly string[]
  readonly description: string | null
  /** False once the merchant has switched the price off or deleted it. */
  readonly isOpen: boolean
  readonly version: number
}

/** How far a chain is, as the stored heads show it. */
export interface ChainPace {
  readonly networkId: string
  readonly head: bigint
  /** When a new block last came; null when none was recorded. */
  readonly movedAt: Date | null
  /** Up to which block payments are in the ledger. */
  readonly projectedBlock: bigint
}

/** A pasted hash and what was found last. */
export interface StoredLookup {
  readonly hash: Hex
  readonly verdict: HashVerdict
  readonly networkId: string | null
  readonly at: Date
}

/** Everything of which a session's view is made. */
export interface CheckoutRows {
  readonly session: CheckoutSession
  readonly page: MerchantPage
  readonly offer: Offer | null
  /** The payment link that it was begun with. */
  readonly link: LinkUse | null
  /** All invoices of the session, in the order in which they were made. */
  readonly invoices: readonly Invoice[]
  /** The newest payments of those, in the order seen. */
  readonly payments: readonly Payment[]
  /** The newest authorizations of the invoices, the newest first. */
  readonly authorizations: readonly InvoiceAuthorization[]
  /** The newest first. */
  readonly lookups: readonly StoredLookup[]
  readonly paces: readonly ChainPace[]
}

/** The invoice that is to be paid now; null while none was chosen. */
export function currentInvoice({ session, invoices }: CheckoutRows): Invoice | null {
  return invoices.find(({ id }) => id === session.invoiceId) ?? null
}

/** Until when the session can be paid in time; null without a limit. */
export function sessionEnd(rows: CheckoutRows): Date | null {
  const invoice = currentInvoice(rows)
  return invoice === null ? rows.session.expiresAt : deadline(invoice)
}

/** The session's status for the payer. */
export function sessionState(rows: CheckoutRows, now: Date): CheckoutState {
  const invoice = currentInvoice(rows)
  if (invoice === null) return mayChoose(rows, now) ? 'choosing' : 'expired'
  if (invoice.status === 'completed' || invoice.status === 'paid') return invoice.status
  // What was mined in time counts, even if it is confirmed after the end.
  if (invoice.pendingAmount > 0n) return 'seen'
  if (isExpired(invoice, now)) return 'expired'
  return invoice.status === 'partial' ? 'partial' : 'waiting'
}

/** Whether the session of a price may still make an invoice. */
export function mayChoose(
  {
    session,
    offer,
  }: {
    readonly session: Pick<CheckoutSession, 'expiresAt'>
    readonly offer: Pick<Offer, 'isOpen'> | null
  },
  now: Date,
): boolean {
  if (offer === null || !offer.isOpen) return false
  return session.expiresAt === null || session.expiresAt > now
}

/** Whether the payer of a session that ended without any money may have another one of the same price. */
export function mayStartAgain(rows: CheckoutRows, now: Date): boolean {
  const { session, offer, link, payments, authorizations } = rows
  if (session.priceId === null || offer === null || !offer.isOpen) return false
  if (link !== null && !takesPayers(link, now)) return false
  const isEmpty = payments.every(({ status }) => status === 'reverted')
  const isSigned = authorizations.some(({ isClaimed }) => isClaimed)
  return isEmpty && !isSigned && sessionState(rows, now) === 'expired'
}

const DAY_MS = 86_400_000
/** For how long a session is shown after its end. */
export const SHOWN_DAYS_AFTER = 30

/** Whether a session is past what is shown of it: 30 days after it could last be paid in time. */
export function isPast(rows: CheckoutRows, now: Date): boolean {
  const end = sessionEnd(rows)
  const completedAt = currentInvoice(rows)?.completedAt ?? null
  const last = end !== null && completedAt !== null && completedAt > end ? completedAt : end
  const since = last ?? completedAt
  return since !== null && now.getTime() - since.getTime() > SHOWN_DAYS_AFTER * DAY_MS
}

/** The networks on which a payment of the session, signed or mined, waits for blocks. */
export function waitsOn({ payments, authorizations }: CheckoutRows): ReadonlySet<string> {
  const pending = [...payments, ...authorizations].filter(({ status }) => status === 'pending')
  return new Set(pending.map(({ networkId }) => networkId))
}

/** When the session's status will change by time alone; null when it won't. */
export function nextChange(rows: CheckoutRows, now: Date): Date | null {
  const end = sessionEnd(rows)
  return end !== null && end >= now ? end : null
}
