import { asInvoiceId, asPaymentId } from '../../core/base/ids.ts'
import type { InvoiceJson, SettlementJson, TransactionJson } from '../../core/invoice/present.ts'
import type { RefundJson } from '../../core/invoice/refundJson.ts'
import { REFUND_WAITS, REFUND_WAITS_ABOUT } from '../../core/invoice/refundLimit.ts'
import { PAYMENT_METHODS } from '../../core/invoice/state.ts'
import {
  INVOICE_ID,
  MERCHANT_ID,
  PAYER,
  TRANSACTION_ID,
  TREASURY,
  USDC,
} from '../request/examples.ts'
import { pathId } from '../request/id.ts'
import {
  address,
  amount,
  DECIMAL,
  type DocumentedSchema,
  extended,
  flag,
  integer,
  list,
  merchantId,
  named,
  nullable,
  optionalText,
  optionalTime,
  record,
  text,
  time,
  transactionHash,
  uuid,
} from '../request/schema.ts'
import type { AnsweredInvoice } from './compose.ts'
import { fiatSchema } from './currency.ts'

/** Invoices and transactions in the OpenAPI document. */

const REFUND_ID = '0198c1e2-44d1-7000-8000-6b0d8e2f9c71'
const SETTLEMENT_ID = '0198c1e1-9b02-7000-8000-1f7e3c9a5d60'
const CHECKOUT_URL = 'https://pay.example.com/checkout/cs_Zr3Vt0yN1m9bQ4sXk7LJhA'
const DEPOSIT = '0x1dF62f291b2E969fB0849d99D9Ce41e2F137006e'

export const TRANSACTION_ID_PARAMETER = pathId(
  'transaction',
  TRANSACTION_ID,
  'invalid_transaction_id',
  asPaymentId,
)
export const INVOICE_ID_PARAMETER = pathId('invoice', INVOICE_ID, 'invalid_invoice_id', asInvoiceId)

const addressElement = named('DepositAddress', 'The deposit address on one chain.', {
  networkId: text('The chain.', 'base-sepolia'),
  network: text('The readable name of the chain.', 'Base Sepolia'),
  networkName: text('The same as `network`.', 'Base Sepolia'),
  networkSymbol: text("The symbol of the chain's native coin.", 'ETH'),
  address: address('The address that the payer sends to.', DEPOSIT),
  tokenAddress: address('The contract of the accepted token on this chain.', USDC),
})

/** Fields of both payments and settlements. */
const onChainFields = {
  id: uuid('Identifies the transaction.', TRANSACTION_ID),
  invoiceId: uuid('The invoice that was paid.', INVOICE_ID),
  invoiceRef: text('The reference of that invoice.', 'K7QX2M9PTA'),
  merchantId,
  txHash: transactionHash('The hash of the on-chain transaction.'),
  chain: text('The chain.', 'base-sepolia'),
  asset: text('The symbol of the token.', 'USDC'),
  tokenAddress: address('The contract of the token.', USDC),
  amount: amount('The transferred amount.', '12.5'),
  fee: amount("This payment's share of the platform fee.", '0.0625'),
  merchantAmount: amount("The merchant's part.", '12.4375'),
  status: text('The confirmation status.', 'confirmed', {
    enum: ['pending', 'confirmed', 'reverted'],
  }),
  type: text(
    '`late_payment` was received after the expiry and is held until you accept or refund it.',
    'payment',
    {
      enum: ['payment', 'late_payment'],
    },
  ),
  blockNumber: integer('The number of its block.', 31_415_926),
  confirmedAt: optionalTime('When it was confirmed.', '2026-08-01T12:00:09.000Z'),
  createdAt: time('When it was detected.', '2026-08-01T12:00:03.000Z'),
}

const transactionFields = {
  ...onChainFields,
  logIndex: integer("The index of the transfer's log in its block.", 4),
  from: address('The sender.', PAYER),
  refundedAmount: amount('The refunded part.', '0'),
  refundingAmount: amount('The part of pending refunds.', '0'),
  acceptedAt: optionalTime('When it was accepted as a late payment.', null),
  method: text('How it was sent.', 'transfer', {
    enum: [...PAYMENT_METHODS],
  }),
} satisfies Record<keyof TransactionJson, DocumentedSchema>

export const transactionSchema = named('Transaction', 'An on-chain payment.', transactionFields)

