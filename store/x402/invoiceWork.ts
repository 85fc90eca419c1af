import { notifySessions } from '../invoice/sessionNews.ts'
import { invoicesOf, type Ledger, REQUESTS } from '../relayer/transition.ts'
import { notifyStep } from './outcomes.ts'

/**
 * How authorizations that pay invoices advance. None of it changes an invoice's figures: those follow from the
 * transfer, which the ledger counts as any other payment.
 */

/** The work of authorizations. */
export const AUTHORIZATIONS: Ledger = {
  table: 'invoice_authorization',
  words: REQUESTS,
  isOfInvoice: true,
  // Its invoice would be locked after it, and who withdraws it locks the invoice first.
  leavesFigures: true,
  hasOthers: true,
  also: {
    mined: (sql) => sql`, log_index = given.log_index, version = r.version + 1`,
    reopened: (sql) => sql`, log_index = null, version = r.version + 1`,
    failed: (sql) => sql`, version = r.version + 1`,
  },
  async derive(sql, step, changed, by) {
    if (step !== 'confirmed') await notifySessions(sql, invoicesOf(changed))
    await notifyStep(sql, step, changed, by)
  },
}
