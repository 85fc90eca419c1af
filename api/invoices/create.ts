import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../../core/errors.ts'
import { asInvoiceId } from '../../core/ids.ts'
import {
  draftInvoice,
  type InvoiceDecision,
  type InvoiceDraft,
  isSameRequest,
  MAX_DAYS_AHEAD,
  MAX_EXTERNAL_REF_LENGTH,
  MAX_METADATA_BYTES,
  MAX_METADATA_KEYS,
  newInvoice,
} from '../../core/invoice/creation.ts'
import { type InvoiceRows, presentInvoice } from '../../core/invoice/present.ts'
import { WATCHED_RECIPIENT } from '../../core/invoice/recipient.ts'
import { formatReference } from '../../core/keys.ts'
import type { NewInvoice } from '../../store/invoice/creations.ts'
import { findByExternalRef } from '../../store/invoice/invoices.ts'
import type { KeyOwner } from '../../store/merchant/apiKeys.ts'
import type { Receive } from '../http/auth.ts'
import { readJsonBody } from '../http/body.ts'
import { TREASURY } from '../http/examples.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { formParser } from '../http/form.ts'
import {
  type Documented,
  type DocumentedSchema,
  envelope,
  jsonBody,
  list,
  object,
  responses,
  text,
  time,
} from '../http/schema.ts'
import { invoiceSchema } from './schema.ts'

/** POST /v1/invoices: specification section 4.1. */