const settlementFields = {
  ...onChainFields,
  id: uuid('Identifies the settlement.', SETTLEMENT_ID),
  invoiceId: uuid('The settled invoice.', INVOICE_ID),
  txHash: nullable(transactionHash('Null until it is mined.')),
  recipient: address('The recipient.', TREASURY),
  amount: amount('The amount sent, the fee included.', '12.5'),
  fee: amount('The platform fee.', '0.0625'),
  merchantAmount: amount('The amount received by the recipient.', '12.4375'),
  status: text('The status.', 'confirmed', { enum: ['open', 'mined', 'confirmed', 'failed'] }),
  type: text('Always `settlement`.', 'settlement', { enum: ['settlement'] }),
  blockNumber: nullable(integer('Its block; null until mined.', 31_415_930)),
  createdAt: time('When it was created.', '2026-08-01T12:00:09.000Z'),
} satisfies Record<keyof SettlementJson, DocumentedSchema>

const waitFields = {
  reason: text('The reason.', 'refund_limit', { enum: [...REFUND_WAITS] }),
  about: text('The same as a message.', REFUND_WAITS_ABOUT.refund_limit),
  since: time('When the wait began.', '2026-08-01T12:05:01.000Z'),
  approvalDigest: optionalText("The digest for the hub's owner to approve.", null),
}

const { fee: _fee, merchantAmount: _rest, ...movement } = onChainFields
const refundFields = {
  ...movement,
  id: uuid('Identifies the refund.', REFUND_ID),
  tokenAddress: address('All zeros for native coin.', USDC),
  invoiceId: nullable(uuid('The refunded invoice; null for an x402 payment.', INVOICE_ID)),
  invoiceRef: optionalText('The reference of the invoice; null for an x402 payment.', 'K7QX2M9PTA'),
  x402PaymentId: {
    ...nullable(uuid('The refunded x402 payment; null for an invoice.', TRANSACTION_ID)),
    example: null,
  },
  transactionId: nullable(
    uuid('The refunded payment; null for on-time money as a whole.', TRANSACTION_ID),
  ),
  idempotencyKey: text("The caller's own key.", 'refund-1042'),
  txHash: nullable(transactionHash('Null until it is mined.')),
  asset: optionalText('The symbol; null if unknown.', 'USDC'),
  address: address('The recipient.', PAYER),
  amount: optionalText('The refunded amount; null if the token is unknown.', '2.5'),
  baseUnits: text("The refunded amount, in the token's smallest unit.", '2500000'),
  status: text('The status.', 'confirmed', { enum: ['open', 'mined', 'confirmed', 'failed'] }),
  type: text('Always `refund`.', 'refund', { enum: ['refund'] }),
  external: flag('True for refunds that you sent from your treasury.', false),
  error: optionalText('Why it failed.', null),
  waiting: {
    ...nullable(named('RefundWait', 'Why it is on hold; null if it is not.', waitFields)),
    example: null,
  },
  blockNumber: nullable(integer('Its block; null until mined.', 31_416_002)),
  createdAt: time('When it was requested.', '2026-08-01T12:05:00.000Z'),
} satisfies Record<keyof RefundJson, DocumentedSchema>

/** An action that is not possible in the current state. */
export const refusedSchema = named(
  'RefusedAction',
  'An action that is not possible, with the reason.',
  {
    action: text('The action.', 'refund'),
    code: text('The error.', 'invalid_recipient'),
    about: text('The reason.', 'invalid recipient address'),
  },
)

export const refundSchema = named('Refund', 'A refund.', refundFields)

const otherDeposit = named('OtherDeposit', 'Tokens at the deposit address that are not counted.', {
  id: uuid('Identifies the transfer.', TRANSACTION_ID),
  txHash: transactionHash('The hash of the on-chain transaction.'),
  chain: text('The chain; it may be one that the invoice does not offer.', 'sepolia'),
  asset: optionalText('The symbol; null if unknown.', 'USDT'),
  tokenAddress: address('All zeros for native coin.', USDC),
  from: address('The sender.', PAYER),
  amount: optionalText('The transferred amount; null if the token is unknown.', '3'),
  baseUnits: text("The transferred amount, in the token's smallest unit.", '3000000'),
  refundedBaseUnits: text('The refunded part.', '0'),
  refundingBaseUnits: text('The part of pending refunds.', '0'),
  status: text('The confirmation status.', 'confirmed', {
    enum: ['pending', 'confirmed', 'reverted'],
  }),
  blockNumber: integer('The number of its block.', 9_415_926),
  createdAt: time('When it was detected.', '2026-08-01T12:00:03.000Z'),
})

const recipient = nullable(
  named('Recipient', 'Receives the settled funds; null while none is configured.', {
    chainType: text('The kind of chain, always `evm`.', 'evm', { enum: ['evm'] }),
    address: address('The treasury.', TREASURY),
  }),
)

