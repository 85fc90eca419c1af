import { AppError } from '../../core/base/errors.ts'
import { presentPrice, priceProblems } from '../../core/checkout/price.ts'
import { changePrice, deletePrice, listPrices } from '../../store/checkout/prices.ts'
import { guardDatabase } from '../http/backends.ts'
import { found } from '../http/errors.ts'
import { sendObject, sendPage } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf, invalidBody } from '../request/body.ts'
import { listQuery, PAGED } from '../request/page.ts'
import { one, paged } from '../request/responses.ts'
import { flag, object, optional, uuid } from '../request/schema.ts'
import { descriptionField, expiresAfterField, metadataField } from './prices.ts'
import { PRICE_ID, PRICE_ID_PARAMETER, priceSchema } from './schema.ts'

/** Listing, changing and deleting prices. */

export const listPricesRoute = route({
  operation: 'GET /v1/prices',
  access: 'merchant',
  query: listQuery({}),
  summary: 'List prices',
  description: `The prices of the merchant, the newest first. ${PAGED}`,
  operationId: 'listPrices',
  successes: { 200: paged('One page of the list.', priceSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page } }) => {
    const prices = await guardDatabase(deps, (sql) => listPrices(sql, merchantId, page))
    return sendPage(exchange, page, prices, presentPrice)
  },
})

export const changePriceRoute = route({
  operation: 'PATCH /v1/prices/:id',
  access: 'merchant',
  ids: { id: PRICE_ID_PARAMETER },
  body: bodyOf('The fields to change.', {
    description: descriptionField,
    expiresAfter: expiresAfterField,
    metadata: metadataField,
    active: optional(flag('False: creates no new invoices. True: creates them again.', true)),
  }),
  summary: 'Change a price',
  description: 'Changes the given fields. Existing invoices stay as they are.',
  operationId: 'changePrice',
  successes: { 200: one('The changed price.', priceSchema) },
  errors: ['price_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const details = priceProblems(body)
    if (details.length > 0) throw invalidBody(details)
    const price = await guardDatabase(deps, (sql) =>
      changePrice(sql, merchantId, ids.id, body, deps.now()),
    )
    return sendObject(exchange, 200, presentPrice(found(price, 'price_not_found')))
  },
})

export const deletePriceRoute = route({
  operation: 'DELETE /v1/prices/:id',
  access: 'merchant',
  ids: { id: PRICE_ID_PARAMETER },
  summary: 'Delete a price',
  description: 'It creates no new invoices. Existing ones can still be paid.',
  operationId: 'deletePrice',
  successes: {
    200: one(
      'The price was deleted.',
      object('The deleted price.', {
        id: uuid('The id of the price.', PRICE_ID),
        deleted: flag('Always true.', true),
      }),
    ),
  },
  errors: ['price_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids: { id } }) => {
    const isDeleted = await guardDatabase(deps, (sql) =>
      deletePrice(sql, merchantId, id, deps.now()),
    )
    if (!isDeleted) throw new AppError('price_not_found')
    return sendObject(exchange, 200, { id, deleted: true })
  },
})
