import type { MerchantId } from '../../core/base/ids.ts'
import type { Availability } from './availability.ts'
import type { Database } from './database.ts'

/**
 * Reads that may take long, such as reports: on connections of their own, so that they take none from other
 * requests, and one at a time for each merchant, so that no merchant takes all of them.
 */
export interface LongReads {
  /** Begins a read, after the reader's own that are under way; null when they take too long. */
  begin(reader: Reader): Promise<LongRead | null>
}

export interface LongRead {
  /** Reads a part, on one connection. Throws DatabaseUnavailable when that takes too long. */
  read<T>(work: (database: Database) => Promise<T>): Promise<T>
  end(): void
}

/** Whose reads go one after the other. */
export type Reader = MerchantId | 'operator'

export interface LongReadLimits {
  /** How long a read waits for others of the merchant before it is refused, in ms. */
  readonly timeoutMs: number
  /** How long a read keeps its turn while its caller takes nothing of it, in ms. */
  readonly idleMs: number
}

export const LONG_READ_CONNECTIONS = 2
/** How long one part may take; the statement as well. */
export const LONG_READ_MS = 20_000
const LIMITS: LongReadLimits = { timeoutMs: 2_000, idleMs: 5_000 }
/** How long a read waits that was begun and has lost its turn, in ms. */
const RESUME_MS = 60_000
/** The most reads of a merchant that wait. */
const MOST_WAITING = 10

/** `database` is a pool for nothing else. */
export function openLongReads(
  database: Database,
  availability: Availability,
  { timeoutMs, idleMs }: LongReadLimits = LIMITS,
): LongReads {
  const turns = new Turns()

  return {
    async begin(reader) {
      if (!(await turns.take(reader, timeoutMs))) return null
      let hasTurn = true
      let isReading = false
      let isEnded = false
      let idle: Timer | null = null

      function giveTurn(): void {
        if (idle !== null) clearTimeout(idle)
        if (hasTurn) turns.give(reader)
        hasTurn = false
      }

      return {
        async read(work) {
          if (idle !== null) clearTimeout(idle)
          hasTurn ||= await turns.take(reader, RESUME_MS)
          if (!hasTurn) throw new Error('other reads of the merchant took too long')
          isReading = true
          try {
            return await availability.guard(() => work(database), LONG_READ_MS)
          } finally {
            isReading = false
            if (isEnded) giveTurn()
            else idle = setTimeout(giveTurn, idleMs)
          }
        },
        end() {
          isEnded = true
          // An abandoned statement still runs, and counts as the merchant's.
          if (!isReading) giveTurn()
        },
      }
    },
  }
}

/** One turn for each key; others wait for it in their order. */
class Turns {
  /** Who waits; a key is here while its turn is taken. */
  private readonly waiting = new Map<string, (() => void)[]>()

  async take(key: string, timeoutMs: number): Promise<boolean> {
    const others = this.waiting.get(key)
    if (others === undefined) {
      this.waiting.set(key, [])
      return true
    }
    if (others.length >= MOST_WAITING) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const grant = () => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => {
      others.splice(others.indexOf(grant), 1)
      resolve(false)
    }, timeoutMs)
    others.push(grant)
    return promise
  }

  give(key: string): void {
    const next = this.waiting.get(key)?.shift()
    if (next === undefined) this.waiting.delete(key)
    else next()
  }
}