const settledOverpayment = {
  ...nullable(
    named(
      'SettledOverpayment',
      'The overpaid amount that was settled to your treasury; null if there is none.',
      {
        amount: amount('The amount.', '2.5'),
        addresses: list('The recipients of the settlements.', address('A treasury.', TREASURY)),
        about: text(
          'The same as a message.',
          `2.5 USDC was settled to ${TREASURY}, refund it from your treasury.`,
        ),
      },
    ),
  ),
  example: null,
}

const invoiceFields = {
  id: uuid('Identifies the invoice.', INVOICE_ID),
  merchantId: uuid('The merchant who owns the invoice.', MERCHANT_ID),
  externalRef: optionalText("The caller's own reference and idempotency key.", 'order-1042'),
  reference: text(
    'A short reference of ten characters that is safe to share with customers.',
    'K7QX2M9PTA',
  ),
  addresses: list('One deposit address for each chain of the invoice.', addressElement),
  recipient,
  tokenAddress: address('The accepted token on targetNetwork, else on the first chain.', USDC),
  tokenSymbol: text('The ticker of the accepted token.', 'USDC'),
  targetNetwork: optionalText('The chain of the first payment; null before it.', 'base-sepolia'),
  amountExpected: amount('The amount due.', '12.5'),
  fiat: { ...nullable(fiatSchema), example: null },
  acceptedAmount: optionalText('The amount that you accepted as paid; null if you did not.', null, {
    pattern: DECIMAL,
  }),
  pendingAmount: optionalText('The detected, unconfirmed amount; null if there is none.', null, {
    pattern: DECIMAL,
  }),
  receivedAmount: amount('Confirmed, and received in time.', '12.5'),
  lateAmount: amount('Received after the expiry; not part of receivedAmount.', '0'),
  refundedAmount: amount("Refunded in the invoice's token.", '0'),
  platformFee: amount('The platform fee, charged once at settlement.', '0.0625'),
  amountRemitted: amount('Settled to the recipient so far.', '12.4375'),
  overpaidAmount: amount('Received above amountExpected.', '0'),
  settledOverpayment,
  underpaymentTolerance: amount('The underpayment tolerance.', '0'),
  toleratedAmount: amount('The tolerated underpayment of a paid invoice.', '0'),
  status: text('The status.', 'completed', {
    enum: ['pending', 'partial', 'paid', 'completed'],
  }),
  expired: flag('True if the invoice is unpaid and its payment window is over.', false),
  settlementState: text(
    'Why a paid invoice is not settled yet. `retrying`: sending failed and is retried; ' +
      '`failed`: it is retried with long pauses.',
    'none',
    {
      enum: [
        'none',
        'due',
        'screening',
        'no_recipient',
        'below_gas_threshold',
        'retrying',
        'failed',
      ],
    },
  ),
  settlementError: optionalText("Why the last settlement failed: the chain's error.", null),
  expiresAt: optionalTime('Payments in later blocks are late.', '2026-08-02T12:00:00.000Z'),
  closedAt: optionalTime('When the merchant expired the invoice.', null),
  payerRefundAddress: nullable(
    address(
      "The payer's refund address, as entered on the page. Not used by refunds with an API key.",
      PAYER,
    ),
  ),
  createdAt: time('When the invoice was created.', '2026-08-01T12:00:00.000Z'),
  paidAt: optionalTime('When it was paid in full.', '2026-08-01T12:00:09.000Z'),
  completedAt: optionalTime('When it was settled in full.', '2026-08-01T12:00:15.000Z'),
  metadata: record('The metadata set at creation.', { cart: 'c-77' }),
  transactions: list('The payments, in the order they were detected.', transactionSchema),
  settlements: list('The settlements.', named('Settlement', 'A settlement.', settlementFields)),
  refunds: { ...list('The refunds, in the order of the requests.', refundSchema), example: [] },
  otherDeposits: { ...list('Other tokens at the address.', otherDeposit), example: [] },
} satisfies Record<keyof InvoiceJson, DocumentedSchema>

/** An invoice in events. */
export const invoiceRecordSchema = named(
  'InvoiceRecord',
  'The recorded state of an invoice.',
  invoiceFields,
)

const answeredFields = {
  checkoutUrl: text('Its checkout page.', CHECKOUT_URL, { format: 'uri' }),
  x402Url: optionalText('Where x402 clients pay; null if nothing is payable.', null),
} satisfies Record<Exclude<keyof AnsweredInvoice, keyof InvoiceJson>, DocumentedSchema>

export const invoiceSchema = extended('Invoice', 'An invoice.', invoiceRecordSchema, answeredFields)
