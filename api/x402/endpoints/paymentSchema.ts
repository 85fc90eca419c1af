import { asEndpointId, asX402PaymentId } from '../../../core/base/ids.ts'
import type { X402PaymentJson, X402StatusJson } from '../../../core/x402/presentPayment.ts'
import { REASONS } from '../../../core/x402/reasons.ts'
import { PAYER, USDC } from '../../request/examples.ts'
import { pathId } from '../../request/id.ts'
import {
  addressParameter,
  hashParameter,
  idParameter,
  networkParameter,
  wordParameter,
} from '../../request/parameter.ts'
import {
  address,
  amount,
  type DocumentedSchema,
  flag,
  integer,
  merchantId,
  named,
  nullable,
  optionalText,
  optionalTime,
  partial,
  text,
  time,
  transactionHash,
  uuid,
} from '../../request/schema.ts'
import { ENDPOINT_ID, FORWARDER } from './schema.ts'

/** x402 payments in the OpenAPI document. */

const PAYMENT_ID = '0198c1f3-5d10-7000-8000-a2b7c49e6f31'
const DISTRIBUTION_ID = '0198c1f4-77aa-7000-8000-0d5e8b2c9f46'
const NONCE = '0x8c1f2b7a6d5e4c3b2a190807f6e5d4c3b2a1908f7e6d5c4b3a29180706f5e4d3'

export const STATUSES: readonly X402PaymentJson['status'][] = ['pending', 'settled', 'failed']

export const PAYMENT_ID_PARAMETER = pathId(
  'payment',
  PAYMENT_ID,
  'invalid_payment_id',
  asX402PaymentId,
)

const NONCE_TEXT = text('The nonce of the signed authorization, 32 bytes.', NONCE, {
  pattern: '^0x[0-9a-fA-F]{64}$',
})

/** The filters of payments. */
export const nonceParameter = wordParameter(NONCE_TEXT)
export const nonceFilter = hashParameter(NONCE_TEXT)
export const CHOICES = {
  payer: addressParameter(text('Only payments by this address.', PAYER.toLowerCase())),
  network: networkParameter(
    'Only payments on this chain, by CAIP-2 identifier or networkId.',
    'eip155:84532',
  ),
  endpointId: idParameter('Only payments for this endpoint.', ENDPOINT_ID, asEndpointId),
}

/** The reason of a refusal or failure. */
export const reasonField = (description: string) => ({
  title: 'X402Reason',
  ...text(description, 'insufficient_funds', { enum: [...REASONS] }),
})

const shared = {
  transaction: nullable(transactionHash('Null until it is mined.')),
  network: text('The chain (CAIP-2).', 'eip155:84532'),
  payer: text('The address that pays, in lower case.', PAYER.toLowerCase()),
  amount: amount('The amount, with at least two decimals.', '0.01'),
  asset: address("The token's contract.", USDC),
  payTo: address('The recipient: the forwarder, or your own address.', FORWARDER),
  endpointId: optionalText('The paid endpoint; null if there is none.', ENDPOINT_ID, {
    format: 'uuid',
  }),
  error: { ...nullable(reasonField('Why it failed; null if it did not.')), example: null },
  settledAt: optionalTime('When it was executed.', '2026-08-01T12:00:02.000Z'),
}

const paymentFields = {
  ...shared,
  id: uuid('Identifies the payment.', PAYMENT_ID),
  merchantId,
  status: text('The status.', 'settled', { enum: [...STATUSES] }),
  networkId: text('The same chain by its networkId.', 'base-sepolia'),
  tokenSymbol: text('The symbol of the token.', 'USDC'),
  scheme: text('`exact` or `upto`.', 'exact'),
  permitted: optionalText(
    'The maximum that the payer permitted by Permit2; null for EIP-3009.',
    '0.02',
  ),
  nonce: text('The nonce of the signed authorization.', NONCE),
  logIndex: nullable(
    integer("The index of the transfer's log in its block; null until it is mined.", 4),
  ),
  blockNumber: nullable(integer('Its block; null until mined.', 31_415_930)),
  distributionId: optionalText("The forwarder's payout that includes it.", DISTRIBUTION_ID, {
    format: 'uuid',
  }),
  fee: optionalText("Its share of that payout's fee; null before that.", '0.00005'),
  direct: flag('True if it was paid to your own address.', false),
  feeOwed: amount('The fee that you owe for it, if direct.', '0.00'),
  merchantAmount: optionalText("The merchant's part; null before that.", '0.00995'),
  refundedAmount: amount('The refunded part.', '0.00'),
  refundingAmount: amount('The part of pending refunds.', '0.00'),
  validAfter: text('The authorization is valid after this Unix time.', '1785585600'),
  validBefore: text('The authorization is valid before this Unix time.', '1785585900'),
  createdAt: time('When it was claimed.', '2026-08-01T12:00:00.000Z'),
  confirmedAt: optionalTime('When its transaction was confirmed.', '2026-08-01T12:00:06.000Z'),
} satisfies Record<keyof X402PaymentJson, DocumentedSchema>

export const paymentSchema = named('X402Payment', 'A pay-per-request payment.', paymentFields)

const statusFields = {
  nonce: text('The requested nonce.', NONCE),
  status: text('`not_found` is returned with the nonce only.', 'settled', {
    enum: ['not_found', ...STATUSES],
  }),
  ...partial({ paymentId: uuid('Identifies the payment.', PAYMENT_ID), ...shared }),
} satisfies Record<keyof X402StatusJson, DocumentedSchema>

export const statusSchema = named('X402PaymentStatus', 'The status of a payment.', statusFields)

/** Fields of the responses of both verify and settle. */
export const PAYER_FIELD = text('The payer, in lower case.', PAYER.toLowerCase())
export const MESSAGE_FIELD = text(
  'The same as a message.',
  'the payer does not have enough of the token',
)
