import type { InvoiceEventType } from '../events/eventTypes.ts'
import { overpaidAmount } from './amounts.ts'
import type { Invoice, InvoiceFigures, Payment, PaymentKind, PaymentStatus } from './state.ts'

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

/**
 * The event that a payment's change causes; null when it causes none. What is held is reported once: a late
 * payment when it is seen, because it may be accepted from then on, and what was not expected at all when it is
 * confirmed, because nothing can be done with it before.
 */
function paymentEvent({ payment: { kind }, from, to }: PaymentChange): InvoiceEventType | null {
  if (from === to) return null
  switch (to) {
    case 'pending':
      return SEEN[kind]
    case 'confirmed':
      return CONFIRMED[kind]
    case 'reverted':
      // Of what was never confirmed nothing was reported.
      return kind === 'foreign' && from !== 'confirmed' ? null : 'invoice.payment_reverted'
  }
}

const SEEN = {
  counted: 'invoice.payment_detected',
  late: 'invoice.late_payment',
  foreign: null,
} as const satisfies Readonly<Record<PaymentKind, InvoiceEventType | null>>

const CONFIRMED = {
  counted: 'invoice.payment_confirmed',
  late: null,
  foreign: 'invoice.unexpected_payment',
} as const satisfies Readonly<Record<PaymentKind, InvoiceEventType | null>>

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
