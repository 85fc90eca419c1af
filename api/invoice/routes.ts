import type { Route } from '../http/route.ts'
import { acceptPartialPaymentRoute, acceptPaymentRoute } from './accept.ts'
import { createInvoiceRoute } from './create.ts'
import { expireInvoiceRoute } from './expire.ts'
import { recordExternalRefundRoute } from './externalRefunds.ts'
import { getInvoiceRoute, listInvoicesRoute, listTransactionsRoute } from './read.ts'
import { createRefundRoute, listRefundsRoute } from './refunds.ts'
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
