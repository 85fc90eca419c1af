import { describe, expect, test } from 'bun:test'
import { baseUnits, sum } from '../../../core/base/money.ts'
import { checkLatePayment, checkPartial, feeOfAccepted } from '../../../core/invoice/acceptance.ts'
import { deriveFees, deriveFigures } from '../../../core/invoice/state.ts'
import { anInvoice, aPayment, aSettlement, NOW } from '../../support/core/invoiceRows.ts'

const POLICY = { rateBps: 50, ceiling: null }

describe('a late payment', () => {
  test('can be accepted, once', () => {
    expect(checkLatePayment(aPayment(1n, { kind: 'late' }))).toEqual({ ok: true, isNew: true })
    const accepted = aPayment(1n, { acceptedAt: NOW })
    expect(checkLatePayment(accepted)).toEqual({ ok: true, isNew: false })
  })

  test.each([
    ['on time', { kind: 'counted' }, 'transaction_not_late'],
    ['of another token', { kind: 'foreign' }, 'transaction_not_late'],
    ['gone with its block', { kind: 'late', status: 'reverted' }, 'transaction_reverted'],
    ['given back', { kind: 'late', refunded: baseUnits(1n) }, 'transaction_refunded'],
    ['on its way back', { kind: 'late', refunding: baseUnits(1n) }, 'transaction_refunded'],
  ] as const)('can not be accepted when it is %s', (_, change, code) => {
    expect(checkLatePayment(aPayment(5n, change))).toEqual({ ok: false, code })
  })
})

describe('what was received', () => {
  test('is enough with the fee of what was received', () => {
    const invoice = anInvoice({ status: 'partial', receivedAmount: baseUnits(600_000n) })
    const acceptedAmount = baseUnits(600_000n)
    expect(checkPartial(invoice)).toEqual({ ok: true, acceptedAmount })
    expect(feeOfAccepted({ ...invoice, acceptedAmount }, [], POLICY)).toBe(baseUnits(3_000n))
  })

  test('never costs more than was agreed, regardless of what the rate is now', () => {
    const invoice = anInvoice({ acceptedAmount: baseUnits(600_000n) })
    expect(feeOfAccepted(invoice, [], { rateBps: 1000, ceiling: null })).toBe(baseUnits(5_000n))
  })

  test('costs no less than what a sweep has taken already', () => {
    const invoice = anInvoice({ acceptedAmount: baseUnits(600_000n) })
    const swept = [aSettlement(1_000_000n, 4_000n)]
    expect(feeOfAccepted(invoice, swept, POLICY)).toBe(baseUnits(4_000n))
  })

  test('must be something, and less than was asked for', () => {
    const pending = anInvoice()
    expect(checkPartial(pending)).toEqual({ ok: false, code: 'nothing_received' })
    const paid = anInvoice({ status: 'paid' })
    expect(checkPartial(paid)).toEqual({ ok: false, code: 'invoice_already_paid' })
  })

  test('was accepted before', () => {
    const paid = anInvoice({ status: 'paid', acceptedAmount: baseUnits(600_000n) })
    expect(checkPartial(paid)).toEqual({ ok: true, acceptedAmount: null })
  })

  test('pays the invoice, and bears all of the fee', () => {
    const invoice = anInvoice({
      acceptedAmount: baseUnits(600_000n),
      platformFee: baseUnits(3_000n),
    })
    const payments = [aPayment(400_000n), aPayment(200_000n)]
    expect(deriveFigures(invoice, payments, [], NOW)).toMatchObject({ status: 'paid' })
    expect(sum(deriveFees(invoice, payments).values())).toBe(baseUnits(3_000n))
  })
})
