import { type Database, isDatabaseDown } from './database.ts'

/**
 * A circuit breaker: requests must not queue for a Postgres that is away. The first fault opens it:
 * further work is refused at once, and nothing is executed later that no caller waits for any more. A
 * probe closes it again soon after the database is back.
 */

export interface Availability {
  /** Does the work, or throws DatabaseUnavailable when it can't be done in time. */
  guard<T>(work: () => Promise<T>, deadlineMs?: number): Promise<T>
  stop(): void
}

export interface AvailabilityEvents {
  onOutage(cause: unknown): void
  onRecovery(): void
}

/** The database can't be reached, or doesn't answer. Whether a write took effect is not known. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'

  constructor(cause: unknown) {
    super('the database is unavailable', { cause })
  }
}

/** How long work may take by default, in ms; a statement must not run longer. */
export const DEADLINE_MS = 5_000
const PROBE_EVERY_MS = 200
const PROBE_DEADLINE_MS = 2_000

export function watchAvailability(database: Database, events: AvailabilityEvents): Availability {
  let outage: unknown = null
  let isProbing = false
  let isStopped = false

  async function probe(): Promise<void> {
    if (isProbing) return
    isProbing = true
    while (!isStopped) {
      try {
        // What a standby refuses, as it would every write.
        await within(PROBE_DEADLINE_MS, database`select pg_notify('remit_probe', '')`)
        break
      } catch (error) {
        openCircuit(error)
        await Bun.sleep(PROBE_EVERY_MS)
      }
    }
    isProbing = false
    if (outage === null || isStopped) return
    outage = null
    events.onRecovery()
  }

  function openCircuit(cause: unknown): void {
    if (outage !== null || isStopped) return
    outage = cause ?? new Error('unknown fault')
    events.onOutage(cause)
  }

  return {
    async guard(work, deadlineMs = DEADLINE_MS) {
      if (outage !== null) throw new DatabaseUnavailable(outage)
      try {
        return await within(deadlineMs, work())
      } catch (error) {
        const isDown = isDatabaseDown(error)
        if (!isDown && !(error instanceof DeadlineError)) throw error
        // A query that is merely slow proves nothing: only the probe may open the circuit for it.
        if (isDown) openCircuit(error)
        void probe()
        throw new DatabaseUnavailable(error)
      }
    },
    stop() {
      isStopped = true
    },
  }
}

class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

function within<T>(ms: number, work: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineError(`no answer within ${ms} ms`)), ms)
    work.then(resolve, reject).then(() => clearTimeout(timer))
  })
}
