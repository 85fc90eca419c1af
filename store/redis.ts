import { Redis } from 'ioredis'

/**
 * The connection to Redis for commands that answer a request. Redis is never worth waiting for: while
 * it is away a command fails at once, and one that is not answered soon fails as well. (Mailboxes have
 * connections of their own, with the patience that BullMQ needs.)
 */

const COMMAND_TIMEOUT_MS = 250
const CONNECT_TIMEOUT_MS = 2_000
const LONGEST_PAUSE_MS = 500

export type RedisConnection = Redis

/** Opens a connection, which is made again for ever when it breaks. */
export function openRedis(
  url: string,
  options: { readonly name: string; onError(error: Error): void },
): RedisConnection {
  const redis = new Redis(url, {
    connectionName: options.name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // Commands of requests that arrive together travel together.
    enableAutoPipelining: true,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(25 * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_MS),
  })
  redis.on('error', options.onError)
  return redis
}

/** Resolves when the connection is ready, or after `ms` without it. */
export async function waitForRedis(redis: RedisConnection, ms: number): Promise<void> {
  if (redis.status === 'ready') return
  const ready = Promise.withResolvers<void>()
  const timer = setTimeout(ready.resolve, ms)
  redis.once('ready', ready.resolve)
  await ready.promise
  clearTimeout(timer)
  redis.off('ready', ready.resolve)
}

/** Closes the connection without waiting for a Redis that may be away. */
export function closeRedis(redis: RedisConnection): void {
  redis.disconnect()
}
