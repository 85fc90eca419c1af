import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError, type ErrorDetail } from '../../core/base/errors.ts'
import { asInvoiceId, type InvoiceId } from '../../core/base/ids.ts'
import { type Quotes, quotesOf } from '../../core/fiat/quote.ts'
import {
  draftInvoice,
  type InvoiceDecision,
  MAX_CHAINS,
  MAX_DAYS_AHEAD,
  MAX_EXTERNAL_REF_LENGTH,
  MAX_METADATA_BYTES,
  MAX_METADATA_KEYS,
  requestDifferences,
} from '../../core/invoice/creation.ts'
import { inToken } from '../../core/invoice/pricing.ts'
import { WATCHED_RECIPIENT } from '../../core/invoice/recipient.ts'
import type { SessionNames } from '../../store/checkout/sessionNames.ts'
import { findByExternalRef, findInvoice } from '../../store/invoice/invoices.ts'
import { guardDatabase } from '../http/backends.ts'
import {
  type ApiDependencies,
  type Exchange,
  sendObject,
  sendObjectJson,
} from '../http/exchange.ts'
import { confirmed, type MerchantCaller, type PendingCaller } from '../http/guards.ts'
import { route } from '../http/route.ts'
import { carryTrace } from '../http/tracing.ts'
import { recipientNotApproved } from '../merchant/approvedRecipients.ts'
import { bodyOf, deferred, type Sent } from '../request/body.ts'
import { TREASURY } from '../request/examples.ts'
import { one } from '../request/responses.ts'
import {
  amountField,
  optional,
  pastedField,
  record,
  text,
  textsField,
  toleranceField,
  wordField,
} from '../request/schema.ts'
import { answered, type Composed, compose } from './compose.ts'
import { currencyField } from './currency.ts'
import { invoiceSchema } from './schema.ts'

const REQUEST = bodyOf('The invoice to create.', {
  tokenSymbol: wordField('The ticker of the token.', 'USDC'),
  amountExpected: amountField(
    "The amount due, in the token's major unit: more than 0. In live, chains whose minimum " +
      'is higher are not offered.',
    '12.5',
  ),
  currency: currencyField,
  chains: optional(
    textsField(
      'The chains to offer; if omitted or empty, all chains with the token. Chains without it, or with a ' +
        'higher minimum, are left out.',
      text('The networkId of a chain.', 'base-sepolia'),
      MAX_CHAINS,
    ),
    { isShown: false },
  ),
  externalRef: optional(
    text(`Idempotency key of 1 to ${MAX_EXTERNAL_REF_LENGTH} characters.`, 'order-1042'),
  ),
  recipient: optional(
    pastedField(
      'The EVM address that receives the settled funds, in lower case or with its EIP-55 checksum. ' +
        "If omitted, the merchant's recipient at settlement.",
      TREASURY,
    ),
    { isShown: false },
  ),
  expiresAt: optional(
    pastedField(
      `When the invoice expires, at most ${MAX_DAYS_AHEAD} days ahead, with a time zone. Payments in ` +
        'later blocks are late.',
      '2030-01-31T12:00:00Z',
      { format: 'date-time' },
    ),
    { isShown: false },
  ),
  underpaymentTolerance: optional(toleranceField(), { isShown: false }),
  metadata: optional(
    record(
      `Any key-value pairs, at most ${MAX_METADATA_KEYS} keys and ${MAX_METADATA_BYTES} bytes as JSON.`,
      { cart: 'c-77' },
    ),
  ),
})

export const createInvoiceRoute = route({
  operation: 'POST /v1/invoices',
  access: 'merchantEarly',
  isIdempotent: true,
  body: deferred(REQUEST),
  summary: 'Create an invoice',
  description:
    'Creates an invoice with one deposit address per chain. Repeating an externalRef returns 200 with the ' +
    'existing invoice if all parameters are the same, otherwise 409.',
  operationId: 'createInvoice',
  successes: {
    200: one('The existing invoice of this externalRef.', invoiceSchema),
    201: one('The new invoice.', invoiceSchema),
  },
  errors: [
    'unknown_chain',
    'no_supported_chains',
    'invalid_recipient',
    'approval_required',
    'external_ref_conflict',
    'rate_unavailable',
  ],
  handle: async (deps, { exchange, caller, body, claim }) => {
    let reading: ReturnType<typeof body> | null = null
    const read = () => (reading ??= body())
    const early = await createForRecalled(deps, exchange, caller, read)
    if (early !== null) return early
    const { owner, admission } = await confirmed(caller)
    const id = claim === null ? undefined : asInvoiceId(claim.objectId)
    const made = claim?.isRepeated && id ? await madeBefore(deps, exchange, owner, id) : null
    if (made !== null) return made
    const preparation = prepare(deps, owner, read, id)
    // Invalid input is reported only after admission, below.
    preparation.catch(() => {})
    await admission
    const prepared = await preparation
    if (prepared.ok) return create(deps, exchange, owner, prepared, id)
    // A request that fails now may repeat one that succeeded, e.g. at another rate.
    const mayBeRepeated = prepared.outdated !== undefined || prepared.request.currency !== undefined
    const original = mayBeRepeated ? await repeated(deps, exchange, owner, prepared) : null
    if (original !== null) return original
    throw new AppError(prepared.code, prepared.details)
  },
})

/**
 * Creates the invoice for the owner that the key had earlier, if it still has: one statement checks that and writes it.
 * Null if nothing was written: the key is then read first.
 */
