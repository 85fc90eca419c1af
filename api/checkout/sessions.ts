import { AppError, type ErrorDetail } from '../../core/base/errors.ts'
import {
  asInvoiceId,
  asPriceId,
  type InvoiceId,
  isUuid,
  type PriceId,
} from '../../core/base/ids.ts'
import { type CheckoutTerms, presentCheckout } from '../../core/checkout/present.ts'
import { checkReturnUrl } from '../../core/checkout/returning.ts'
import { isPast, type SessionId } from '../../core/checkout/session.ts'
import { checkoutUrl } from '../../core/checkout/url.ts'
import type { CheckoutView } from '../../core/checkout/view.ts'
import { MAX_EXTERNAL_REF_LENGTH } from '../../core/invoice/creation.ts'
import type { KeyOwner } from '../../store/access/apiKeys.ts'
import { findOwnInvoice, readOrigins } from '../../store/checkout/merchants.ts'
import {
  findFormer,
  findSession,
  openPriceSession,
  sessionOfInvoice,
  setReturnUrl,
} from '../../store/checkout/sessions.ts'
import { guardDatabase } from '../http/backends.ts'
import { requireOrigin } from '../http/cors.ts'
import { found } from '../http/errors.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf, invalidBody, refined } from '../request/body.ts'
import { isNamed } from '../request/entityTag.ts'
import { INVOICE_ID } from '../request/examples.ts'
import { one } from '../request/responses.ts'
import { optional, pastedField, text } from '../request/schema.ts'
import { PRICE_ID, SESSION_ID_PARAMETER, sessionSchema, viewSchema } from './schema.ts'

/** POST /v1/checkout/sessions and the public view of one. */

/** A publishable key is public, so a reference sent with it must be hard to guess. */
const LEAST_PUBLIC_REFERENCE = 16

const REQUEST = bodyOf('The price or the invoice to pay.', {
  price: optional(pastedField('The price to pay.', PRICE_ID, { format: 'uuid' })),
  invoice: optional(
    pastedField('The invoice to pay; with the secret key only.', INVOICE_ID, { format: 'uuid' }),
    { isShown: false },
  ),
  clientReference: optional(
    text(
      `Idempotency key of 1 to ${MAX_EXTERNAL_REF_LENGTH} characters: the same price and reference ` +
        'return the same session, until it ends unpaid. With the publishable key at least ' +
        `${LEAST_PUBLIC_REFERENCE} characters, hard to guess: it gives access to the session.`,
      'f0a1c9e2-5b7d-4a68-9c3e-1d2f4b6a8c0e',
    ),
  ),
  returnUrl: optional(
    text(
      'The URL that the payer returns to, on one of the allowed origins.',
      'https://shop.example/thanks',
      { format: 'uri' },
    ),
    { isShown: false },
  ),
})

type SessionBody =
  | {
      readonly priceId: PriceId
      readonly invoiceId: null
      readonly clientReference: string | null
      readonly returnUrl: string | null
    }
  | { readonly priceId: null; readonly invoiceId: InvoiceId; readonly returnUrl: string | null }

export const createSessionRoute = route({
  operation: 'POST /v1/checkout/sessions',
  access: 'anyKey',
  isCrossOrigin: true,
  body: refined(REQUEST, (sent): SessionBody => {
    const { price, invoice, clientReference = null, returnUrl = null } = sent
    const details: ErrorDetail[] = []
    if ((price === undefined) === (invoice === undefined)) {
      details.push({ path: 'price', message: 'or `invoice` is required, but not both' })
    }
    for (const [path, id] of Object.entries({ price, invoice })) {
      if (id !== undefined && !isUuid(id)) details.push({ path, message: 'must be a UUID' })
    }
    const length = clientReference === null ? 1 : [...clientReference].length
    if (length < 1 || length > MAX_EXTERNAL_REF_LENGTH) {
      const message = `must have 1 to ${MAX_EXTERNAL_REF_LENGTH} characters`
      details.push({ path: 'clientReference', message })
    }
    if (invoice !== undefined && clientReference !== null) {
      const message = 'must be sent with a price only: an invoice has one session'
      details.push({ path: 'clientReference', message })
    }
    if (details.length > 0) throw invalidBody(details)
    return price === undefined
      ? { priceId: null, invoiceId: asInvoiceId(invoice ?? ''), returnUrl }
      : { priceId: asPriceId(price), invoiceId: null, clientReference, returnUrl }
  }),
  summary: 'Create a checkout session',
  description:
    'Creates a page on which a payer pays a price or an invoice. A browser may call this with the ' +
    'publishable key, from the allowed origins, and only for a price. The invoice is created when the payer ' +
    'continues from the first view.',
  operationId: 'createCheckoutSession',
  successes: {
    200: one('The existing session.', sessionSchema),
    201: one('The new session.', sessionSchema),
  },
  errors: [
    'origin_not_allowed',
    'price_not_found',
    'invoice_not_found',
    'price_not_active',
    'client_reference_conflict',
  ],
  handle: async (deps, { exchange, caller, body }) => {
    const { merchantId, kind } = caller
    const byPublishable = kind === 'publishable'
    const origins = await guardDatabase(deps, (sql) => readOrigins(sql, merchantId))
    if (byPublishable) {
      requireOrigin(exchange, deps.config.publicUrl, origins)
      refuseForBrowsers(body)
    }
    const { returnUrl } = body
    if (returnUrl !== null) {
      const checked = checkReturnUrl(returnUrl, deps.config.environment, origins)
      if (!checked.ok) throw invalidBody([{ path: 'returnUrl', message: checked.message }])
    }
    const { id, formerId, isNew } =
      body.priceId === null
        ? await openForInvoice(deps, caller, body)
        : await openForPrice(deps, { ...body, merchantId, byPublishable, linkId: null })
    const view = await readCheckoutView(deps, id)
    const url = checkoutUrl(deps.config.publicUrl, id)
    const { expiresAt } = view
    const data = { id, url, expiresAt, formerSession: formerId, view }
    return sendObject(exchange, isNew ? 201 : 200, data)
  },
})

