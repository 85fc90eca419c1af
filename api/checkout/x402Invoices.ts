import { priceOfBody } from '../../core/access/costs.ts'
import { AppError } from '../../core/base/errors.ts'
import { parseInvoicePayment } from '../../core/checkout/invoicePayment.ts'
import {
  optionsFor,
  presentDemand,
  presentDemandBody,
  signingTimeout,
} from '../../core/checkout/requirements.ts'
import {
  type CheckoutRows,
  currentInvoice,
  isSessionId,
  type SessionId,
  sessionState,
} from '../../core/checkout/session.ts'
import { X402_INVOICES, x402Url } from '../../core/checkout/url.ts'
import type { CheckoutState } from '../../core/checkout/view.ts'
import { payerDescription } from '../../core/invoice/customer.ts'
import { amountClaimed, amountToSign, type SignatureRefusal } from '../../core/invoice/signature.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { explainReason, isReason, type Reason } from '../../core/x402/reasons.ts'
import { type SettleOutcome, settleAnswer } from '../../core/x402/request/answers.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import { spend } from '../http/budget.ts'
import { openToAll } from '../http/cors.ts'
import { type Exchange, sendJson } from '../http/exchange.ts'
import type { Guards } from '../http/guards.ts'
import type { X402Dependencies } from '../x402/facilitator.ts'
import { awaitInvoicePayment, payInvoice } from '../x402/invoicePayment.ts'
import { deadlineOf, NOTHING_BEGUN } from '../x402/waiting.ts'
import { readSession } from './sessions.ts'

/**
 * Invoices as x402 resources: stock clients of both versions pay at {publicUrl}/x402/invoices/:id. The id is a
 * session's, and as confidential.
 */

interface Visit {
  readonly deps: X402Dependencies
  readonly exchange: Exchange
  readonly id: SessionId
}

/** An invoice, with the rows of its session. */
interface Found {
  readonly rows: CheckoutRows
  /** Null while the payer has not chosen. */
  readonly invoice: Invoice | null
  readonly state: CheckoutState
}

export function x402Invoices(deps: X402Dependencies, guards: Pick<Guards, 'payer'>) {
  return {
    path: `${X402_INVOICES}/:id`,
    async handle(exchange: Exchange, { id }: Readonly<Record<string, unknown>>): Promise<string> {
      openToAll(exchange)
      await guards.payer(exchange)
      if (typeof id !== 'string' || !isSessionId(id)) throw new AppError('session_not_found')
      const visit = { deps, exchange, id }
      const found = await find(visit)
      const { invoice } = found
      const { headers } = exchange.request
      const payment = headers.get('payment-signature') ?? headers.get('x-payment')
      if (payment === null || invoice === null) return requirePayment(visit, found, UNPAID)
      return pay(visit, found, invoice, payment)
    },
  }
}

interface Problem {
  readonly reason: Reason | 'payment_required'
  readonly message: string
}

const UNPAID: Problem = {
  reason: 'payment_required',
  message: 'sign one of `accepts`, and repeat the request with the header PAYMENT-SIGNATURE',
}

/** An invoice's own id names that invoice, also after its payer has chosen another token. */
async function find({ deps, id }: Visit): Promise<Found> {
  const { rows: stored } = await readSession(deps, id)
  const own = (await deps.checkout.names()).invoiceOf(id)
  const isOwn = stored.invoices.some((invoice) => invoice.id === own)
  const rows = isOwn ? { ...stored, session: { ...stored.session, invoiceId: own } } : stored
  return { rows, invoice: currentInvoice(rows), state: sessionState(rows, deps.now()) }
}

/** Executes a payment, or continues to wait for it. */
async function pay(visit: Visit, found: Found, invoice: Invoice, header: string): Promise<string> {
  const { deps, exchange } = visit
  await spend(deps, exchange, priceOfBody(header.length))
  const parsed = parseInvoicePayment(header, invoice, deps.tokens.chains())
  const outcome: SettleOutcome = parsed.ok
    ? await settleInvoice(visit, invoice, parsed.request)
    : { success: false, ...parsed }
  const { payer } = outcome
  exchange.about = outcome.success ? { payer } : { payer, reason: outcome.reason }
  const result = toBase64(settleAnswer(outcome))
  exchange.set.headers['payment-response'] = result
  exchange.set.headers['x-payment-response'] = result
  if (outcome.success) return sendReceipt(visit, invoice, outcome)
  const { reason, message = explainReason(reason) } = outcome
  if (reason === 'settlement_pending') return sendPending(visit, invoice, outcome, message)
  // What was read before the payment is still right, unless the invoice has changed.
  const now = CHANGED.has(reason) ? await find(visit) : found
  return requirePayment(visit, now, { reason, message })
}

/** 402 with what is due now; 409 or 410, with the state, if nothing is, or no longer. */
function requirePayment(visit: Visit, found: Found, { reason, message }: Problem): string {
  const { deps, exchange, id } = visit
  const { invoice, state, rows } = found
  if (invoice === null) {
    return state === 'expired'
      ? sendState(visit, 410, found, GONE)
      : sendState(visit, 409, found, UNCHOSEN)
  }
  if (state === 'paid' || state === 'completed') return sendState(visit, 409, found, PAID)
  const known = rows.authorizations.filter(({ invoiceId }) => invoiceId === invoice.id)
  const due = amountToSign(invoice, amountClaimed(known), deps.now())
  if (state !== 'expired' && due === 0n) return sendState(visit, 409, found, PENDING)
  const maxTimeoutSeconds = signingTimeout(invoice, deps.now())
  if (state === 'expired' || maxTimeoutSeconds === null) return sendState(visit, 410, found, GONE)
  const options = optionsFor(invoice, due, deps.tokens.chains())
  if (options.length === 0) return sendState(visit, 409, found, UNSIGNED)
  const url = x402Url(deps.config.publicUrl, id)
  const description = descriptionOf(rows, invoice)
  const demand = { invoice, options, due, maxTimeoutSeconds, url, description }
  exchange.set.headers['payment-required'] = toBase64(presentDemand(demand, reason))
  const body = { ...presentDemandBody(demand, reason), errorMessage: message }
  return sendJson(exchange, 402, JSON.stringify(body))
}

