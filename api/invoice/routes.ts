import type { Route } from '../http/route.ts'
import { recordExternalRefundRoute } from '../refund/externalRefunds.ts'
import { createRefundRoute, listRefundsRoute } from '../refund/refunds.ts'
import { acceptPartialPaymentRoute, acceptPaymentRoute } from './accept.ts'
import { createInvoiceRoute } from './create.ts'
import { expireInvoiceRoute } from './expire.ts'
import { getInvoiceRoute, listInvoicesRoute, listTransactionsRoute } from './read.ts'
import { submitTransactionRoute } from './submitTransaction.ts'

export const INVOICE_ROUTES: readonly Route[] = [
  createInvoiceRoute,
  listInvoicesRoute,
  getInvoiceRoute,
  listTransactionsRoute,
  expireInvoiceRoute,
  submitTransactionRoute,
  acceptPaymentRoute,
  acceptPartialPaymentRoute,
  createRefundRoute,
  listRefundsRoute,
  recordExternalRefundRoute,
]
