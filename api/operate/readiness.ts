/** Whether everything that invoices depend on works, in words for the operator. */
export interface Readiness {
  /** What keeps invoices from being paid or settled, or merchants from being notified. */
  readonly problems: readonly string[]
  /** What will do so unless an operator intervenes. */
  readonly warnings: readonly string[]
}

/** A head older than this is followed by no worker; an event that waits longer, by no notifier; in ms. */
export const STALE_AFTER_MS = 30_000

/** How long something has lasted, in whole seconds. */
export function ageInSeconds(since: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1_000))
}