function descriptionOf({ page, offer }: CheckoutRows, { reference, metadata }: Invoice): string {
  const about = `${page.name}, invoice ${reference}`
  const description = offer?.description ?? payerDescription(metadata)
  return description === null ? about : `${about}: ${description}`
}

const PAID = ['invoice_already_paid', 'the invoice is paid'] as const
const PENDING = ['payment_pending', 'payments of the whole amount are pending'] as const
const GONE = ['invoice_expired', 'the invoice can no longer be paid'] as const
const UNCHOSEN = ['token_not_chosen', 'the payer has not chosen token and chain yet'] as const
const UNSIGNED = ['not_payable_by_x402', 'no chain of the invoice takes signatures'] as const

/** Why an invoice requires no payment, with its state. */
function sendState(
  { exchange }: Visit,
  status: 409 | 410,
  { invoice, state }: Found,
  [error, errorMessage]: readonly [string, string],
): string {
  const body = { error, errorMessage, ...(invoice && namesOf(invoice)), status: state }
  return sendJson(exchange, status, JSON.stringify(body))
}

function namesOf({ id, reference }: Invoice) {
  return { invoiceId: id, reference }
}

async function sendReceipt(
  visit: Visit,
  invoice: Invoice,
  outcome: SettleOutcome & { readonly success: true },
): Promise<string> {
  const { state } = await find(visit)
  const { transaction, network, payer, amount, asset } = settleAnswer(outcome)
  // The ledger records the payment a moment after the relayer.
  const status = state === 'waiting' ? 'seen' : state
  const receipt = { ...namesOf(invoice), status, transaction, network, payer, amount, asset }
  return sendJson(visit.exchange, 200, JSON.stringify(receipt))
}

/**
 * 402 without an option, because the payer must not sign again: the same payment, sent again, continues.
 */
async function sendPending(
  visit: Visit,
  invoice: Invoice,
  { reason, transaction = null }: SettleOutcome & { readonly success: false },
  errorMessage: string,
): Promise<string> {
  const { state } = await find(visit)
  visit.exchange.set.headers['retry-after'] = String(RETRY_AFTER_S)
  const about = { ...namesOf(invoice), status: state, transaction }
  const body = { x402Version: 2, error: reason, errorMessage, accepts: [], ...about }
  return sendJson(visit.exchange, 402, JSON.stringify(body))
}

const RETRY_AFTER_S = 5

function toBase64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

/** Claims the payment and waits for it; the same one again continues. */
async function settleInvoice(
  { deps, exchange }: Visit,
  invoice: Invoice,
  request: PaymentRequest,
): Promise<SettleOutcome> {
  const { authorization, chain, network, signature, requirements } = request
  const deadline = deadlineOf(request, exchange.startedAt)
  const payment = { deps, exchange, invoice, chain, authorization, signature, deadline }
  const payer = authorization.from
  const refused = (reason: Reason, message?: string) => {
    return { success: false, reason, message, network, payer } as const
  }
  const made = { network, payer, asset: requirements.asset, amount: authorization.value }
  const result = await payInvoice({ ...payment, method: 'x402' })
  if (result.type === 'paid') return { success: true, ...made, transaction: result.transaction }
  if (result.type === 'refused') {
    const { reason, message } = result
    if (isReason(reason)) return refused(reason, message)
    const explained = REFUSALS[reason]
    return refused(explained.reason, explained.message)
  }
  const end = await awaitInvoicePayment(payment, result.id, !result.isNew)
  if (end.type === 'withdrawn') return refused('unexpected_settle_error', NOTHING_BEGUN)
  if (end.type === 'pending') {
    return { ...refused('settlement_pending'), transaction: end.transaction }
  }
  const { status, transaction, reason } = end.outcome
  if (status === 'settled' && transaction !== null) return { success: true, ...made, transaction }
  return refused(reason !== null && isReason(reason) ? reason : 'invalid_transaction_state')
}

/** In the codes of x402. */
const REFUSALS: Readonly<Record<SignatureRefusal, { reason: Reason; message: string }>> = {
  not_offered: {
    reason: 'invalid_payment_requirements',
    message: 'this amount of the invoice is not paid by signature on this chain',
  },
  not_payable: { reason: 'invalid_payment_requirements', message: 'nothing of the invoice is due' },
  in_flight: {
    reason: 'invalid_transaction_state',
    message: 'another payment of the invoice is being executed; nothing was sent',
  },
  amount_not_due: {
    reason: 'invalid_exact_evm_payload_authorization_value_mismatch',
    message: 'the amount is not what is due now',
  },
  valid_too_long: {
    reason: 'invalid_exact_evm_payload_authorization_valid_before',
    message: 'the authorization is valid for longer than maxTimeoutSeconds',
  },
  limit_reached: {
    reason: 'unexpected_settle_error',
    message: 'a limit of the day is reached; pay by a transfer of your own, or try again tomorrow',
  },
}

/** Reasons of an invoice that may have changed since it was read. */
const CHANGED: ReadonlySet<Reason> = new Set([
  ...Object.values(REFUSALS).map(({ reason }) => reason),
  'authorization_used',
])