async function createForRecalled(
  deps: ApiDependencies,
  exchange: Exchange,
  { owner, admission, recalled }: PendingCaller,
  read: () => Promise<Sent<typeof REQUEST>>,
): Promise<string | null> {
  if (recalled === null) return null
  const preparation = prepare(deps, owner, read, undefined)
  const [prepared] = await Promise.all([preparation, admission]).catch(() => [null])
  if (!prepared?.ok) return null
  const entry = { ...prepared.composed, ownedBy: recalled }
  const result = await deps.availability.guard(() => deps.creations.create(entry))
  return result === 'created' ? answerCreated(deps, exchange, entry) : null
}

interface RequestedInvoice {
  readonly request: Sent<typeof REQUEST>
  readonly now: Date
  /** The requested invoice, at these rates. */
  draftBy(quotes: Quotes): InvoiceDecision
}

/** A parsed request, with the invoice that it would create. */
type Prepared = RequestedInvoice &
  (
    | (InvoiceDecision & {
        readonly ok: true
        readonly composed: Composed
        readonly names: SessionNames
      })
    | (InvoiceDecision & { readonly ok: false })
  )

async function prepare(
  deps: ApiDependencies,
  owner: MerchantCaller,
  read: () => Promise<Sent<typeof REQUEST>>,
  id: InvoiceId | undefined,
): Promise<Prepared> {
  // The query to Redis is sent at the end of this turn of the event loop; work here would delay it.
  await nextTurn()
  const [request, names] = await Promise.all([read(), deps.checkout.names()])
  const now = deps.now()
  const terms = { ...deps.config, chains: deps.tokens.chains() }
  const draftBy = (quotes: Quotes): InvoiceDecision => {
    const priced = inToken(request, quotes, now)
    return priced.ok ? draftInvoice(priced.request, terms, now, owner.usualTolerance) : priced
  }
  const requested = { request, now, draftBy }
  const decision = draftBy(deps.rates)
  if (!decision.ok) return { ...requested, ...decision }
  const composed = compose(deps, names, owner, decision.draft, now, id)
  return { ...requested, ...decision, names, composed }
}

async function create(
  deps: ApiDependencies,
  exchange: Exchange,
  owner: MerchantCaller,
  prepared: Prepared & { readonly ok: true },
  id: InvoiceId | undefined,
): Promise<string> {
  const { draft, now, names, composed } = prepared
  for (let entry = composed; ; entry = compose(deps, names, owner, draft, now, id)) {
    const result = await deps.availability.guard(() => deps.creations.create(entry))
    if (result === 'created') return answerCreated(deps, exchange, entry)
    if (result === 'id_taken') {
      const made = await madeBefore(deps, exchange, owner, entry.invoice.id)
      if (made !== null) return made
    }
    if (result === 'recipient_watched') {
      const detail = { path: 'recipient', message: WATCHED_RECIPIENT }
      throw new AppError('invalid_recipient', [detail])
    }
    // An invoice created before approvals were required is returned as before.
    if (result === 'externalRef_taken' || result === 'recipient_not_approved') {
      const original = await repeated(deps, exchange, owner, prepared)
      if (original !== null) return original
    }
    if (result === 'recipient_not_approved') throw recipientNotApproved('recipient')
  }
}

function answerCreated(
  deps: ApiDependencies,
  exchange: Exchange,
  { invoice, invoiceJson }: Composed,
): string {
  deps.wakeNotifier()
  carryTrace(deps, exchange, invoice.id)
  return sendObjectJson(exchange, 201, invoiceJson)
}

/** Returns the invoice of an earlier attempt of the same request; null if there is none. */
async function madeBefore(
  deps: ApiDependencies,
  exchange: Exchange,
  { merchantId }: MerchantCaller,
  id: InvoiceId,
): Promise<string | null> {
  const rows = await guardDatabase(deps, (sql) => findInvoice(sql, merchantId, id))
  if (rows === null) return null
  deps.wakeNotifier()
  return sendObject(exchange, 201, await answered(deps, rows, deps.now()))
}

/** Returns the invoice of an externalRef; null if it is unused. */
async function repeated(
  deps: ApiDependencies,
  exchange: Exchange,
  { merchantId }: MerchantCaller,
  { request, now, draftBy }: RequestedInvoice,
): Promise<string | null> {
  const { externalRef, metadata = {} } = request
  if (externalRef === undefined) return null
  const metadataJson = JSON.stringify(metadata)
  const existing = await guardDatabase(deps, (sql) =>
    findByExternalRef(sql, merchantId, externalRef, metadataJson),
  )
  if (existing === null) return null
  const { rows, hasSameMetadata } = existing
  const { fiat } = rows.invoice
  // A converted amount is compared at its original rate.
  const decision = draftBy(fiat === null ? deps.rates : quotesOf(fiat, deps.rates))
  const draft = decision.ok ? decision.draft : decision.outdated
  if (draft === undefined) return null
  const different = requestDifferences(draft, rows.invoice, hasSameMetadata)
  if (different.length > 0) {
    const { id, reference } = rows.invoice
    const named = ({ path, message }: ErrorDetail) => {
      return { path, message: `${message}: ${id}, reference ${reference}` }
    }
    throw new AppError('external_ref_conflict', different.map(named))
  }
  return sendObject(exchange, 200, await answered(deps, rows, now))
}
