import type { Reason } from '../../core/x402/reasons.ts'
import type { Transaction } from '../../store/database/database.ts'
import { authorizationByEvidence, authorizationsFailed } from '../../store/x402/invoiceWork.ts'
import { insertPaymentEvents } from '../../store/x402/paymentEvents.ts'
import { type PaidAt, settleByEvidence, settlesFailed } from '../../store/x402/settles.ts'
import type { SettleRow } from '../../store/x402/work.ts'

/** How authorizations end that no transaction of ours carried out, each in its own table. */

export interface FailedRow {
  readonly row: SettleRow
  readonly reason: Reason
}

/** Settles one by a transfer that another sender made. False when that transfer has paid for another one. */
export function settleRow(sql: Transaction, row: SettleRow, at: PaidAt): Promise<boolean> {
  const { paymentId, invoiceId } = row
  return invoiceId === null
    ? settleByEvidence(sql, paymentId, at)
    : authorizationByEvidence(sql, paymentId, at)
}

/** Fails them with their work. Returns how many changed. Only x402 payments have events. */
export async function failRows(sql: Transaction, rows: readonly FailedRow[]): Promise<number> {
  const failures = (isOfInvoice: boolean) =>
    rows
      .filter(({ row }) => (row.invoiceId !== null) === isOfInvoice)
      .map(({ row: { paymentId }, reason }) => ({ paymentId, reason }))
  const failed = await settlesFailed(sql, failures(false))
  await insertPaymentEvents(sql, 'x402.payment.failed', failed)
  const ofInvoices = await authorizationsFailed(sql, failures(true))
  return failed.length + ofInvoices.length
}
