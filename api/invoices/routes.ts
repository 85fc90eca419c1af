import type { Route } from '../http/route.ts'
import { acceptPartialPayment, acceptPayment } from './accept.ts'
import { createInvoice } from './create.ts'
import { expireInvoice } from './expire.ts'
import { getInvoice, listInvoices, listTransactions } from './read.ts'
import { createRefund, listRefunds } from './refunds.ts'
import { submitTransaction } from './submitTransaction.ts'

export const INVOICE_ROUTES: readonly Route[] = [
  createInvoice,
  listInvoices,
  getInvoice,
  listTransactions,
  expireInvoice,
  submitTransaction,
  acceptPayment,
  acceptPartialPayment,
  createRefund,
  listRefunds,
]
