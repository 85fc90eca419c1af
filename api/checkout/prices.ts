import { AppError } from '../../core/base/errors.ts'
import { asPriceId } from '../../core/base/ids.ts'
import {
  draftPrice,
  LEAST_EXPIRY_S,
  MAX_DESCRIPTION_LENGTH,
  MOST_EXPIRY_S,
  presentPrice,
} from '../../core/checkout/price.ts'
import { MAX_CHAINS } from '../../core/invoice/creation.ts'
import { createPrice, findPrice } from '../../store/checkout/prices.ts'
import { guardDatabase, reading } from '../http/backends.ts'
import { sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { currencyField } from '../invoice/currency.ts'
import { bodyOf } from '../request/body.ts'
import { one } from '../request/responses.ts'
import {
  amountField,
  flag,
  integer,
  optional,
  record,
  text,
  textsField,
  toleranceField,
  withMessage,
} from '../request/schema.ts'
import { PRICE_ID_PARAMETER, priceSchema } from './schema.ts'

/** POST /v1/prices and GET /v1/prices/:id. */

const MAX_TOKENS = 20

export const descriptionField = optional(
  text(
    `What is bought, as the payer reads it: 1 to ${MAX_DESCRIPTION_LENGTH} characters.`,
    'Three months of tea',
  ),
)
export const expiresAfterField = optional(
  withMessage(
    'must be a whole number of seconds',
    integer("The payment window, in seconds; omitted, the merchant's default.", 3600, {
      minimum: LEAST_EXPIRY_S,
      maximum: MOST_EXPIRY_S,
    }),
  ),
)
export const metadataField = optional(
  record(
    'The metadata of each invoice. `checkout` is added, with session, price and clientReference.',
    { plan: 'tea-3' },
  ),
)

export const createPriceRoute = route({
  operation: 'POST /v1/prices',
  access: 'merchant',
  isIdempotent: true,
  body: bodyOf('The price to create.', {
    amount: amountField("The amount due, in the tokens' major unit.", '12.5'),
    currency: currencyField,
    tokens: textsField(
      'The tokens that the payer may choose from, all of the same value.',
      text('The ticker of a token.', 'USDC'),
      MAX_TOKENS,
    ),
    chains: optional(
      textsField(
        'The chains to offer. If omitted or empty, all chains that have the token and accept the amount.',
        text('The networkId of a chain.', 'base-sepolia'),
        MAX_CHAINS,
      ),
      { isShown: false },
    ),
    description: descriptionField,
    expiresAfter: expiresAfterField,
    metadata: metadataField,
    reusable: optional(
      flag('False for a price that can be paid once, e.g. one order. True by default.', true),
    ),
    underpaymentTolerance: optional(toleranceField(), { isShown: false }),
  }),
  summary: 'Create a price',
  description:
    'Checkout sessions are created from prices, so that a browser with the publishable key never chooses an ' +
    'amount. The amount is immutable: create another price instead.',
  operationId: 'createPrice',
  successes: { 201: one('The new price.', priceSchema) },
  errors: ['unknown_chain', 'no_supported_chains'],
  handle: async (deps, { exchange, caller: { merchantId }, body, claim }) => {
    const decision = draftPrice(body, { chains: deps.tokens.chains() }, deps.rates)
    if (!decision.ok) throw new AppError(decision.code, decision.details)
    const { draft } = decision
    const id = asPriceId(claim?.objectId ?? Bun.randomUUIDv7())
    const price = await guardDatabase(deps, (sql) =>
      createPrice(sql, merchantId, id, draft, deps.now()),
    )
    return sendObject(exchange, 201, presentPrice(price))
  },
})

const readPrice = reading(findPrice, 'price_not_found')

export const getPriceRoute = route({
  operation: 'GET /v1/prices/:id',
  access: 'merchant',
  ids: { id: PRICE_ID_PARAMETER },
  summary: 'Get a price',
  description: 'The price.',
  operationId: 'getPrice',
  successes: { 200: one('The price.', priceSchema) },
  errors: ['price_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const price = await readPrice(deps, merchantId, ids.id)
    return sendObject(exchange, 200, presentPrice(price))
  },
})
