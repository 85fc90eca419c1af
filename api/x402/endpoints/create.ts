import { type Static, Type } from '@sinclair/typebox'
import { chainsOf } from '../../../core/chain/registry.ts'
import { AppError } from '../../../core/errors.ts'
import {
  differences,
  draftEndpoint,
  MAX_DESCRIPTION_LENGTH,
  MAX_URL_LENGTH,
  presentEndpoint,
} from '../../../core/x402/endpoint.ts'
import { registerEndpoint } from '../../../store/x402/endpoints.ts'
import type { Authenticate } from '../../http/auth.ts'
import { readJsonBody } from '../../http/body.ts'
import { type ApiDependencies, type Exchange, sendJson } from '../../http/exchange.ts'
import { formParser } from '../../http/form.ts'
import {
  type Documented,
  type DocumentedSchema,
  flag,
  jsonBody,
  object,
  responses,
  text,
} from '../../http/schema.ts'
import { ENDPOINT_URL, endpointSchema, requirementsSchema } from './schema.ts'

/** POST /v1/x402/endpoints: specification section 4.2. */

const REQUEST = Type.Object(
  {
    endpointUrl: Type.String(),
    description: Type.Optional(Type.String()),
    asset: Type.String(),
    network: Type.String(),
    amountUsd: Type.Union([Type.Number(), Type.String()]),
    ownTransaction: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const parseRequest = formParser(REQUEST, {
  '': 'must be a JSON object',
  endpointUrl: 'must be a string, e.g. "https://api.example.com/v1/report"',
  description: 'must be a string',
  asset: 'must be a string, e.g. "USDC"',
  network: 'must be a string, e.g. "eip155:84532"',
  amountUsd: 'must be a number or a decimal string, e.g. "0.01"',
  ownTransaction: 'must be true or false',
})

export const descriptionField = text(
  `What the payer gets, at most ${MAX_DESCRIPTION_LENGTH} characters.`,
  'The daily report, one cent',
)
export const amountField: DocumentedSchema = {
  oneOf: [
    { type: 'number', description: 'At most 15 significant digits.', example: 0.01 },
    { type: 'string', description: 'Digits and at most one point.', example: '0.01' },
  ],
  description:
    'The price in US dollars: at most six decimals, and no less than it is worth to send.',
  example: '0.01',
}
export const ownTransactionField = flag(
  'True for a transaction of its own for each payment, which costs more gas than sharing one.',
  false,
)

const requestFields = {
  endpointUrl: text(
    'The URL of the protected route, http or https. Capitals in scheme and host, the default port, ' +
      `a slash at the end, query and fragment make no difference. At most ${MAX_URL_LENGTH} characters.`,
    ENDPOINT_URL,
  ),
  description: descriptionField,
  asset: text('The symbol of the token: `USDC`.', 'USDC'),
  network: text('The chain, as a CAIP-2 identifier or a networkId.', 'eip155:84532'),
  amountUsd: amountField,
  ownTransaction: ownTransactionField,
} satisfies Record<keyof Static<typeof REQUEST>, DocumentedSchema>

const answerSchema = object('The success envelope.', {
  success: flag('True: the request was carried out.', true),
  data: endpointSchema,
  payment_requirements: requirementsSchema,
})

export const createEndpointDetail: Documented = {
  tags: ['x402'],
  summary: 'Register a protected endpoint',
  description:
    'One for each route and price. The first one creates the forwarder that receives the payments, ' +
    'without making the caller wait. The same URL at the same price again answers 200 with the ' +
    'original, or 409 when anything else differs.',
  operationId: 'createX402Endpoint',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(
    object('The endpoint to register.', requestFields, [
      'endpointUrl',
      'asset',
      'network',
      'amountUsd',
    ]),
  ),
  responses: responses(
    {
      200: { description: 'The endpoint that was there.', schema: answerSchema },
      201: { description: 'The new endpoint.', schema: answerSchema },
    },
    [
      'invalid_request_body',
      'unknown_chain',
      'no_supported_chains',
      'unauthorized',
      'endpoint_conflict',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

export function createEndpointRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { config, database, availability } = deps
  const chains = chainsOf(config.environment)

  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const request = parseRequest(await readJsonBody(exchange.request))
    const decision = draftEndpoint(request, config.chains)
    if (!decision.ok) throw new AppError(decision.code, decision.details)
    const { draft } = decision
    const { endpoint, isNew } = await availability.guard(() =>
      registerEndpoint(database, config.hub, merchantId, draft, deps.now()),
    )
    const different = isNew ? [] : differences(draft, endpoint)
    if (different.length > 0) throw new AppError('endpoint_conflict', different)
    if (isNew) deps.wake([endpoint.networkId], { type: 'work_waiting' })
    const data = presentEndpoint(endpoint, chains, config.chains)
    const { payment_requirements } = data
    const body = JSON.stringify({ success: true, data, payment_requirements })
    return sendJson(exchange, isNew ? 201 : 200, body)
  }
}
