import type { InvoiceEventType } from '../eventTypes.ts'
import { overpaidAmount } from './amounts.ts'
import type { Invoice, InvoiceFigures, Payment, PaymentStatus } from './state.ts'

/** Which events a change of an invoice causes. */

/** A change of one payment, as observed just now. `from` is null when it was never seen before. */
export interface PaymentChange {
  readonly payment: Pick<Payment, 'kind'>
  readonly from: PaymentStatus | null
  readonly to: PaymentStatus
}

/** When more payments than this change in the same way together, one event reports them all. */
const SAME_EVENT_MAX = 10

/**
 * The events for the changes of one invoice's payments. Each shows the same invoice, so a thousand dust
 * payments must not write it a thousand times.
 */
export function paymentEvents(changes: readonly PaymentChange[]): InvoiceEventType[] {
  const events = changes.map(paymentEvent).filter((type) => type !== null)
  const byType = Map.groupBy(events, (type) => type)
  return events.filter((type, index) => {
    const alike = byType.get(type)?.length ?? 0
    return alike <= SAME_EVENT_MAX || events.lastIndexOf(type) === index
  })
}

/** The event that a payment's change causes; null when it causes none. */
function paymentEvent(change: PaymentChange): InvoiceEventType | null {
  if (change.payment.kind === 'foreign' || change.from === change.to) return null
  switch (change.to) {
    case 'pending':
      return change.payment.kind === 'late' ? 'invoice.late_payment' : 'invoice.payment_detected'
    case 'confirmed':
      return 'invoice.payment_confirmed'
    case 'reverted':
      return 'invoice.payment_reverted'
  }
}

/** The events that follow from a step of the invoice's figures, in the order in which they are sent. */
export function invoiceEvents(before: Invoice, after: InvoiceFigures): InvoiceEventType[] {
  const events: InvoiceEventType[] = []
  const reached = after.status !== before.status
  if (reached && after.status === 'partial' && before.status === 'pending') {
    events.push('invoice.partially_paid')
  }
  const wasPaid = before.status === 'paid' || before.status === 'completed'
  const isPaid = after.status === 'paid' || after.status === 'completed'
  if (isPaid && !wasPaid) events.push('invoice.paid')
  const over = overpaidAmount({ ...after, amountExpected: before.amountExpected })
  if (over > overpaidAmount(before)) events.push('invoice.overpaid')
  if (reached && after.status === 'completed') events.push('invoice.completed')
  return events
}
