import { REASONS } from '../../core/x402/reasons.ts'
import { PAYER, USDC } from '../http/examples.ts'
import {
  type Documented,
  type DocumentedSchema,
  flag,
  integer,
  object,
  optionalTime,
  responses,
  text,
  uuid,
} from '../http/schema.ts'

/** How verify and settle are described in the OpenAPI document. */

const NONCE = `0x${'5c'.repeat(32)}`
const FORWARDER = '0x1Be31A94361a391bBaFB2a4CCd704F57dc04d4bb'

const requirements: DocumentedSchema = {
  type: 'object',
  description:
    'One accepted payment option, unchanged as it was in the 402 response. v1 names the price ' +
    'maxAmountRequired and the network by its name.',
  example: {
    scheme: 'exact',
    network: 'eip155:84532',
    amount: '10000',
    asset: USDC,
    payTo: FORWARDER,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2' },
  },
}

const payload: DocumentedSchema = {
  description:
    'The payment that the client sent: the header X-PAYMENT as it came (base64), or the object in ' +
    'it, as stock clients of x402 v1 and v2 send it.',
  example: {
    x402Version: 2,
    accepted: requirements.example,
    payload: {
      signature: `0x${'ab'.repeat(64)}1b`,
      authorization: {
        from: PAYER.toLowerCase(),
        to: FORWARDER,
        value: '10000',
        validAfter: '0',
        validBefore: '1790000300',
        nonce: NONCE,
      },
    },
  },
}

const requestBody = {
  required: true,
  content: {
    'application/json': {
      schema: object('A payment and what was asked for.', {
        x402Version: integer('The protocol version: 1 or 2.', 2, { minimum: 1, maximum: 2 }),
        paymentPayload: payload,
        paymentRequirements: requirements,
      }),
    },
  },
}

const reason = (description: string) =>
  text(description, 'insufficient_funds', { enum: [...REASONS] })

const verifyResult = object(
  'The verdict.',
  {
    isValid: flag('Whether the payment could be settled now.', true),
    payer: text('The payer, in lower case.', PAYER.toLowerCase()),
    invalidReason: reason('Why not; only when isValid is false.'),
    invalidMessage: text('The same for people.', 'the payer does not have enough of the token'),
  },
  ['isValid'],
)

const settleResult = object(
  'The result.',
  {
    success: flag('Whether the payment was settled, and this call is the one that is told.', true),
    transaction: text('The transaction hash; empty when there is none.', `0x${'7f'.repeat(32)}`),
    network: text('The network, as the caller names it.', 'eip155:84532'),
    payer: text('The payer, in lower case.', PAYER.toLowerCase()),
    amount: text("In the token's base units.", '10000'),
    asset: text('The token.', USDC),
    paymentId: uuid('The payment.', '0192f0c1-2b8e-7c3a-9d54-1f2e3a4b5c6d'),
    settledAt: optionalTime('When it was settled.', '2026-08-14T09:30:00.000Z'),
    error: reason('Why not; only when success is false. Also as errorReason and error_reason.'),
    errorMessage: text('The same for people.', 'the payer does not have enough of the token'),
  },
  ['success', 'transaction', 'network', 'settledAt'],
)

const FAULTS = ['unauthorized', 'body_too_large', 'service_unavailable'] as const

export const verifyDetail: Documented = {
  tags: ['x402'],
  summary: 'Verify a payment',
  description:
    'Says whether a payment could be settled now. Always 200: look at `isValid`. Needs no key.',
  operationId: 'verifyPayment',
  security: [{}, { secretKey: [] }],
  requestBody,
  responses: responses({ 200: { description: 'The verdict.', schema: verifyResult } }, FAULTS),
}

export const settleDetail: Documented = {
  tags: ['x402'],
  summary: 'Settle a payment',
  description:
    'Carries a payment out on-chain and waits for it. Always 200: look at `success`. One success is ' +
    'told per payment; `duplicate_settlement` after it. On `settlement_pending` repeat the call: it ' +
    'waits on and never pays twice. Needs no key.',
  operationId: 'settlePayment',
  security: [{}, { secretKey: [] }],
  requestBody,
  responses: responses({ 200: { description: 'The result.', schema: settleResult } }, FAULTS),
}
