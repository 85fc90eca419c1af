/**
 * How long rows are kept that serve a purpose and are no record of money. Money itself (invoices,
 * payments, settlements, refunds, distributions, and the transactions that moved them) is kept forever.
 */

/**
 * Work items that have ended, in days. Until the least, reconciliation expects one for every payment and
 * every sweep; after it, the rows of the payment and the sweep record the outcome.
 */
export const WORK_KEPT_DAYS = { usual: 30, least: 7 }

/**
 * The calldata and signed bytes of transactions that are too deep to be reorganised, in days. Nothing
 * sends these again; they only help to investigate.
 */
export const BYTES_KEPT_DAYS = { usual: 7, least: 1 }

/** What endpoints answered to webhooks, in days. The event and its deliveries stay longer. */
export const ANSWERS_KEPT_DAYS = { usual: 7, least: 1 }

const DAY_MS = 86_400_000

/** The moment before which rows that are kept for so many days may go. */
export function keptSince(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}
