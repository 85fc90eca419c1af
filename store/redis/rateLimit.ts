import { gather } from '../gather.ts'
import type { RedisConnection } from './connection.ts'

/**
 * An exact sliding window: one sorted set per subject holds the moments, by Redis' own clock, at which
 * requests were admitted within the last minute. Refused requests don't lengthen the wait. While Redis
 * is away everything is admitted, which is reported when it begins and when it is over.
 */

export interface LimitVerdict {
  readonly isAdmitted: boolean
  /** How many more would be admitted now. */
  readonly remaining: number
  /** Seconds until the next one is admitted; 0 when it would be now. */
  readonly retryAfter: number
}

export interface LimiterEvents {
  onOutage(error: unknown): void
  onRecovery(): void
}

export interface RateLimiter {
  /** Counts a request of the subject, if it is still admitted. */
  take(subject: string, limit: number): Promise<LimitVerdict>
  /** What `take` would say, without counting anything. */
  peek(subject: string, limit: number): Promise<LimitVerdict>
}

const WINDOW_MS = 60_000
/** How long a Redis that failed is left alone, so that requests don't wait for it one by one. */
const PAUSE_MS = 1_000
/** Subjects that are remembered; a forgotten one costs nothing but a new entry. */
const SUBJECTS_KEPT = 10_000

/**
 * KEYS[1] the window; ARGV: limit, window in microseconds, how many to take (0 to look only). Answers how
 * many there was room for, and for the others in how many seconds there will be room. A member is the
 * moment and the size of the set, which together never repeat: within one microsecond the set only grows.
 */
const SCRIPT = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local limit, window, take = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('zremrangebyscore', KEYS[1], '-inf', string.format('%.0f', now - window))
local count = redis.call('zcard', KEYS[1])
local room = math.max(0, limit - count)
local taken = math.min(take, room)
if taken > 0 then
  local moment = string.format('%.0f', now)
  for i = count, count + taken - 1 do redis.call('zadd', KEYS[1], moment, moment .. '-' .. i) end
  redis.call('pexpire', KEYS[1], math.ceil(window / 1000))
end
if room > 0 and taken == take then return { room, 0 } end
local first = count + taken - limit
local freed = redis.call('zrange', KEYS[1], first, first, 'withscores')
return { room, math.ceil((tonumber(freed[2]) + window - now) / 1000000) }
`
const SCRIPT_HASH = new Bun.CryptoHasher('sha1').update(SCRIPT).digest('hex')

/** Opens a limiter whose windows live under the given key prefix. `windowMs` differs in tests only. */
export function openRateLimiter(
  redis: RedisConnection,
  prefix: string,
  events: LimiterEvents,
  windowMs: number = WINDOW_MS,
): RateLimiter {
  let leftAloneUntil = 0
  let isAway = false

  /** Asks for some requests of one subject at once; with 0, what would be said of one. */
  async function ask(subject: string, limit: number, take: number): Promise<LimitVerdict[]> {
    const all = Math.max(1, take)
    if (isAway && performance.now() < leftAloneUntil) return Array(all).fill(admitted(limit))
    try {
      const { room, wait } = await run(
        redis,
        `${prefix}:limit:${subject}`,
        limit,
        windowMs * 1000,
        take,
      )
      if (isAway) {
        isAway = false
        events.onRecovery()
      }
      return Array.from({ length: all }, (_, i) => verdict(room, i, Math.min(1, take), wait))
    } catch (error) {
      leftAloneUntil = performance.now() + PAUSE_MS
      if (!isAway) {
        isAway = true
        events.onOutage(error)
      }
      return Array(all).fill(admitted(limit))
    }
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
      // A request that waits too long for Redis is let through, and never refused.
      patienceMs: Number.POSITIVE_INFINITY,
      lanes: 1,
    })
    counters.set(`${limit} ${subject}`, counter)
    return counter
  }

  return {
    take: (subject, limit) => counterOf(subject, limit)(true),
    async peek(subject, limit) {
      const [verdict = admitted(limit)] = await ask(subject, limit, 0)
      return verdict
    },
  }
}

/** The verdict on the request at this place among those that were counted together. */
function verdict(room: number, place: number, taken: number, wait: number): LimitVerdict {
  const isAdmitted = place < room
  const remaining = Math.max(0, room - place - taken)
  return { isAdmitted, remaining, retryAfter: isAdmitted ? 0 : Math.max(1, wait) }
}

async function run(
  redis: RedisConnection,
  key: string,
  limit: number,
  windowUs: number,
  take: number,
): Promise<{ readonly room: number; readonly wait: number }> {
  const args = ['1', key, String(limit), String(windowUs), String(take)]
  const answer = await redis.send('EVALSHA', SCRIPT_HASH, ...args).catch((error) => {
    // A Redis that was restarted or flushed has forgotten the script.
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return redis.send('EVAL', SCRIPT, ...args)
  })
  if (!Array.isArray(answer)) throw new TypeError('the rate limit script gave no list')
  const [room = 0, wait = 1] = answer.map(Number)
  return { room, wait }
}

function admitted(limit: number): LimitVerdict {
  return { isAdmitted: true, remaining: limit, retryAfter: 0 }
}
