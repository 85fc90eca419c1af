import { expect } from 'bun:test'
import type { Difference, Report } from '../../../cli/books/report.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { type HubChain, startHubChain } from '../servers/chain.ts'
import { TestLedger } from './ledger.ts'

/** A ledger with invoices of every kind, and what a comparison of it with its chain says. */

export interface Books {
  readonly chain: HubChain
  readonly ledger: TestLedger
  /** Of 10 USDC, which it got and which were swept. */
  readonly exact: Invoice
  readonly unpaid: Invoice
  close(): Promise<void>
}

/** Six invoices: paid exactly, not at all, in parts, too much, in part, and late. */
export async function openBooks(): Promise<Books> {
  const chain = await startHubChain({ relayers: 3 })
  const ledger = await TestLedger.open(chain)
  const exact = await ledger.invoice('10')
  const unpaid = await ledger.invoice('7')
  const parts = await ledger.invoice('20')
  const over = await ledger.invoice('30')
  const partial = await ledger.invoice('40')
  const late = await ledger.invoice('50')
  await ledger.pay(exact, 10_000_000n)
  await ledger.pay(parts, 5_000_000n)
  await ledger.pay(over, 31_000_001n)
  await ledger.pay(partial, 1n)
  await ledger.pay(exact, 9_000_000n, 'USDT')
  await ledger.book()
  await ledger.pay(parts, 15_000_000n)
  await ledger.database`
    update invoice set closed_at = '2020-01-01' where id = ${late.id}`
  await ledger.pay(late, 50_000_000n)
  await ledger.book()
  await ledger.settle()
  return {
    chain,
    ledger,
    exact,
    unpaid,
    async close() {
      await ledger.close()
      await chain.node.stop()
    },
  }
}

/** Pays the exact invoice two more, which a second sweep remits. */
export async function payMore({ ledger, exact }: Books): Promise<void> {
  await ledger.pay(exact, 2_000_000n)
  await ledger.book()
  await ledger.settle()
}

export function totals(report: Report, symbol: string) {
  const found = report.chains.flatMap((c) => c.tokens).find((t) => t.symbol === symbol)
  if (!found) throw new Error(`the report has no ${symbol}`)
  const { received, late, foreign, remitted, fees, feesOnChain, feesOwed, held } = found
  return { received, late, foreign, remitted, fees, feesOnChain, feesOwed, held }
}

export function kinds(report: Report): string[] {
  return report.differences.map((difference) => difference.kind).toSorted()
}

export function only(report: Report, count: number): readonly Difference[] {
  expect(report.differences).toHaveLength(count)
  return report.differences
}
