import type { RedisConnection } from './connection.ts'
import type { Outage } from './outage.ts'
import { openScript } from './script.ts'

/**
 * What a subject may cost: a bucket of units that holds as many as are refilled in a minute. Kept as the
 * moment at which the bucket will be full again (the generic cell rate algorithm), so that a subject is
 * one number, in Redis by its clock and in the process by its own.
 */

export interface Spending {
  readonly isAdmitted: boolean
  /** Seconds until there is enough; 0 when there is. */
  readonly retryAfter: number
}

export interface Budget {
  /** Takes units out of a subject's bucket, if there are enough; more than a bucket holds, if it is full. */
  spend(subject: string, units: number, perMinute: number): Promise<Spending>
}

const SUBJECTS_KEPT = 20_000

/** KEYS[1] the bucket; ARGV: what to take and what it holds, in microseconds. Answers the wait in ms. */
const SCRIPT = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local taken, size = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(now, tonumber(redis.call('get', KEYS[1]) or 0))
local wait = full + taken - now - size
if wait > 0 and full > now then return { math.ceil(math.min(wait, full - now) / 1000) } end
full = full + taken
redis.call('set', KEYS[1], string.format('%.0f', full), 'px', math.ceil((full - now) / 1000))
return { 0 }
`

/** `windowMs` is the time in which an empty bucket fills: a minute, but for tests. */
export function openBudget(
  redis: RedisConnection,
  prefix: string,
  outage: Outage,
  windowMs: number,
  subjectsKept: number = SUBJECTS_KEPT,
): Budget {
  const script = openScript(redis, SCRIPT)
  const own = openOwn(windowMs, subjectsKept)
  return {
    async spend(subject, units, perMinute) {
      const taken = Math.ceil((units * windowMs * 1_000) / perMinute)
      const waitMs = await outage.decide(
        async () => {
          const ownWait = own.waitMs(subject, taken)
          if (ownWait > 0) return ownWait
          const [wait = 0] = await script.run(`${prefix}:budget:${subject}`, [
            taken,
            windowMs * 1_000,
          ])
          if (wait === 0) own.take(subject, taken)
          return wait
        },
        () => {
          const wait = own.waitMs(subject, taken)
          if (wait === 0) own.take(subject, taken)
          return wait
        },
      )
      return { isAdmitted: waitMs === 0, retryAfter: Math.ceil(waitMs / 1_000) }
    },
  }
}

/** The buckets as this process knows them; those that were not used for longest are forgotten. */
function openOwn(windowMs: number, subjectsKept: number) {
  const fullAt = new Map<string, number>()
  const fullOf = (subject: string, now: number) => Math.max(now, fullAt.get(subject) ?? 0)
  return {
    waitMs(subject: string, taken: number): number {
      const now = performance.now()
      const full = fullOf(subject, now)
      const wait = full + taken / 1_000 - now - windowMs
      return wait > 0 && full > now ? Math.min(wait, full - now) : 0
    },
    take(subject: string, taken: number): void {
      const full = fullOf(subject, performance.now()) + taken / 1_000
      fullAt.delete(subject)
      fullAt.set(subject, full)
      const [stalest] = fullAt.keys()
      if (fullAt.size > subjectsKept && stalest !== undefined) fullAt.delete(stalest)
    },
  }
}
