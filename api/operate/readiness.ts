/** Readiness: problems and warnings for the operator. */
export interface Readiness {
  /** Conditions that prevent payments, settlements or webhooks. */
  readonly problems: readonly string[]
  /** Conditions that will become problems unless an operator intervenes. */
  readonly warnings: readonly string[]
}

/** Older heads show that no worker is running, older pending events no notifier; in ms. */
export const STALE_AFTER_MS = 30_000

/** The age of a time, in whole seconds. */
export function ageInSeconds(since: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1_000))
}
