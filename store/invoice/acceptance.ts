import type { Config } from '../../core/config/processes.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { InvoiceId, MerchantId, PaymentId } from '../../core/ids.ts'
import { judgeLatePayment, judgePartial } from '../../core/invoice/acceptance.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import type { Database, Transaction } from '../database.ts'
import { advanceInvoice } from './advance.ts'
import { lockInvoice } from './ledger.ts'

/** What merchants accept after all. Everything happens under the invoice's lock. */

export type Acceptance =
  | { readonly ok: true; readonly rows: InvoiceRows }
  | { readonly ok: false; readonly code: ErrorCode }

/** Which invoice of which merchant. */
export interface OwnInvoice {
  readonly merchantId: MerchantId
  readonly invoiceId: InvoiceId
}

/** Counts a late payment from now on. Doing it again changes nothing. */
export async function acceptLatePayment(
  database: Database,
  config: Config,
  of: OwnInvoice & { readonly paymentId: PaymentId },
  now: Date,
): Promise<Acceptance> {
  return database.begin(async (sql): Promise<Acceptance> => {
    const rows = await lockOwn(sql, of)
    if (rows === null) return { ok: false, code: 'invoice_not_found' }
    const payment = rows.payments.find(({ id }) => id === of.paymentId)
    if (!payment) return { ok: false, code: 'transaction_not_found' }
    const verdict = judgeLatePayment(payment)
    if (!verdict.ok) return verdict
    if (!verdict.isNew) return { ok: true, rows }
    await sql`
      update payment set kind = 'counted', accepted_at = ${now} where id = ${payment.id}`
    return advanced(sql, config, of, now)
  })
}

/** Takes what was received for enough. Doing it again changes nothing. */
export async function acceptPartial(
  database: Database,
  config: Config,
  of: OwnInvoice,
  now: Date,
): Promise<Acceptance> {
  return database.begin(async (sql): Promise<Acceptance> => {
    const rows = await lockOwn(sql, of)
    if (rows === null) return { ok: false, code: 'invoice_not_found' }
    const { invoice, settlements } = rows
    const verdict = judgePartial(invoice, settlements, config.fees[invoice.tokenSymbol])
    if (!verdict.ok) return verdict
    if (verdict.acceptedAmount === null) return { ok: true, rows }
    const { acceptedAmount, platformFee } = verdict
    await sql`
      update invoice set accepted_amount = ${acceptedAmount.toString()},
        platform_fee = ${platformFee.toString()}
      where id = ${of.invoiceId}`
    return advanced(sql, config, of, now)
  })
}

/** The merchant's invoice, locked; null for anybody else's. */
export async function lockOwn(sql: Transaction, of: OwnInvoice) {
  const locked = await lockInvoice(sql, of.invoiceId)
  return locked?.invoice.merchantId === of.merchantId ? locked : null
}

async function advanced(
  sql: Transaction,
  config: Config,
  of: OwnInvoice,
  now: Date,
): Promise<Acceptance> {
  await advanceInvoice(sql, config, of.invoiceId, now)
  const rows = await lockOwn(sql, of)
  return rows ? { ok: true, rows } : { ok: false, code: 'invoice_not_found' }
}
