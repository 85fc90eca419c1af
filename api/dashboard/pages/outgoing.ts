import {
  type ListedSettlementJson,
  presentListedSettlement,
} from '../../../core/invoice/listedSettlement.ts'
import type { SettlementStatus } from '../../../core/invoice/state.ts'
import {
  type ListedRefundJson,
  presentListedRefund,
  REFUND_KINDS,
} from '../../../core/refund/listedRefund.ts'
import { type PayoutJson, presentPayout } from '../../../core/x402/payout.ts'
import { listSettlements } from '../../../store/invoice/settlements.ts'
import { listRefunds } from '../../../store/refund/list.ts'
import { listPayouts } from '../../../store/x402/distributions.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendPage } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { INVOICE_ID, PAYER, USDC } from '../../request/examples.ts'
import { listQuery, PAGED } from '../../request/page.ts'
import { choiceParameter, networkParameter } from '../../request/parameter.ts'
import { paged } from '../../request/responses.ts'
import {
  type DocumentedSchema,
  integer,
  object,
  optionalText,
  optionalTime,
  text,
  time,
  uuid,
} from '../../request/schema.ts'

/** GET /v1/settlements, /v1/payouts and /v1/refunds: transfers to the merchant and back to payers, those in transit included. */

const STATUSES: readonly SettlementStatus[] = ['open', 'mined', 'confirmed', 'failed']

const token = {
  chain: text('The chain.', 'base-sepolia'),
  asset: optionalText('The symbol; null if unknown.', 'USDC'),
  tokenAddress: text('The contract of the token.', USDC),
} as const

const state = text('The status.', 'confirmed', { enum: [...STATUSES] })

const course = {
  txHash: optionalText('Its transaction.', null),
  error: optionalText('Why it failed.', null),
  createdAt: time('When it was requested or recorded.', '2026-08-01T12:00:00.000Z'),
  confirmedAt: optionalTime('When it was confirmed.', null),
} as const

const moved = {
  ...token,
  recipient: text('The recipient.', USDC),
  amount: optionalText('The amount sent, fee included.', '10'),
  fee: optionalText('The platform fee.', '0.05'),
  merchantAmount: optionalText('The amount received by the recipient.', '9.95'),
} as const

const settlementFields = {
  id: uuid('The settlement.', INVOICE_ID),
  invoiceId: uuid('Its invoice.', INVOICE_ID),
  invoiceRef: text('The reference of that invoice.', 'K7QX2M9PTA'),
  externalRef: optionalText("The caller's own reference.", 'order-1042'),
  ...moved,
  status: state,
  ...course,
} satisfies Record<keyof ListedSettlementJson, DocumentedSchema>

export const listSettlementsRoute = route({
  operation: 'GET /v1/settlements',
  access: 'merchant',
  query: listQuery({
    status: choiceParameter('Only settlements with this status.', 'confirmed', STATUSES),
    network: networkParameter('Only settlements on this chain.', 'base-sepolia'),
  }),
  summary: 'List settlements',
  description: `Settlements of invoices to the recipient, the newest first. ${PAGED}`,
  operationId: 'listSettlements',
  successes: { 200: paged('A page of the list.', object('A settlement.', settlementFields)) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const { status, network: networkId } = filter
    const found = await guardDatabase(deps, (sql) =>
      listSettlements(sql, merchantId, { status, networkId }, page),
    )
    return sendPage(exchange, page, found, (settlement) =>
      presentListedSettlement(settlement, deps.config.registry),
    )
  },
})

const payoutFields = {
  id: uuid('The payout.', INVOICE_ID),
  ...moved,
  payments: integer('The number of payments in it.', 42),
  txHash: text('Its transaction.', '0x'),
  blockNumber: integer('Its block.', 12_345_678),
  createdAt: time('The time of its block.', '2026-08-01T12:00:00.000Z'),
} satisfies Record<keyof PayoutJson, DocumentedSchema>

export const listPayoutsRoute = route({
  operation: 'GET /v1/payouts',
  access: 'merchant',
  query: listQuery({}),
  summary: 'List payouts',
  description: `Payouts of x402 payments to the recipient, the newest first. ${PAGED}`,
  operationId: 'listPayouts',
  successes: { 200: paged('A page of the list.', object('A payout.', payoutFields)) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page } }) => {
    const found = await guardDatabase(deps, (sql) => listPayouts(sql, merchantId, page))
    return sendPage(exchange, page, found, (payout) => presentPayout(payout, deps.config.registry))
  },
})

const refundFields = {
  id: uuid('The refund.', INVOICE_ID),
  kind: text('How it is refunded.', 'invoice', { enum: [...REFUND_KINDS] }),
  invoiceId: optionalText('Its invoice.', INVOICE_ID),
  invoiceRef: optionalText('The reference of that invoice.', 'K7QX2M9PTA'),
  externalRef: optionalText("The caller's own reference.", 'order-1042'),
  x402PaymentId: optionalText('Its x402 payment.', null),
  ...token,
  address: text('The recipient.', PAYER),
  amount: optionalText('The amount.', '2.5'),
  status: state,
  waitingFor: optionalText('Why it is not carried out yet.', null),
  ...course,
} satisfies Record<keyof ListedRefundJson, DocumentedSchema>

export const listAllRefundsRoute = route({
  operation: 'GET /v1/refunds',
  access: 'merchant',
  query: listQuery({
    status: choiceParameter('Only refunds with this status.', 'confirmed', STATUSES),
  }),
  summary: 'List refunds',
  description: `Refunds of all kinds, the newest first. ${PAGED}`,
  operationId: 'listRefunds',
  successes: { 200: paged('A page of the list.', object('A refund.', refundFields)) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const found = await guardDatabase(deps, (sql) =>
      listRefunds(sql, merchantId, filter.status, page),
    )
    return sendPage(exchange, page, found, (refund) =>
      presentListedRefund(refund, deps.config.registry),
    )
  },
})
