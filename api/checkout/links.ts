import { asPaymentLinkId, asPriceId, isUuid, type PriceId } from '../../core/base/ids.ts'
import { parseInstant } from '../../core/base/instant.ts'
import { linkProblems, MAX_USES, presentLink } from '../../core/checkout/link.ts'
import { changeLink, createLink, findLink, listLinks } from '../../store/checkout/links.ts'
import { findPrice } from '../../store/checkout/prices.ts'
import { guardDatabase, reading } from '../http/backends.ts'
import { found } from '../http/errors.ts'
import { sendObject, sendPage } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf, invalidBody, refined } from '../request/body.ts'
import { listQuery, PAGED } from '../request/page.ts'
import { one, paged } from '../request/responses.ts'
import { flag, integer, optional, pastedField } from '../request/schema.ts'
import { linkSchema, PAYMENT_LINK_ID_PARAMETER, PRICE_ID } from './schema.ts'

/** Payment links: POST, GET and PATCH /v1/payment-links. */

const priceField = pastedField('The price to pay.', PRICE_ID, { format: 'uuid' })
const limitsFields = {
  usesLimit: optional(
    integer('The maximum number of payments; unlimited if omitted.', 100, {
      minimum: 1,
      maximum: MAX_USES,
    }),
  ),
  endsAt: optional(
    pastedField('When it stops accepting payers, with a time zone.', '2030-01-31T12:00:00Z', {
      format: 'date-time',
    }),
  ),
}

interface SentLink {
  readonly price?: string
  readonly usesLimit?: number
  readonly endsAt?: string
}

/** Parses the fields of both requests. Throws \`invalid_request_body\`. */
function parsed<T extends SentLink>(sent: T) {
  const { price, endsAt } = sent
  const details = linkProblems(sent)
  if (price !== undefined && !isUuid(price)) {
    details.push({ path: 'price', message: 'must be a UUID' })
  }
  if (details.length > 0) throw invalidBody(details)
  const priceId: PriceId | undefined = price === undefined ? undefined : asPriceId(price)
  const end = endsAt === undefined ? null : parseInstant(endsAt)
  return { ...sent, priceId, endsAt: end ?? undefined }
}

export const createLinkRoute = route({
  operation: 'POST /v1/payment-links',
  access: 'merchant',
  isIdempotent: true,
  body: refined(bodyOf('The link to create.', { price: priceField, ...limitsFields }), (sent) => ({
    ...parsed(sent),
    priceId: parsed(sent).priceId ?? asPriceId(sent.price),
  })),
  summary: 'Create a payment link',
  description:
    'A permanent URL at which any payer can pay a price, each in a session of its own. ' +
    'Append `/qr` for its QR code as SVG.',
  operationId: 'createPaymentLink',
  successes: { 201: one('The new link.', linkSchema) },
  errors: ['price_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, body, claim }) => {
    const { priceId, usesLimit = null, endsAt = null } = body
    const id = asPaymentLinkId(claim?.objectId ?? Bun.randomUUIDv7())
    const now = deps.now()
    const link = await guardDatabase(deps, (sql) =>
      createLink(sql, merchantId, id, { priceId, usesLimit, endsAt }, now),
    )
    const data = presentLink(found(link, 'price_not_found'), deps.config.publicUrl, now)
    return sendObject(exchange, 201, data)
  },
})

export const listLinksRoute = route({
  operation: 'GET /v1/payment-links',
  access: 'merchant',
  query: listQuery({}),
  summary: 'List payment links',
  description: `The payment links of the merchant, the newest first. ${PAGED}`,
  operationId: 'listPaymentLinks',
  successes: { 200: paged('One page of the list.', linkSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page } }) => {
    const links = await guardDatabase(deps, (sql) => listLinks(sql, merchantId, page))
    const now = deps.now()
    return sendPage(exchange, page, links, (link) => presentLink(link, deps.config.publicUrl, now))
  },
})

const readLink = reading(findLink, 'payment_link_not_found')

export const getLinkRoute = route({
  operation: 'GET /v1/payment-links/:id',
  access: 'merchant',
  ids: { id: PAYMENT_LINK_ID_PARAMETER },
  summary: 'Get a payment link',
  description: 'The link, with its number of payments.',
  operationId: 'getPaymentLink',
  successes: { 200: one('The link.', linkSchema) },
  errors: ['payment_link_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const link = await readLink(deps, merchantId, ids.id)
    return sendObject(exchange, 200, presentLink(link, deps.config.publicUrl, deps.now()))
  },
})

export const changeLinkRoute = route({
  operation: 'PATCH /v1/payment-links/:id',
  access: 'merchant',
  ids: { id: PAYMENT_LINK_ID_PARAMETER },
  body: refined(
    bodyOf('The fields to change.', {
      price: optional(priceField),
      ...limitsFields,
      active: optional(flag('False deactivates the link, true activates it.', true)),
    }),
    parsed,
  ),
  summary: 'Change a payment link',
  description:
    'Changes the given fields. The price can be changed too, so printed links stay valid.',
  operationId: 'changePaymentLink',
  successes: { 200: one('The changed link.', linkSchema) },
  errors: ['payment_link_not_found', 'price_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const now = deps.now()
    const { priceId } = body
    const link = await guardDatabase(deps, async (sql) => {
      found(await findLink(sql, merchantId, ids.id), 'payment_link_not_found')
      if (priceId) found(await findPrice(sql, merchantId, priceId), 'price_not_found')
      return changeLink(sql, merchantId, ids.id, body, now)
    })
    const shown = found(link, 'payment_link_not_found')
    return sendObject(exchange, 200, presentLink(shown, deps.config.publicUrl, now))
  },
})
