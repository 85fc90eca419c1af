import type { PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Invoice, InvoiceFigures, SettlementState } from '../../core/invoice/state.ts'
import type { Transaction } from '../database/database.ts'

/** What is derived of an invoice, stored under its lock. */

/** Stores what was derived. `steps` is by how much the invoice's version grows. */
export async function saveFigures(
  sql: Transaction,
  invoice: Invoice,
  figures: InvoiceFigures,
  settlementState: SettlementState,
  settlementError: string | null,
  steps: number,
): Promise<void> {
  await sql`
    update invoice set
      status = ${figures.status},
      target_network = ${figures.targetNetwork},
      pending_amount = ${figures.pendingAmount.toString()},
      received_amount = ${figures.receivedAmount.toString()},
      late_amount = ${figures.lateAmount.toString()},
      refunded_amount = ${figures.refundedAmount.toString()},
      returned_amount = ${figures.returnedAmount.toString()},
      amount_remitted = ${figures.amountRemitted.toString()},
      completed_amount = ${figures.completedAmount?.toString() ?? null},
      paid_at = ${figures.paidAt},
      completed_at = ${figures.completedAt},
      settlement_state = ${settlementState},
      settlement_error = ${settlementError},
      version = version + ${steps}
    where id = ${invoice.id}`
}

/** Stores each payment's share of the platform fee. */
export async function savePaymentFees(
  sql: Transaction,
  fees: ReadonlyMap<PaymentId, BaseUnits>,
): Promise<void> {
  if (fees.size === 0) return
  await sql`
    update payment set fee = f.fee::numeric
    from unnest(${[...fees.keys()]}::uuid[], ${[...fees.values()].map(String)}::text[]) as f (id, fee)
    where payment.id = f.id`
}