export const getSessionRoute = route({
  operation: 'GET /v1/checkout/sessions/:id',
  access: 'payer',
  ids: { id: SESSION_ID_PARAMETER },
  isCrossOrigin: true,
  summary: 'Read a checkout session',
  description:
    "The payer's view; no key is needed. With the ETag in If-None-Match, the response is 304 if nothing but " +
    '`now` has changed.',
  operationId: 'getCheckoutSession',
  successes: { 200: one('The view.', viewSchema) },
  responses: { 304: { description: 'Not modified.' } },
  errors: ['session_not_found', 'origin_not_allowed'],
  handle: async (deps, { exchange, ids }) => {
    const { view } = await readForPage(deps, exchange, ids.id)
    const tag = tagOf(view)
    exchange.set.headers.etag = tag
    exchange.set.headers['cache-control'] = 'no-cache'
    if (isNamed(tag, exchange.request.headers)) {
      exchange.set.status = 304
      return ''
    }
    return sendObject(exchange, 200, view)
  },
})

/**
 * The payer's view of a session, or of the session of an invoice's public id. Throws
 * `session_not_found`, also for one that ended long ago.
 */
export async function readCheckoutView(
  deps: ApiDependencies,
  id: SessionId,
): Promise<CheckoutView> {
  return (await readSession(deps, id)).view
}

/** The same, with the rows that the view is derived from. */
export async function readSession(deps: ApiDependencies, id: SessionId) {
  const now = deps.now()
  const { checkout, availability } = deps
  const read = (sessionId: SessionId) => availability.guard(() => checkout.read(sessionId))
  const rows = (await read(id)) ?? (await read(await resolve(deps, id)))
  if (rows === null || isPast(rows, now)) throw new AppError('session_not_found')
  return { rows, view: presentCheckout(rows, termsOf(deps), now) }
}

/** The same for a script on our page or on an allowed origin. */
export async function readForPage(deps: ApiDependencies, exchange: Exchange, id: SessionId) {
  const session = await readSession(deps, id)
  requireOrigin(exchange, deps.config.publicUrl, session.rows.page.allowedOrigins)
  return session
}

/**
 * Creates another session for the payer of one that ended unpaid, with the same price and
 * reference. Throws `choice_not_possible` if the merchant no longer offers it.
 */
export async function startAgain(deps: ApiDependencies, id: SessionId): Promise<SessionId> {
  const { rows, view } = await readSession(deps, id)
  const former =
    view.canStartAgain && (await guardDatabase(deps, (sql) => findFormer(sql, rows.session.id)))
  if (!former) throw new AppError('choice_not_possible')
  return (await openForPrice(deps, former)).id
}

/** What may be chosen from now, and what was known before. */
export function termsOf({ config, tokens }: ApiDependencies): CheckoutTerms {
  return { chains: tokens.chains(), registry: config.registry, publicUrl: config.publicUrl }
}

async function resolve(deps: ApiDependencies, id: SessionId): Promise<SessionId> {
  const names = await deps.checkout.names()
  const found = await guardDatabase(deps, (sql) => findSession(sql, names, id, deps.now()))
  if (found === null) throw new AppError('session_not_found')
  return found
}

interface Opened {
  readonly id: SessionId
  readonly formerId: SessionId | null
  readonly isNew: boolean
}

async function openForPrice(
  deps: ApiDependencies,
  request: Parameters<typeof openPriceSession>[1],
): Promise<Opened> {
  const opened = await guardDatabase(deps, (sql) => openPriceSession(sql, request, deps.now()))
  if (!opened.ok) throw new AppError(opened.code, opened.details)
  const { id, formerId } = opened.session
  return { id, formerId, isNew: opened.isNew }
}

async function openForInvoice(
  deps: ApiDependencies,
  { merchantId }: KeyOwner,
  { invoiceId, returnUrl }: { readonly invoiceId: InvoiceId; readonly returnUrl: string | null },
): Promise<Opened> {
  const names = await deps.checkout.names()
  const name = names.ofInvoice(invoiceId)
  return guardDatabase(deps, async (sql) => {
    const invoice = await findOwnInvoice(sql, merchantId, invoiceId)
    found(invoice, 'invoice_not_found')
    const id = found(await sessionOfInvoice(sql, invoiceId, name, deps.now()), 'invoice_not_found')
    if (returnUrl !== null) await setReturnUrl(sql, id, returnUrl)
    return { id, formerId: null, isNew: false }
  })
}

function refuseForBrowsers(body: SessionBody): void {
  if (body.priceId === null) {
    throw invalidBody([
      { path: 'invoice', message: 'requires the secret key: send a price instead' },
    ])
  }
  const { clientReference } = body
  if (clientReference === null || [...clientReference].length >= LEAST_PUBLIC_REFERENCE) return
  const message =
    `must have at least ${LEAST_PUBLIC_REFERENCE} characters with the publishable key, and be hard ` +
    'to guess, e.g. crypto.randomUUID()'
  throw invalidBody([{ path: 'clientReference', message }])
}

/** Changes with every visible change except the clock. */
function tagOf(view: CheckoutView): string {
  const text = JSON.stringify({ ...view, now: '' })
  return `"${Bun.hash(text).toString(36)}"`
}
