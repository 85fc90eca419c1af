import type { Query } from '../shapes.ts'
import { answerOf, type CallOptions, dataOf, type Transport } from '../transport.ts'

/** Where a merchant's money is, what was moved, and which invoice somebody asks about. */

/** Invoices by anything that a customer may quote. */
export function searchOf({ api }: Transport) {
  /** Finds invoices by id, reference, externalRef, hash, address or payer: at most 20, the best matches first. */
  return (q: string, options: CallOptions = {}) =>
    dataOf(api.GET('/v1/search', { params: { query: { q } }, ...options }))
}

export function balancesOf({ api }: Transport) {
  return {
    /** What is held, on its way, settled and refunded, by chain and token. */
    list(options: CallOptions = {}) {
      return dataOf(api.GET('/v1/balances', { ...options }))
    },
  }
}

/** Reports for bookkeeping; a merchant reads one at a time. */
export function reportsOf({ api }: Transport) {
  return {
    /** For each day in UTC, chain and token what was confirmed on it; the last 30 days unless told otherwise. */
    daily(range: Query<'reportDays'> = {}, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/reports/daily', { params: { query: range }, ...options }))
    },
    /** Every transaction as CSV with a header, read as it is used up: it may be of any length. */
    async transactionsCsv(range: Query<'reportTransactions'> = {}, options: CallOptions = {}) {
      const call = { params: { query: range }, parseAs: 'stream', ...options } as const
      return answerOf(api.GET('/v1/reports/transactions.csv', call))
    },
  }
}
