import type { MerchantId } from '../../core/base/ids.ts'
import { type Availability, DatabaseUnavailable } from './availability.ts'
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
  /**
   * Reads a part, on one connection. Throws DatabaseUnavailable when that takes too long: work that has begun goes
   * on, and keeps the turn until it is over; work that still waits for a connection is never begun.
   */
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
  /** How long one part may take, its wait for a connection included, in ms. */
  readonly partMs: number
}

export const LONG_READ_CONNECTIONS = 2
/** How long one part may take; the statement as well. */
export const LONG_READ_MS = 20_000
const LIMITS: LongReadLimits = { timeoutMs: 2_000, idleMs: 5_000, partMs: LONG_READ_MS }
/** How long a read waits that was begun and has lost its turn, in ms. */
const RESUME_MS = 60_000
/** The most reads of a merchant that wait. */
const MOST_WAITING = 10

/** `database` is a pool for nothing else. */
export function openLongReads(
  database: Database,
  availability: Availability,
  limits: Partial<LongReadLimits> = {},
): LongReads {
  const { timeoutMs, idleMs, partMs } = { ...LIMITS, ...limits }
  const turns = new Turns(1, MOST_WAITING)
  const connections = new Turns(LONG_READ_CONNECTIONS, Number.POSITIVE_INFINITY)

  async function connected<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (!(await connections.take('', partMs))) {
      throw new DatabaseUnavailable(new Error(`no connection within ${partMs} ms`))
    }
    try {
      return await work(database)
    } finally {
      connections.give('')
    }
  }

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
          let working: Promise<unknown> = Promise.resolve()
          function rest(): void {
            isReading = false
            if (isEnded) giveTurn()
            else idle = setTimeout(giveTurn, idleMs)
          }
          try {
            return await availability.guard(() => {
              const result = connected(work)
              working = result
              return result
            }, partMs)
          } finally {
            void working.then(rest, rest)
          }
        },
        end() {
          isEnded = true
          // Abandoned work still runs, and counts as the merchant's.
          if (!isReading) giveTurn()
        },
      }
    },
  }
}

/** So many turns for each key; others wait for one in their order. */
class Turns {
  /** The keys of which a turn is taken. */
  private readonly keys = new Map<string, { free: number; readonly waiting: (() => void)[] }>()

  constructor(
    private readonly size: number,
    private readonly mostWaiting: number,
  ) {}

  async take(key: string, timeoutMs: number): Promise<boolean> {
    const turns = this.keys.get(key) ?? { free: this.size, waiting: [] }
    this.keys.set(key, turns)
    if (turns.free > 0) {
      turns.free -= 1
      return true
    }
    const { waiting } = turns
    if (waiting.length >= this.mostWaiting) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const grant = () => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(grant), 1)
      resolve(false)
    }, timeoutMs)
    waiting.push(grant)
    return promise
  }

  /** Passes a turn on directly, so that no other can take it. */
  give(key: string): void {
    const turns = this.keys.get(key)
    if (turns === undefined) return
    const next = turns.waiting.shift()
    if (next === undefined) turns.free += 1
    else next()
    if (turns.free === this.size) this.keys.delete(key)
  }
}
