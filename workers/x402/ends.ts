import type { Reason } from '../../core/x402/reasons.ts'
import type { Transaction } from '../../store/database/database.ts'
import { failWithWork } from '../../store/relayer/transition.ts'
import { AUTHORIZATIONS, authorizationByEvidence } from '../../store/x402/invoiceWork.ts'
import { PAYMENTS, type PaidAt, settleByEvidence } from '../../store/x402/settles.ts'
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

/** Fails them with their work. Returns how many changed. */
export async function failRows(sql: Transaction, rows: readonly FailedRow[]): Promise<number> {
  let changed = 0
  for (const [isOfRequest, some] of Map.groupBy(rows, ({ row }) => row.invoiceId === null)) {
    const given = some.map(({ row, reason }) => ({ id: row.paymentId, reason }))
    const ledger = isOfRequest ? PAYMENTS : AUTHORIZATIONS
    changed += (await failWithWork(sql, ledger, given)).length
  }
  return changed
}
