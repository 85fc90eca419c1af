import type { Query } from '../shapes.ts'
import { answerOf, type CallOptions, dataOf, type Transport } from '../transport.ts'

/** Balances, movements, and search over invoices. */

/** Search over invoices. */
export function searchOf({ api }: Transport) {
  /** Finds invoices by id, reference, externalRef, hash, address or payer: at most 20, the best matches first. */
  return (q: string, options: CallOptions = {}) =>
    dataOf(api.GET('/v1/search', { params: { query: { q } }, ...options }))
}

export function balancesOf({ api }: Transport) {
  return {
    /** Held, in transit, settled and refunded amounts, by chain and token. */
    list(options: CallOptions = {}) {
      return dataOf(api.GET('/v1/balances', { ...options }))
    },
  }
}

/** Reports for bookkeeping; a merchant reads one at a time. */
export function reportsOf({ api }: Transport) {
  return {
    /** The confirmed amounts by day (UTC), chain and token; by default of the last 30 days. */
    daily(range: Query<'reportDays'> = {}, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/reports/daily', { params: { query: range }, ...options }))
    },
    /** Every transaction as CSV with a header, streamed: it may be of any length. */
    async transactionsCsv(range: Query<'reportTransactions'> = {}, options: CallOptions = {}) {
      const call = { params: { query: range }, parseAs: 'stream', ...options } as const
      return answerOf(api.GET('/v1/reports/transactions.csv', call))
    },
  }
}
