import type { RedisConnection } from './redis.ts'

/**
 * An exact sliding window: one sorted set per subject holds the moments, by Redis' own clock, at which
 * requests were admitted within the last minute. Refused requests don't lengthen the wait. While Redis
 * is away everything is admitted, which is told once when it begins and once when it is over.
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

/**
 * KEYS[1] the window; ARGV: limit, window in microseconds, how many to take (1, or 0 to look only).
 * The member is the moment and the size of the set, which together never repeat: within one
 * microsecond the set only grows.
 */
const SCRIPT = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local limit, window, take = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('zremrangebyscore', KEYS[1], '-inf', string.format('%.0f', now - window))
local count = redis.call('zcard', KEYS[1])
if count < limit then
  if take == 1 then
    local moment = string.format('%.0f', now)
    redis.call('zadd', KEYS[1], moment, moment .. '-' .. count)
    redis.call('pexpire', KEYS[1], math.ceil(window / 1000))
  end
  return { 1, limit - count - take, 0 }
end
local freed = redis.call('zrange', KEYS[1], count - limit, count - limit, 'withscores')
return { 0, 0, math.ceil((tonumber(freed[2]) + window - now) / 1000000) }
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

  async function ask(subject: string, limit: number, take: 0 | 1): Promise<LimitVerdict> {
    if (isAway && performance.now() < leftAloneUntil) return admitted(limit)
    try {
      const verdict = await run(redis, `${prefix}:limit:${subject}`, limit, windowMs * 1000, take)
      if (isAway) {
        isAway = false
        events.onRecovery()
      }
      return verdict
    } catch (error) {
      leftAloneUntil = performance.now() + PAUSE_MS
      if (!isAway) {
        isAway = true
        events.onOutage(error)
      }
      return admitted(limit)
    }
  }

  return {
    take: (subject, limit) => ask(subject, limit, 1),
    peek: (subject, limit) => ask(subject, limit, 0),
  }
}

async function run(
  redis: RedisConnection,
  key: string,
  limit: number,
  windowUs: number,
  take: 0 | 1,
): Promise<LimitVerdict> {
  const args = ['1', key, String(limit), String(windowUs), String(take)]
  const answer = await redis.send('EVALSHA', SCRIPT_HASH, ...args).catch((error) => {
    // A Redis that was restarted or flushed has forgotten the script.
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return redis.send('EVAL', SCRIPT, ...args)
  })
  if (!Array.isArray(answer)) throw new TypeError('the rate limit script gave no list')
  const [isAdmitted, remaining, retryAfter] = answer.map(Number)
  return {
    isAdmitted: isAdmitted === 1,
    remaining: Math.max(0, remaining ?? 0),
    retryAfter: Math.max(isAdmitted === 1 ? 0 : 1, retryAfter ?? 1),
  }
}

function admitted(limit: number): LimitVerdict {
  return { isAdmitted: true, remaining: limit, retryAfter: 0 }
}
