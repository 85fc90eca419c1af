import { asInvoiceId, asPaymentId } from '../../core/base/ids.ts'
import type { InvoiceJson, SettlementJson, TransactionJson } from '../../core/invoice/present.ts'
import type { RefundJson } from '../../core/invoice/refundJson.ts'
import { REFUND_WAITS, REFUND_WAITS_ABOUT } from '../../core/invoice/refundLimit.ts'
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
  address: address('Where the customer sends the tokens.', DEPOSIT),
  tokenAddress: address('The contract of the accepted token on this chain.', USDC),
})

/** What payments and settlements have in common. */
const onChainFields = {
  id: uuid('Identifies the transaction.', TRANSACTION_ID),
  invoiceId: uuid('The invoice that was paid.', INVOICE_ID),
  invoiceRef: text('The reference of that invoice.', 'K7QX2M9PTA'),
  merchantId: uuid('The merchant.', MERCHANT_ID),
  txHash: transactionHash('The hash of the on-chain transaction.'),
  chain: text('The chain.', 'base-sepolia'),
  asset: text('The symbol of the token.', 'USDC'),
  tokenAddress: address('The contract of the token.', USDC),
  amount: amount('What was transferred.', '12.5'),
  fee: amount("This payment's share of the platform fee.", '0.0625'),
  merchantAmount: amount('What is left for the merchant.', '12.4375'),
  status: text('How certain it is.', 'confirmed', { enum: ['pending', 'confirmed', 'reverted'] }),
  type: text(
    '`late_payment` was received after the expiry and is held until you accept it.',
    'payment',
    {
      enum: ['payment', 'late_payment'],
    },
  ),
  blockNumber: integer('The number of its block.', 31_415_926),
  confirmedAt: optionalTime('When it was confirmed.', '2026-08-01T12:00:09.000Z'),
  createdAt: time('When it was first seen.', '2026-08-01T12:00:03.000Z'),
}

const transactionFields = {
  ...onChainFields,
  logIndex: integer('Which log of its block the transfer is.', 4),
  from: address('Who sent the tokens.', PAYER),
  refundedAmount: amount('The refunded part.', '0'),
  refundingAmount: amount('The part of pending refunds.', '0'),
  acceptedAt: optionalTime('When it was accepted although it was late.', null),
} satisfies Record<keyof TransactionJson, DocumentedSchema>

export const transactionSchema = named('Transaction', 'An on-chain payment.', transactionFields)

const settlementFields = {
  ...onChainFields,
  id: uuid('Identifies the settlement.', SETTLEMENT_ID),
  invoiceId: uuid('The invoice whose money was forwarded.', INVOICE_ID),
  txHash: nullable(transactionHash('Null until it is mined.')),
  recipient: address('Who received the tokens.', TREASURY),
  amount: amount('What left the deposit address, the fee included.', '12.5'),
  fee: amount('The part that is the platform fee.', '0.0625'),
  merchantAmount: amount('The part that the recipient got.', '12.4375'),
  status: text('How far it is.', 'confirmed', { enum: ['open', 'mined', 'confirmed', 'failed'] }),
  type: text('Always `settlement`.', 'settlement', { enum: ['settlement'] }),
  blockNumber: nullable(integer('The number of its block; null until it is mined.', 31_415_930)),
  createdAt: time('When it was decided.', '2026-08-01T12:00:09.000Z'),
} satisfies Record<keyof SettlementJson, DocumentedSchema>

const waitFields = {
  reason: text('What it waits for.', 'refund_limit', { enum: [...REFUND_WAITS] }),
  about: text('The same as a sentence.', REFUND_WAITS_ABOUT.refund_limit),
  since: time('Since when it waits.', '2026-08-01T12:05:01.000Z'),
  approvalDigest: optionalText("The digest for the hub's owner to approve.", null),
}

const { fee: _fee, merchantAmount: _rest, ...movement } = onChainFields
const refundFields = {
  ...movement,
  id: uuid('Identifies the refund.', REFUND_ID),
  tokenAddress: address('The contract of the token; all zeros for native coin.', USDC),
  invoiceId: nullable(
    uuid('The invoice whose money goes back; null of an x402 payment.', INVOICE_ID),
  ),
  invoiceRef: optionalText('The reference of the invoice; null of an x402 payment.', 'K7QX2M9PTA'),
  x402PaymentId: {
    ...nullable(uuid('The x402 payment that goes back; null of an invoice.', TRANSACTION_ID)),
    example: null,
  },
  transactionId: nullable(
    uuid('The payment that was named; null for on-time money as a whole.', TRANSACTION_ID),
  ),
  idempotencyKey: text("The caller's own key.", 'refund-1042'),
  txHash: nullable(transactionHash('Null until it is mined.')),
  asset: optionalText('The symbol; null if unknown.', 'USDC'),
  address: address('Who receives the tokens.', PAYER),
  amount: optionalText('The refunded amount, null when the token is unknown.', '2.5'),
  baseUnits: text("The refunded amount, in the token's smallest unit.", '2500000'),
  status: text('How far it is.', 'confirmed', { enum: ['open', 'mined', 'confirmed', 'failed'] }),
  type: text('Always `refund`.', 'refund', { enum: ['refund'] }),
  external: flag('True for refunds that you sent from your treasury.', false),
  error: optionalText('Why it failed.', null),
  waiting: {
    ...nullable(
      named(
        'RefundWait',
        'Why it is not on its way yet; null while nothing is in its way.',
        waitFields,
      ),
    ),
    example: null,
  },
  blockNumber: nullable(integer('The number of its block; null until it is mined.', 31_416_002)),
  createdAt: time('When it was requested.', '2026-08-01T12:05:00.000Z'),
} satisfies Record<keyof RefundJson, DocumentedSchema>

