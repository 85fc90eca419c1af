import { MAX_DESCRIPTION_LENGTH, MAX_URL_LENGTH } from '../../../core/base/description.ts'
import { AppError } from '../../../core/base/errors.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import { differences, draftEndpoint, presentEndpoint } from '../../../core/x402/endpoint.ts'
import { registerEndpoint } from '../../../store/x402/endpoints.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendJson } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { bodyOf } from '../../request/body.ts'
import { SUCCESS, type Success } from '../../request/responses.ts'
import {
  amountField,
  flag,
  named,
  optional,
  text,
  urlField,
  wordField,
} from '../../request/schema.ts'
import { discoverySchema, ENDPOINT_URL, endpointSchema, requirementsSchema } from './schema.ts'

/** Fields that can also be changed later. */
export const descriptionField = text(
  `What the payer gets, at most ${MAX_DESCRIPTION_LENGTH} characters.`,
  'The daily report, one cent',
)
export const priceField = amountField(
  'In US dollars, with at most six decimals, and not below the minimum.',
  '0.01',
)
export const unitsField = text('In base units, instead of amountUsd.', '10000')
export const ownTransactionField = flag(
  'True for a separate transaction per payment, which costs more gas.',
  false,
)
export const acceptsWalletsField = flag(
  'False refuses contract wallets and delegated accounts.',
  true,
)

export const discoverableField = flag('True to list it at /v1/x402/discovery.', false)

function answer(description: string): Success {
  const schema = named('RegisteredX402Endpoint', 'The success envelope.', {
    success: SUCCESS,
    data: endpointSchema,
    payment_requirements: requirementsSchema,
  })
  return { description, schema }
}

export const createX402EndpointRoute = route({
  operation: 'POST /v1/x402/endpoints',
  access: 'merchant',
  body: bodyOf('The endpoint to register.', {
    endpointUrl: urlField(
      'The URL of the protected route (http, https, mcp, a2a). The case of scheme and host, the default ' +
        'port, a final slash, query and fragment are ignored; `:name`, `[name]` and `*` in the path ' +
        `match as in stock middleware. At most ${MAX_URL_LENGTH} characters.`,
      ENDPOINT_URL,
    ),
    description: optional(descriptionField),
    asset: wordField('The symbol of the token: `USDC` or `EURC`.', 'USDC'),
    network: wordField('The chain, as a CAIP-2 identifier or a networkId.', 'eip155:84532'),
    amountUsd: optional(priceField),
    amount: optional(unitsField, { isShown: false }),
    ownTransaction: optional(ownTransactionField),
    acceptsWallets: optional(acceptsWalletsField),
    discoverable: optional(discoverableField, { isShown: false }),
    discovery: optional(discoverySchema, { isShown: false }),
  }),
  summary: 'Register a protected endpoint',
  description:
    'Register one for each route and price. The first one creates the forwarder that receives the payments. ' +
    'Repeating the same URL and price returns 200 with the ' +
    'existing endpoint, or 409 if anything else differs.',
  operationId: 'createX402Endpoint',
  successes: { 200: answer('The existing endpoint.'), 201: answer('The new endpoint.') },
  errors: ['unknown_chain', 'no_supported_chains', 'endpoint_conflict'],
  handle: async (deps, { exchange, caller: { merchantId }, body }) => {
    const { config } = deps
    const chains = deps.tokens.chains()
    const decision = draftEndpoint(body, chains)
    if (!decision.ok) throw new AppError(decision.code, decision.details)
    const { draft } = decision
    const { endpoint, isNew } = await guardDatabase(deps, (sql) =>
      registerEndpoint(sql, config.hub, merchantId, draft, deps.now()),
    )
    const different = isNew ? [] : differences(draft, endpoint)
    if (different.length > 0) throw new AppError('endpoint_conflict', different)
    if (isNew) deps.wake([endpoint.networkId], { type: 'work_waiting' })
    const data = presentEndpoint(endpoint, chainsOf(config.environment), chains)
    const { payment_requirements } = data
    const json = JSON.stringify({ success: true, data, payment_requirements })
    return sendJson(exchange, isNew ? 201 : 200, json)
  },
})
