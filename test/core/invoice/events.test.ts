import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { invoiceEvents, type PaymentChange, paymentEvents } from '../../../core/invoice/events.ts'
import type { Invoice, PaymentKind, PaymentStatus } from '../../../core/invoice/state.ts'
import { anInvoice } from '../../support/core/invoiceRows.ts'

function change(
  to: PaymentStatus,
  from: PaymentStatus | null = null,
  kind: PaymentKind = 'counted',
): PaymentChange {
  return { payment: { kind }, from, to }
}

describe('the events of a payment', () => {
  test('say what became of it', () => {
    expect(paymentEvents([change('pending')])).toEqual(['invoice.payment_detected'])
    expect(paymentEvents([change('pending', null, 'late')])).toEqual(['invoice.late_payment'])
    expect(paymentEvents([change('confirmed', 'pending')])).toEqual(['invoice.payment_confirmed'])
    expect(paymentEvents([change('reverted', 'pending')])).toEqual(['invoice.payment_reverted'])
  })

  test('are none for another token before it is confirmed, and none where nothing changed', () => {
    expect(paymentEvents([change('pending', null, 'foreign')])).toEqual([])
    expect(paymentEvents([change('reverted', 'pending', 'foreign')])).toEqual([])
    expect(paymentEvents([change('pending', 'pending')])).toEqual([])
  })

  test('report each kind of held money once, and that it is gone where it was reported', () => {
    const lives = (kind: PaymentKind) =>
      paymentEvents([
        change('pending', null, kind),
        change('confirmed', 'pending', kind),
        change('reverted', 'confirmed', kind),
      ])
    expect(lives('late')).toEqual(['invoice.late_payment', 'invoice.payment_reverted'])
    expect(lives('foreign')).toEqual(['invoice.unexpected_payment', 'invoice.payment_reverted'])
  })

  test('say that a late payment is confirmed where it was accepted before, and so counts', () => {
    const accepted = [change('pending', null, 'late'), change('confirmed', 'pending', 'counted')]
    expect(paymentEvents(accepted)).toEqual(['invoice.late_payment', 'invoice.payment_confirmed'])
  })

  test('are one each up to ten alike, and one for all beyond', () => {
    const pending = (count: number) => Array.from({ length: count }, () => change('pending'))
    expect(paymentEvents(pending(10))).toHaveLength(10)
    expect(paymentEvents(pending(11))).toEqual(['invoice.payment_detected'])
    const both = [change('confirmed', 'pending'), ...pending(11), change('reverted', 'pending')]
    expect(paymentEvents(both)).toEqual([
      'invoice.payment_confirmed',
      'invoice.payment_detected',
      'invoice.payment_reverted',
    ])
  })
})

describe('the events of an invoice', () => {
  const amount = anInvoice().amountExpected
  const more = baseUnits(amount + 1n)
  const events = (before: Partial<Invoice>, after: Partial<Invoice>) =>
    invoiceEvents(anInvoice(before), anInvoice({ ...before, ...after }))

  test('are none while nothing changes', () => {
    for (const status of ['pending', 'partial', 'paid', 'completed'] as const) {
      expect(events({ status, receivedAmount: more }, {})).toEqual([])
    }
  })

  test('tell of the first part, but not of what a reorganisation leaves', () => {
    expect(events({}, { status: 'partial' })).toEqual(['invoice.partially_paid'])
    expect(events({ status: 'paid' }, { status: 'partial' })).toEqual([])
  })

  test('tell of paid once, regardless of accompanying changes', () => {
    expect(events({ status: 'partial' }, { status: 'paid' })).toEqual(['invoice.paid'])
    expect(events({ status: 'completed' }, { status: 'paid' })).toEqual([])
    expect(events({ status: 'paid' }, { status: 'completed' })).toEqual(['invoice.completed'])
    expect(events({}, { status: 'completed' })).toEqual(['invoice.paid', 'invoice.completed'])
  })

  test('tell of every time that more is overpaid, and never of less', () => {
    const paid = { status: 'paid', receivedAmount: amount } as const
    expect(events(paid, { receivedAmount: more })).toEqual(['invoice.overpaid'])
    const over = { status: 'paid', receivedAmount: more } as const
    expect(events(over, { receivedAmount: baseUnits(more + 1n) })).toEqual(['invoice.overpaid'])
    expect(events(over, { receivedAmount: amount })).toEqual([])
    expect(events({}, { status: 'paid', receivedAmount: more })).toEqual([
      'invoice.paid',
      'invoice.overpaid',
    ])
  })
})