/** An action that the rules refuse as things are. */
export const refusedSchema = named('RefusedAction', 'Why an action is not offered.', {
  action: text('The action.', 'refund'),
  code: text('The error.', 'invalid_recipient'),
  about: text('The reason.', 'invalid recipient address'),
})

export const refundSchema = named('Refund', 'A refund.', refundFields)

const otherDeposit = named(
  'OtherDeposit',
  'Tokens at the deposit address that count for nothing.',
  {
    id: uuid('Identifies the transfer.', TRANSACTION_ID),
    txHash: transactionHash('The hash of the on-chain transaction.'),
    chain: text('The chain, which may be one that the invoice does not list.', 'sepolia'),
    asset: optionalText('The symbol; null if unknown.', 'USDT'),
    tokenAddress: address('The contract of the token; all zeros for native coin.', USDC),
    from: address('Who sent the tokens.', PAYER),
    amount: optionalText('What was transferred, null when the token is unknown.', '3'),
    baseUnits: text("What was transferred, in the token's smallest unit.", '3000000'),
    refundedBaseUnits: text('The refunded part.', '0'),
    refundingBaseUnits: text('The part of pending refunds.', '0'),
    status: text('How certain it is.', 'confirmed', { enum: ['pending', 'confirmed', 'reverted'] }),
    blockNumber: integer('The number of its block.', 9_415_926),
    createdAt: time('When it was first seen.', '2026-08-01T12:00:03.000Z'),
  },
)

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
      'What of an overpayment is in your treasury; null when nothing is.',
      {
        amount: amount('How much.', '2.5'),
        addresses: list('Whom it was settled to.', address('A treasury.', TREASURY)),
        about: text(
          'The same as a sentence.',
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
  reference: text('Ten characters that are safe to share with customers.', 'K7QX2M9PTA'),
  addresses: list('One deposit address for each chain of the invoice.', addressElement),
  recipient,
  tokenAddress: address('The accepted token on targetNetwork, else on the first chain.', USDC),
  tokenSymbol: text('The ticker of the accepted token.', 'USDC'),
  targetNetwork: optionalText('The chain of the first payment; null before it.', 'base-sepolia'),
  amountExpected: amount('The amount due.', '12.5'),
  fiat: { ...nullable(fiatSchema), example: null },
  acceptedAmount: optionalText(
    'The amount that the merchant accepted as paid; null without one.',
    null,
    {
      pattern: DECIMAL,
    },
  ),
  pendingAmount: optionalText('What is seen but not confirmed yet; null when nothing is.', null, {
    pattern: DECIMAL,
  }),
  receivedAmount: amount('What is confirmed and came in time.', '12.5'),
  lateAmount: amount('What came after the expiry; not part of receivedAmount.', '0'),
  refundedAmount: amount("What refunds have brought back of the invoice's own token.", '0'),
  platformFee: amount('The protocol fee, taken once at settlement.', '0.0625'),
  amountRemitted: amount('What was forwarded to the recipient so far.', '12.4375'),
  overpaidAmount: amount('What was received above amountExpected.', '0'),
  settledOverpayment,
  underpaymentTolerance: amount('How much less than amountExpected is enough.', '0'),
  toleratedAmount: amount('What is missing of it although the invoice is paid.', '0'),
  status: text("The invoice's status.", 'completed', {
    enum: ['pending', 'partial', 'paid', 'completed'],
  }),
  expired: flag('True when the payment window is over and the invoice is not paid.', false),
  settlementState: text(
    'Why a paid invoice is not settled at once. `retrying`: sending it failed, and it is sent again; ' +
      '`failed`: it is retried, with long pauses.',
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
  settlementError: optionalText('Why the last settlement failed, in the words of the chain.', null),
  expiresAt: optionalTime('Payments in later blocks are late.', '2026-08-02T12:00:00.000Z'),
  closedAt: optionalTime('When the merchant ended the invoice.', null),
  payerRefundAddress: nullable(
    address(
      'Where the payer wants money back, as left on the page. Refunds by API key never go there.',
      PAYER,
    ),
  ),
  createdAt: time('When the invoice was created.', '2026-08-01T12:00:00.000Z'),
  paidAt: optionalTime('When it was paid in full.', '2026-08-01T12:00:09.000Z'),
  completedAt: optionalTime('When all was forwarded.', '2026-08-01T12:00:15.000Z'),
  metadata: record('What was attached at creation.', { cart: 'c-77' }),
  transactions: list('The payments, in the order they were detected.', transactionSchema),
  settlements: list(
    'How the money was forwarded.',
    named('Settlement', 'A settlement.', settlementFields),
  ),
  refunds: { ...list('The refunds, in the order of the requests.', refundSchema), example: [] },
  otherDeposits: { ...list('Other tokens at the address.', otherDeposit), example: [] },
} satisfies Record<keyof InvoiceJson, DocumentedSchema>

/** An invoice as events show it. */
export const invoiceRecordSchema = named('InvoiceRecord', 'What is known of it.', invoiceFields)

const answeredFields = {
  checkoutUrl: text('Its checkout page.', CHECKOUT_URL, { format: 'uri' }),
} satisfies Record<Exclude<keyof AnsweredInvoice, keyof InvoiceJson>, DocumentedSchema>

export const invoiceSchema = extended('Invoice', 'An invoice.', invoiceRecordSchema, answeredFields)
