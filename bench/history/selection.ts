import type { HistorySize } from './size.ts'

/** What `bun run bench history` measures. */
export interface HistorySelection extends HistorySize {
  /** The folder of another Postgres than the embedded one, e.g. /usr/lib/postgresql/15. */
  readonly postgres: string | undefined
  /** A folder that keeps the seeded database for the next run. */
  readonly kept: string | undefined
}

/** The flags, as they were given. */
export interface HistoryFlags {
  readonly quick: boolean
  readonly invoices?: string | undefined
  readonly postgres?: string | undefined
  readonly keep?: string | undefined
}

const INVOICES = { whole: 5_000_000, quick: 50_000 }

/** The rest of the history is as long in proportion to the invoices. Throws a TypeError for no number. */
export function parseHistory({ quick, invoices, postgres, keep }: HistoryFlags): HistorySelection {
  const count = Number(invoices ?? (quick ? INVOICES.quick : INVOICES.whole))
  if (!Number.isSafeInteger(count) || count < 1_000) {
    throw new TypeError('--invoices is a number of at least 1000')
  }
  return {
    invoices: count,
    transactions: Math.round(count * 0.12),
    deliveries: count * 2,
    x402Payments: Math.round(count * 0.12),
    postgres,
    kept: keep,
  }
}
