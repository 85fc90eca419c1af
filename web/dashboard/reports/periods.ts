import type { DayJson } from '../../../core/invoice/report.ts'
import { sumOf } from '../parts/decimal.ts'
import type { Range } from './range.ts'

/** A line of the report: one day or month, network, token, and kind of sale. */
export interface Period {
  readonly kind: 'invoices' | 'x402'
  /** 2026-08-01, or 2026-08. */
  readonly period: string
  readonly chain: string
  readonly asset: string | null
  /** How many payments were confirmed. */
  readonly payments: number
  readonly received: string
  /** Null for x402, which knows no late payments. */
  readonly late: string | null
  readonly fees: string
  readonly remitted: string
  readonly refunded: string | null
}

/** The days as they are, or added up by month; invoices first in each. */
export function periodsOf(days: readonly DayJson[], by: Range['by']): readonly Period[] {
  const lines = [...days.filter(hasInvoices).map(ofInvoices), ...days.filter(hasX402).map(ofX402)]
  const groups = Map.groupBy(lines, ({ kind, period, chain, asset }) =>
    [by === 'month' ? period.slice(0, 7) : period, kind, chain, asset].join(' '),
  )
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .flatMap(([key, group]) => added(group, key.split(' ')[0] ?? ''))
}

/** What the whole range adds up to, for each kind and token. */
export function totalsOf(periods: readonly Period[]): readonly Period[] {
  const groups = Map.groupBy(periods, ({ kind, asset }) => `${kind} ${asset}`)
  return [...groups.values()].flatMap((group) => added(group, '', ''))
}

function added(group: readonly Period[], period: string, chain?: string): Period[] {
  const [first] = group
  if (first === undefined) return []
  const isX402 = first.kind === 'x402'
  const sum = (of: (line: Period) => string | null) => sumOf(group.map(of))
  return [
    {
      kind: first.kind,
      period,
      chain: chain ?? first.chain,
      asset: first.asset,
      payments: group.reduce((all, { payments }) => all + payments, 0),
      received: sum(({ received }) => received),
      late: isX402 ? null : sum(({ late }) => late),
      fees: sum(({ fees }) => fees),
      remitted: sum(({ remitted }) => remitted),
      refunded: sum(({ refunded }) => refunded),
    },
  ]
}

function ofInvoices(day: DayJson): Period {
  return {
    kind: 'invoices',
    period: day.day,
    chain: day.chain,
    asset: day.asset,
    payments: day.payments,
    received: day.receivedAmount ?? '0',
    late: day.lateAmount,
    fees: day.fees ?? '0',
    remitted: day.amountRemitted ?? '0',
    refunded: sumOf([day.refundedAmount, day.externallyRefundedAmount]),
  }
}

function ofX402(day: DayJson): Period {
  return {
    kind: 'x402',
    period: day.day,
    chain: day.chain,
    asset: day.asset,
    payments: day.x402Payments,
    received: day.x402ReceivedAmount ?? '0',
    late: null,
    fees: day.x402Fees ?? '0',
    remitted: day.x402AmountRemitted ?? '0',
    refunded: day.x402RefundedAmount ?? '0',
  }
}

function hasInvoices(day: DayJson): boolean {
  return day.payments + day.settlements + day.refunds + day.externalRefunds > 0
}

function hasX402(day: DayJson): boolean {
  return day.x402Payments + day.x402Payouts + day.x402Refunds > 0
}
