import type { RefundStatus } from '../../../core/invoice/state.ts'
import {
  type ListedRefundJson,
  presentListedRefund,
  REFUND_KINDS,
} from '../../../core/refund/listedRefund.ts'
import { listRefunds } from '../../../store/refund/list.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendPage } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { INVOICE_ID, PAYER, USDC } from '../../request/examples.ts'
import { listQuery, PAGED } from '../../request/page.ts'
import { choiceParameter } from '../../request/parameter.ts'
import { paged } from '../../request/responses.ts'
import {
  type DocumentedSchema,
  object,
  optionalText,
  optionalTime,
  text,
  time,
  uuid,
} from '../../request/schema.ts'

/** GET /v1/refunds: refunds of invoices and of x402 payments, and those from the merchant's own wallets. */

const STATUSES: readonly RefundStatus[] = ['open', 'mined', 'confirmed', 'failed']

const fields = {
  id: uuid('The refund.', INVOICE_ID),
  kind: text('How it is refunded.', 'invoice', { enum: [...REFUND_KINDS] }),
  invoiceId: optionalText('Its invoice.', INVOICE_ID),
  invoiceRef: optionalText('The reference of that invoice.', 'K7QX2M9PTA'),
  externalRef: optionalText("The caller's own reference.", 'order-1042'),
  x402PaymentId: optionalText('Its x402 payment.', null),
  chain: text('The chain.', 'base-sepolia'),
  asset: optionalText('The symbol; null if unknown.', 'USDC'),
  tokenAddress: text('The contract of the token.', USDC),
  address: text('The recipient.', PAYER),
  amount: optionalText('The amount.', '2.5'),
  status: text('The status.', 'confirmed', { enum: [...STATUSES] }),
  waitingFor: optionalText('Why it is not carried out yet.', null),
  txHash: optionalText('Its transaction.', null),
  error: optionalText('Why it failed.', null),
  createdAt: time('When it was requested or recorded.', '2026-08-01T12:00:00.000Z'),
  confirmedAt: optionalTime('When it was confirmed.', null),
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
  successes: { 200: paged('A page of the list.', object('A refund.', fields)) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const found = await guardDatabase(deps, (sql) =>
      listRefunds(sql, merchantId, filter.status, page),
    )
    return sendPage(exchange, page, found, (refund) =>
      presentListedRefund(refund, deps.config.registry),
    )
  },
})
