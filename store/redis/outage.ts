/** Whether Redis is available, by the outcome of commands. */

export interface LimiterEvents {
  onOutage(error: unknown): void
  onRecovery(): void
}

export interface Outage {
  /** The answer of Redis, or this process's own while Redis is away. */
  decide<T>(ask: () => Promise<T>, alone: () => T): Promise<T>
}

/** How long a Redis that failed is left alone, so that requests don't wait for it one by one. */
const PAUSE_MS = 1_000

export function watchOutage(events: LimiterEvents): Outage {
  let isAway = false
  let leftAloneUntil = 0
  return {
    async decide(ask, alone) {
      if (isAway && performance.now() < leftAloneUntil) return alone()
      try {
        const answer = await ask()
        if (isAway) {
          isAway = false
          events.onRecovery()
        }
        return answer
      } catch (error) {
        leftAloneUntil = performance.now() + PAUSE_MS
        if (!isAway) {
          isAway = true
          events.onOutage(error)
        }
        return alone()
      }
    },
  }
}
