import { gather } from '../database/gather.ts'
import { type Budget, openBudget } from './budget.ts'
import type { RedisConnection } from './connection.ts'
import { openFallbackLimits, type Room } from './fallbackLimits.ts'
import { type LimiterEvents, type Outage, watchOutage } from './outage.ts'
import { openScript, type Script } from './script.ts'

/**
 * An exact sliding window: one sorted set per subject holds the moments, by Redis' own clock, at which requests
 * were admitted within the last minute, and how many. Refused requests don't lengthen the wait. While Redis is away each
 * process limits on its own, from what it has admitted, which is reported when it begins and when it is over.
 * Redis doesn't know what was admitted meanwhile, and may have been flushed or restarted unnoticed: so both
 * have to admit every request.
 */

export interface LimitVerdict {
  readonly isAdmitted: boolean
  /** How many more would be admitted now. */
  readonly remaining: number
  /** Seconds until the next one is admitted; 0 when it would be now. */
  readonly retryAfter: number
}

export interface Windows {
  /** Counts a request of the subject, if it is still admitted. */
  take(subject: string, limit: number): Promise<LimitVerdict>
  /** What `take` would return, without counting anything. */
  peek(subject: string, limit: number): Promise<LimitVerdict>
}

/** Windows of a minute. */
export interface RateLimiter extends Budget, Windows {
  readonly hourly: Windows
}

const WINDOW_MS = 60_000
const MINUTES = 60
/** Subjects that are remembered; a forgotten one costs nothing but a new entry. */
const SUBJECTS_KEPT = 10_000

/**
 * KEYS[1] the window; ARGV: limit, window in microseconds, how many to take (0 to only read). Answers how
 * many there was room for, and for the others in how many ms there will be room. A member is what was
 * admitted together: the numbers of the first and after the last since the window was empty, of equal lengths, so that
 * members of one moment have their order. A clock that was set back never brings a member before those it follows.
 */
const SCRIPT = `
local function admitted(rank)
  local member, moment = unpack(redis.call('zrange', KEYS[1], rank, rank, 'withscores'))
  if not member then return { first = 0, next = 0, moment = 0 } end
  local first, next = string.match(member, '(%d+)-(%d+)')
  return { first = tonumber(first), next = tonumber(next), moment = tonumber(moment) }
end
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local limit, window, take = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('zremrangebyscore', KEYS[1], '-inf', string.format('%.0f', now - window))
local oldest, newest = admitted(0), admitted(-1)
local room = math.max(0, limit - (newest.next - oldest.first))
local taken = math.min(take, room)
if taken > 0 then
  local moment = math.max(now, newest.moment)
  local member = string.format('%015.0f-%015.0f', newest.next, newest.next + taken)
  redis.call('zadd', KEYS[1], string.format('%.0f', moment), member)
  redis.call('pexpire', KEYS[1], math.ceil((moment + window - now) / 1000))
end
if room > 0 and taken == take then return { room, 0 } end
local freeing = newest.next + taken - limit
local low, high = 0, redis.call('zcard', KEYS[1]) - 1
while low < high do
  local middle = math.floor((low + high) / 2)
  if admitted(middle).next > freeing then high = middle else low = middle + 1 end
end
return { room, math.ceil((admitted(low).moment + window - now) / 1000) }
`

/** Opens a limiter whose windows live under the given key prefix. `windowMs` differs in tests only. */
export function openRateLimiter(
  redis: RedisConnection,
  prefix: string,
  events: LimiterEvents,
  windowMs: number = WINDOW_MS,
): RateLimiter {
  const outage = watchOutage(events)
  const script = openScript(redis, SCRIPT)
  return {
    ...openBudget(redis, prefix, outage, windowMs),
    ...openWindows(script, `${prefix}:window`, outage, windowMs),
    hourly: openWindows(script, `${prefix}:hours`, outage, MINUTES * windowMs),
  }
}

function openWindows(script: Script, prefix: string, outage: Outage, windowMs: number): Windows {
  const fallback = openFallbackLimits(windowMs, () => performance.now())

  /** Admits some requests of one subject at once; with 0, only checks. */
  function ask(subject: string, limit: number, take: number): Promise<LimitVerdict[]> {
    return outage.decide(
      async () => {
        const own = fallback.peek(subject, limit)
        const most = Math.min(take, own.room)
        const args = [limit, windowMs * 1_000, most]
        const [room = 0, waitMs = 1] = await script.run([`${prefix}:${subject}`], args)
        fallback.count(subject, Math.min(most, room))
        const wait = Math.max(waitMs, fallback.peek(subject, limit).waitMs)
        return verdicts({ room: Math.min(room, own.room), waitMs: wait }, take)
      },
      () => {
        const { room } = fallback.peek(subject, limit)
        fallback.count(subject, Math.min(take, room))
        return verdicts({ room, waitMs: fallback.peek(subject, limit).waitMs }, take)
      },
    )
  }

  const counters = new Map<string, (take: true) => Promise<LimitVerdict>>()

  /** Requests of a subject that come while one of its is being counted are counted together. */
  function counterOf(subject: string, limit: number): (take: true) => Promise<LimitVerdict> {
    const known = counters.get(`${limit} ${subject}`)
    if (known) return known
    if (counters.size >= SUBJECTS_KEPT) counters.clear()
    const counter = gather<true, LimitVerdict>({
      work: (requests) => ask(subject, limit, requests.length),
      isItemError: () => false,
      // A request that waits too long for Redis is counted by the process itself, and never lost.
      timeoutMs: Number.POSITIVE_INFINITY,
      lanes: 1,
    })
    counters.set(`${limit} ${subject}`, counter)
    return counter
  }

  return {
    take: (subject, limit) => counterOf(subject, limit)(true),
    async peek(subject, limit) {
      const [verdict] = await ask(subject, limit, 0)
      if (verdict === undefined) throw new TypeError('a peek at a limit has one verdict')
      return verdict
    },
  }
}

/** The verdicts on requests that were counted together; with 0, the verdict on one. */
export function verdicts({ room, waitMs }: Room, take: number): LimitVerdict[] {
  // Whole seconds, rounded up: who waits for so long is admitted.
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
  return Array.from({ length: Math.max(1, take) }, (_, place) => {
    const isAdmitted = place < room
    const remaining = Math.max(0, room - place - Math.min(1, take))
    return { isAdmitted, remaining, retryAfter: isAdmitted ? 0 : retryAfter }
  })
}
