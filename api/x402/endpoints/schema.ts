import { asEndpointId } from '../../../core/base/ids.ts'
import type { EndpointJson } from '../../../core/x402/endpoint.ts'
import type { RequirementsJson } from '../../../core/x402/requirements.ts'
import { MERCHANT_ID, USDC } from '../../request/examples.ts'
import { pathId } from '../../request/id.ts'
import {
  address,
  type DocumentedSchema,
  flag,
  integer,
  merchantId,
  named,
  nullable,
  optionalText,
  record,
  text,
  time,
  uuid,
} from '../../request/schema.ts'

/** Endpoints and payment requirements in the OpenAPI document. */

export const ENDPOINT_ID = '0198c1f0-2b6c-7000-8000-6e1d4c9a3b72'
export const FORWARDER = '0x1dF62f291b2E969fB0849d99D9Ce41e2F137006e'
export const ENDPOINT_URL = 'https://api.example.com/v1/report'
const DESCRIPTION = 'The daily report, one cent'

export const ENDPOINT_ID_PARAMETER = pathId(
  'x402 endpoint',
  ENDPOINT_ID,
  'invalid_endpoint_id',
  asEndpointId,
)

const requirementsFields = {
  scheme: text('The scheme, always `exact`.', 'exact', { enum: ['exact'] }),
  network: text('The chain (CAIP-2).', 'eip155:84532'),
  amount: text("The price in the token's smallest unit.", '10000', { pattern: '^[1-9][0-9]*$' }),
  asset: address("The token's contract.", USDC),
  payTo: address('The forwarder that receives the payment.', FORWARDER),
  maxTimeoutSeconds: integer('The validity period of the signature, in seconds.', 300),
  extra: named('PaymentRequirementsExtra', 'Parameters for signing, and the ids of the price.', {
    name: text("The name in the token's EIP-712 domain.", 'USDC'),
    version: text('The version in that domain.', '2'),
    merchantId,
    endpointId: uuid('The endpoint.', ENDPOINT_ID),
  }),
  description: text('The description of the endpoint.', DESCRIPTION),
} satisfies Record<keyof RequirementsJson, DocumentedSchema>

export const requirementsSchema = named(
  'PaymentRequirements',
  'An accepted payment option: put it into the 402 body, and send it back unchanged.',
  requirementsFields,
)

/** Metadata of an endpoint: core/x402/metadata.ts. */
export const discoverySchema = {
  title: 'X402Discovery',
  ...record('Metadata for discovery, at most 8,192 characters.', {
    serviceName: 'Reports',
    tags: ['reports'],
  }),
}

const endpointFields = {
  id: uuid('Identifies the endpoint.', ENDPOINT_ID),
  merchantId: uuid('The merchant who owns it.', MERCHANT_ID),
  endpointUrl: text('The URL of the protected route.', ENDPOINT_URL),
  description: text('What the payer gets.', DESCRIPTION),
  network: text('The chain (CAIP-2).', 'eip155:84532'),
  networkId: text('The same chain by its networkId.', 'base-sepolia'),
  asset: text('The symbol of the token.', 'USDC'),
  assetAddress: address("The token's contract.", USDC),
  amountUsd: optionalText(
    'The price in US dollars, at least two decimals; null for EURC.',
    '0.01',
    {
      pattern: '^(0|[1-9][0-9]*)\\.[0-9]{2,6}$',
    },
  ),
  amount: text("The price in the token's smallest unit.", '10000'),
  payTo: address("The merchant's forwarder, the same on every chain.", FORWARDER),
  active: flag('False once it is deactivated: payments for it are refused.', true),
  ownTransaction: flag('True if each payment has its own transaction.', false),
  acceptsWallets: flag(
    'False if payers with code are refused: contract wallets and delegated accounts.',
    true,
  ),
  discoverable: flag('True if it is listed at /v1/x402/discovery.', false),
  discovery: {
    ...nullable(discoverySchema),
    description: 'The checkout settings.',
    example: null,
  },
  createdAt: time('When it was registered.', '2026-08-01T12:00:00.000Z'),
  updatedAt: time('When it was last changed.', '2026-08-01T12:00:00.000Z'),
  payment_requirements: {
    ...nullable(requirementsSchema),
    description: 'The payment requirements for the 402 body; null if it can not be paid.',
  },
} satisfies Record<keyof EndpointJson, DocumentedSchema>

export const endpointSchema = named('X402Endpoint', 'A price for a URL.', endpointFields)