const REQUEST = Type.Object(
  {
    tokenSymbol: Type.String(),
    amountExpected: Type.Union([Type.Number(), Type.String()]),
    chains: Type.Optional(Type.Array(Type.String())),
    externalRef: Type.Optional(Type.String()),
    recipient: Type.Optional(Type.String()),
    expiresAt: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
)

const parseRequest = formParser(REQUEST, {
  '': 'must be a JSON object',
  tokenSymbol: 'must be a string, e.g. "USDC"',
  amountExpected: 'must be a number or a decimal string, e.g. "12.5"',
  chains: 'must be an array of strings',
  externalRef: 'must be a string',
  recipient: 'must be a string',
  expiresAt: 'must be a string',
  metadata: 'must be an object',
})

const requestFields = {
  tokenSymbol: text('The ticker of the token.', 'USDC'),
  amountExpected: {
    oneOf: [
      { type: 'number', description: 'At most 15 significant digits.', example: 12.5 },
      { type: 'string', description: 'Digits and at most one point.', example: '12.5' },
    ],
    description:
      "What the customer is asked to pay, in the token's major unit: more than 0, and no more " +
      'decimals than the token has.',
    example: '12.5',
  },
  chains: list(
    'The chains to offer; omitted or empty, all chains that have the token.',
    text('The networkId of a chain.', 'base-sepolia'),
  ),
  externalRef: text(`Idempotency key of 1 to ${MAX_EXTERNAL_REF_LENGTH} characters.`, 'order-1042'),
  recipient: text(
    'EVM address that receives the settled funds, all lower case or with its EIP-55 checksum. ' +
      "Omitted, the merchant's own as it stands at settlement.",
    TREASURY,
  ),
  expiresAt: time(
    `When the invoice expires: in the future, at most ${MAX_DAYS_AHEAD} days ahead, with a time ` +
      'zone. Payments in later blocks are late.',
    '2030-01-31T12:00:00Z',
  ),
  metadata: {
    type: 'object',
    additionalProperties: true,
    description:
      `Any key-value pairs, at most ${MAX_METADATA_KEYS} keys and ${MAX_METADATA_BYTES} bytes ` +
      'as JSON; returned in all responses.',
    example: { cart: 'c-77' },
  },
} satisfies Record<keyof Static<typeof REQUEST>, DocumentedSchema>

export const createInvoiceDetail: Documented = {
  tags: ['Invoices'],
  summary: 'Create an invoice',
  description:
    'Gives the invoice one deposit address on each chain. A repeated externalRef answers 200 with ' +
    'the original when all parameters are the same, and 409 when they are not.',
  operationId: 'createInvoice',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(
    object('The invoice to create.', requestFields, ['tokenSymbol', 'amountExpected']),
  ),
  responses: responses(
    {
      200: {
        description: 'The invoice that this externalRef made.',
        schema: envelope(invoiceSchema),
      },
      201: { description: 'The new invoice.', schema: envelope(invoiceSchema) },
    },
    [
      'invalid_request_body',
      'unknown_chain',
      'no_supported_chains',
      'invalid_recipient',
      'unauthorized',
      'external_ref_conflict',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

/** A new invoice in all the forms that it takes. */
interface Composed extends NewInvoice {
  readonly invoiceJson: string
}

/** A request that was read, with the invoice that would come of it. */
type Prepared = { readonly now: Date } & (
  | (InvoiceDecision & { readonly ok: true; readonly composed: Composed })
  | (InvoiceDecision & { readonly ok: false })
)

export function createInvoiceRoute(deps: ApiDependencies, receive: Receive) {
  const { config, database, creations, availability } = deps
  const { registry: chains } = config

  return async (exchange: Exchange): Promise<string> => {
    const { owner, admission } = await receive(exchange)
    const preparation = prepare(exchange, owner)
    // What is wrong with a request matters, and is told, only when the request has been admitted.
    preparation.catch(() => {})
    await admission
    const prepared = await preparation
    if (prepared.ok) return create(exchange, owner, prepared)
    const { outdated, now } = prepared
    const original = outdated ? await repeated(exchange, owner, outdated, now) : null
    if (original !== null) return original
    throw new AppError(prepared.code, prepared.details)
  }

  async function prepare(exchange: Exchange, owner: KeyOwner): Promise<Prepared> {
    // The question to Redis leaves at the end of this turn; the work would hold it up.
    await nextTurn()
    const request = parseRequest(await readJsonBody(exchange.request))
    const now = deps.now()
    const decision = draftInvoice(request, config, now)
    if (!decision.ok) return { ...decision, now }
    return { ...decision, now, composed: compose(owner, decision.draft, now) }
  }

  function compose(owner: KeyOwner, draft: InvoiceDraft, now: Date): Composed {
    const { merchantId, recipient: merchantRecipient } = owner
    const given = {
      id: asInvoiceId(Bun.randomUUIDv7()),
      reference: newReference(),
      merchantId,
      hub: config.hub,
    }
    const invoice = newInvoice(draft, { ...given, now })
    const invoiceJson = JSON.stringify(present({ ...NOTHING_YET, invoice, merchantRecipient }, now))
    const eventJson = `${invoiceJson.slice(0, -1)},"environment":"${config.environment}","version":${invoice.version}}`
    return { invoice, metadataJson: draft.metadataJson, eventJson, invoiceJson }
  }

  async function create(
    exchange: Exchange,
    owner: KeyOwner,
    prepared: Prepared & { readonly ok: true },
  ): Promise<string> {
    const { draft, now } = prepared
    for (let entry = prepared.composed; ; entry = compose(owner, draft, now)) {
      const result = await availability.guard(() => creations.create(entry))
      if (result === 'created') {
        deps.ringNotifier()
        return sendObject(exchange, 201, entry.invoiceJson)
      }
      if (result === 'recipient_watched') {
        const detail = { path: 'recipient', message: WATCHED_RECIPIENT }
        throw new AppError('invalid_recipient', [detail])
      }
      if (result === 'externalRef_taken') {
        const original = await repeated(exchange, owner, draft, now)
        if (original !== null) return original
      }
    }
  }

  /** Answers for an externalRef that was used before; null when it wasn't. */
  async function repeated(
    exchange: Exchange,
    owner: KeyOwner,
    draft: InvoiceDraft,
    now: Date,
  ): Promise<string | null> {
    const { externalRef, metadataJson } = draft
    if (externalRef === null) return null
    const existing = await availability.guard(() =>
      findByExternalRef(database, owner.merchantId, externalRef, metadataJson),
    )
    if (existing === null) return null
    if (!isSameRequest(draft, existing.rows.invoice, existing.hasSameMetadata)) {
      throw new AppError('external_ref_conflict')
    }
    return sendObject(exchange, 200, JSON.stringify(present(existing.rows, now)))
  }

  function present(rows: InvoiceRows, now: Date) {
    return presentInvoice(rows, chains, now)
  }
}

const NOTHING_YET = { payments: [], settlements: [], refunds: [] } as const
/** Enough bytes that ten letters come out of them all but always. */
const REFERENCE_BYTES = 20

function newReference(): string {
  for (;;) {
    const reference = formatReference(crypto.getRandomValues(new Uint8Array(REFERENCE_BYTES)))
    if (reference !== null) return reference
  }
}
