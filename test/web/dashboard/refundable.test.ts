import { describe, expect, test } from 'bun:test'
import {
  type InvoiceMoney,
  refundableByWallet,
  refundableHere,
} from '../../../web/dashboard/invoice/refundable.ts'

/** What of an invoice is offered to be paid back, by the service and by the merchant's own wallet. */

type Payment = InvoiceMoney['transactions'][number]

const paid = (change: Partial<Payment>): Payment => ({
  ...{ type: 'payment', status: 'confirmed', chain: 'base', amount: '10', from: '0xA' },
  ...{ refundedAmount: '0', refundingAmount: '0', tokenAddress: '0xT' },
  ...change,
})
const settled = (amount: string, status: string, chain = 'base') => ({ amount, status, chain })
const sentBack = (amount: string, status: string, external = true) => ({
  ...{ amount, status, chain: 'base', external },
})

function invoice(change: Partial<InvoiceMoney>): InvoiceMoney {
  return { transactions: [], settlements: [], refunds: [], payerRefundAddress: null, ...change }
}

describe('by the service', () => {
  const here = (change: Partial<InvoiceMoney>) => refundableHere(invoice(change))

  test('what no payout has taken, to each payer no more than it paid', () => {
    const transactions = [paid({}), paid({ from: '0xB', amount: '2.5' })]
    expect(here({ transactions })).toMatchObject({
      most: '12.5',
      payers: [
        { address: '0xB', amount: '2.5', chain: 'base' },
        { address: '0xA', amount: '10', chain: 'base' },
      ],
    })
    const settlements = [settled('9', 'open'), settled('10', 'failed')]
    expect(here({ transactions, settlements })).toMatchObject({
      most: '3.5',
      payers: [{ amount: '2.5' }, { amount: '3.5' }],
    })
  })

  test('nothing that was refunded or is late, pending, or paid out', () => {
    const transactions = [paid({ refundedAmount: '4', refundingAmount: '5' })]
    expect(here({ transactions })).toMatchObject({ most: '1' })
    expect(here({ transactions: [paid({ type: 'late_payment' })] })).toBeNull()
    expect(here({ transactions: [paid({ status: 'pending' })] })).toBeNull()
    expect(here({ transactions: [paid({})], settlements: [settled('10', 'mined')] })).toBeNull()
    expect(here({})).toBeNull()
  })
})

describe('by the merchant’s own wallet', () => {
  const byWallet = (change: Partial<InvoiceMoney>) => refundableByWallet(invoice(change))

  test('what payouts have taken and was not sent back, on the payer’s network', () => {
    const transactions = [paid({}), paid({ chain: 'polygon', from: '0xB', amount: '3' })]
    const settlements = [settled('10', 'confirmed'), settled('3', 'mined', 'polygon')]
    expect(byWallet({ transactions, settlements })).toMatchObject({
      most: '13',
      payers: [
        { address: '0xA', amount: '10', chain: 'base' },
        { address: '0xB', amount: '3', chain: 'polygon' },
      ],
    })
    const refunds = [
      sentBack('12', 'mined'),
      sentBack('10', 'failed'),
      sentBack('9', 'mined', false),
    ]
    expect(byWallet({ transactions, settlements, refunds })).toMatchObject({
      most: '1',
      payers: [{ amount: '1' }, { amount: '1' }],
    })
  })

  test('to the address that the payer left first; nothing before a payout', () => {
    const transactions = [paid({})]
    const settlements = [settled('10', 'confirmed')]
    expect(
      byWallet({ transactions, settlements, payerRefundAddress: '0xC' })?.payers,
    ).toMatchObject([
      { address: '0xC', amount: '10' },
      { address: '0xA', amount: '10' },
    ])
    expect(byWallet({ transactions, settlements: [settled('10', 'open')] })).toBeNull()
    const refunds = [sentBack('10', 'confirmed')]
    expect(byWallet({ transactions, settlements, refunds })).toBeNull()
  })
})
