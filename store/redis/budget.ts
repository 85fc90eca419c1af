import { mostOfNetwork } from '../../core/base/network.ts'
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
  /**
   * Takes units out of the buckets of a subject, or of the networks of a client, the narrowest first, if there are
   * enough in each of them; more than a bucket holds, if it is full. The widest holds twice `perMinute`
   * (`mostOfNetwork`).
   */
  spend(subjects: readonly string[], units: number, perMinute: number): Promise<Spending>
}

const SUBJECTS_KEPT = 20_000

/**
 * KEYS the buckets; ARGV: what they hold, and what to take out of each, in microseconds until it is refilled. Answers
 * the longest wait in ms.
 */
const SCRIPT = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local size, longest, fulls = tonumber(ARGV[1]), 0, {}
for n, key in ipairs(KEYS) do
  local full = math.max(now, tonumber(redis.call('get', key) or 0))
  fulls[n] = full + tonumber(ARGV[n + 1])
  local wait = fulls[n] - now - size
  if full > now then longest = math.max(longest, math.min(wait, full - now)) end
end
if longest > 0 then return { math.ceil(longest / 1000) } end
for n, key in ipairs(KEYS) do
  redis.call('set', key, string.format('%.0f', fulls[n]), 'px', math.ceil((fulls[n] - now) / 1000))
end
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
    async spend(subjects, units, perMinute) {
      const takings = subjects.map((subject, place) => ({
        subject,
        taken: Math.ceil((units * windowMs * 1_000) / mostOfNetwork(place, subjects, perMinute)),
      }))
      const ownWait = () => Math.max(...takings.map(own.waitMs))
      const waitMs = await outage.decide(
        async () => {
          const before = ownWait()
          if (before > 0) return before
          const [wait = 0] = await script.run(
            subjects.map((subject) => `${prefix}:budget:${subject}`),
            [windowMs * 1_000, ...takings.map(({ taken }) => taken)],
          )
          if (wait === 0) takings.forEach(own.take)
          return wait
        },
        () => {
          const wait = ownWait()
          if (wait === 0) takings.forEach(own.take)
          return wait
        },
      )
      return { isAdmitted: waitMs === 0, retryAfter: Math.ceil(waitMs / 1_000) }
    },
  }
}

/** What is taken out of a bucket, in microseconds until it is refilled. */
interface Taking {
  readonly subject: string
  readonly taken: number
}

/** The buckets as this process knows them; those that were not used for longest are forgotten. */
function openOwn(windowMs: number, subjectsKept: number) {
  const fullAt = new Map<string, number>()
  const fullOf = (subject: string, now: number) => Math.max(now, fullAt.get(subject) ?? 0)
  return {
    waitMs({ subject, taken }: Taking): number {
      const now = performance.now()
      const full = fullOf(subject, now)
      const wait = full + taken / 1_000 - now - windowMs
      return wait > 0 && full > now ? Math.min(wait, full - now) : 0
    },
    take({ subject, taken }: Taking): void {
      const full = fullOf(subject, performance.now()) + taken / 1_000
      fullAt.delete(subject)
      fullAt.set(subject, full)
      const [stalest] = fullAt.keys()
      if (fullAt.size > subjectsKept && stalest !== undefined) fullAt.delete(stalest)
    },
  }
}
