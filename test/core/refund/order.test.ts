import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import type { DepositRows } from '../../../core/invoice/depositBooks.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { feeLeftAfter } from '../../../core/refund/order.ts'
import { anInvoice, aPayment, aSettlement, NOW } from '../../support/core/invoiceRows.ts'

/** The invoice bears a fee of 5,000. */
function feeLeft(invoice: Partial<Invoice>, rows: Partial<DepositRows>): bigint {
  const all = { payments: [], settlements: [], refunds: [], ...rows }
  return feeLeftAfter(anInvoice(invoice), all, { networkId: 'sepolia' }, NOW)
}

const BACK = { refunding: baseUnits(100n) }
const over = { expiresAt: new Date(NOW.getTime() - 1) }

describe('after a refund that deploys it, a deposit lets be charged', () => {
  const CASES: Readonly<Record<string, readonly [bigint, Partial<Invoice>, Partial<DepositRows>]>> =
    {
      'the fee, while money of the invoice stays': [5_000n, over, { payments: [aPayment(100n)] }],
      'the fee, while late money stays that may be accepted': [
        5_000n,
        over,
        { payments: [aPayment(100n, BACK), aPayment(1n, { kind: 'late' })] },
      ],
      'the fee, while a payment may still be on time': [
        5_000n,
        { expiresAt: NOW },
        { payments: [aPayment(100n, BACK)] },
      ],
      'the fee, where there is no deadline': [5_000n, {}, { payments: [aPayment(100n, BACK)] }],
      'nothing, when all goes back after the deadline': [
        0n,
        over,
        { payments: [aPayment(100n, BACK), aPayment(9n, { refunded: baseUnits(9n) })] },
      ],
      'nothing, when all goes back after it was closed': [
        0n,
        { closedAt: new Date(NOW.getTime() - 1) },
        { payments: [aPayment(100n, BACK)] },
      ],
      'nothing for money that counts nowhere': [
        0n,
        over,
        {
          payments: [
            aPayment(100n, { kind: 'foreign' }),
            aPayment(100n, { status: 'reverted' }),
            aPayment(100n, { networkId: 'base-sepolia' }),
          ],
        },
      ],
      'nothing on a chain that the invoice does not list': [
        0n,
        { chains: ['base-sepolia'] },
        { payments: [aPayment(100n)] },
      ],
      'only what no sweep has charged elsewhere': [
        2_000n,
        {},
        {
          settlements: [
            aSettlement(10_000n, 3_000n, { networkId: 'base-sepolia', status: 'open' }),
            aSettlement(10_000n, 4_000n, { networkId: 'base-sepolia', status: 'failed' }),
            aSettlement(10_000n, 2_000n, { status: 'open' }),
          ],
        },
      ],
      'only what was agreed after less was accepted': [
        1_000n,
        { platformFee: baseUnits(1_000n) },
        {},
      ],
    }
  for (const [what, [expected, invoice, rows]] of Object.entries(CASES)) {
    test(what, () => {
      expect(feeLeft(invoice, rows)).toBe(expected)
    })
  }
})
