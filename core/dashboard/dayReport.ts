import { csvLine } from '../base/csv.ts'
import type { Chain } from '../chain/registry.ts'
import { presentDay, type ReportedDay } from '../invoice/report.ts'
import { type PayoutDay, presentPayoutDay } from '../x402/payout.ts'

/** The report of days as CSV: invoices and x402 side by side, a line for each day, chain and token. */

const DAY_COLUMNS = [
  'kind',
  'day',
  'chain',
  'asset',
  'payments',
  'receivedAmount',
  'lateAmount',
  'payouts',
  'amountRemitted',
  'fees',
  'refunds',
  'refundedAmount',
] as const

type Cells = Readonly<Record<(typeof DAY_COLUMNS)[number], string | null>>

export function dayReport(
  days: readonly ReportedDay[],
  payouts: readonly PayoutDay[],
  chains: readonly Chain[],
): string {
  const invoices = days.filter(hasInvoices).map((day): Cells => {
    const shown = presentDay(day, chains)
    return {
      kind: 'invoices',
      day: shown.day,
      chain: shown.chain,
      asset: shown.asset,
      payments: String(shown.payments),
      receivedAmount: shown.receivedAmount,
      lateAmount: shown.lateAmount,
      payouts: String(shown.settlements),
      amountRemitted: shown.amountRemitted,
      fees: shown.fees,
      refunds: String(shown.refunds),
      refundedAmount: shown.refundedAmount,
    }
  })
  const x402 = payouts.map((day): Cells => {
    const shown = presentPayoutDay(day, chains)
    return {
      kind: 'x402',
      day: shown.day,
      chain: shown.chain,
      asset: shown.asset,
      payments: null,
      receivedAmount: null,
      lateAmount: null,
      payouts: String(shown.payouts),
      amountRemitted: shown.amountRemitted,
      fees: shown.fees,
      refunds: null,
      refundedAmount: null,
    }
  })
  const lines = [...invoices, ...x402].map((cells) => DAY_COLUMNS.map((column) => cells[column]))
  return [DAY_COLUMNS, ...lines].map(csvLine).join('')
}

function hasInvoices(day: ReportedDay): boolean {
  return day.payments + day.settlements + day.refunds + day.externalRefunds > 0
}
