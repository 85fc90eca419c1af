import type { PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import type { Transaction } from '../database/database.ts'

/** What is derived of invoices, stored under their locks. */

/** Stores what was derived of each invoice, and its version. */
export async function saveFigures(sql: Transaction, invoices: readonly Invoice[]): Promise<void> {
  if (invoices.length === 0) return
  const given = invoices.map((invoice) => ({
    id: invoice.id,
    status: invoice.status,
    target_network: invoice.targetNetwork,
    pending_amount: `${invoice.pendingAmount}`,
    received_amount: `${invoice.receivedAmount}`,
    late_amount: `${invoice.lateAmount}`,
    refunded_amount: `${invoice.refundedAmount}`,
    returned_amount: `${invoice.returnedAmount}`,
    amount_remitted: `${invoice.amountRemitted}`,
    completed_amount: invoice.completedAmount?.toString() ?? null,
    paid_at: invoice.paidAt,
    completed_at: invoice.completedAt,
    settlement_state: invoice.settlementState,
    settlement_error: invoice.settlementError,
    version: invoice.version,
  }))
  await sql`
    update invoice i set status = g.status, target_network = g.target_network,
      pending_amount = g.pending_amount, received_amount = g.received_amount,
      late_amount = g.late_amount, refunded_amount = g.refunded_amount,
      returned_amount = g.returned_amount, amount_remitted = g.amount_remitted,
      completed_amount = g.completed_amount, paid_at = g.paid_at, completed_at = g.completed_at,
      settlement_state = g.settlement_state, settlement_error = g.settlement_error,
      version = g.version
    from json_to_recordset(${JSON.stringify(given)}::text::json) as g (id uuid, status text,
      target_network text, pending_amount numeric, received_amount numeric, late_amount numeric,
      refunded_amount numeric, returned_amount numeric, amount_remitted numeric,
      completed_amount numeric, paid_at timestamptz, completed_at timestamptz,
      settlement_state text, settlement_error text, version integer)
    where i.id = g.id`
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
