import { RedisClient } from 'bun'
import { openPatience } from './patience.ts'

/**
 * The connection to Redis for commands that answer a request, through Bun's own client, which costs a
 * request half as much as one in JavaScript. Redis is never worth waiting for: while it is away a
 * command fails at once, and one that is not answered soon fails as well. (Mailboxes have connections
 * of their own, with the patience that BullMQ needs.)
 */

/** A command may take so many beats of the process, together a quarter of a second. */
const COMMAND_BEATS = 10
const BEAT_MS = 25
const CONNECT_TIMEOUT_MS = 2_000
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 500

export interface RedisConnection {
  /** Sends a command. Rejects with what Redis says against it, or when it isn't answered in time. */
  send(command: string, ...args: readonly string[]): Promise<unknown>
  ping(): Promise<unknown>
  /** Resolves at the first connection. */
  readonly connected: Promise<void>
  close(): void
}

/** Opens a connection, which is made again for ever when it breaks. */
export function openRedis(
  url: string,
  options: { readonly name: string; onError(error: Error): void },
): RedisConnection {
  const connected = Promise.withResolvers<void>()
  let pause = FIRST_PAUSE_MS
  let reconnection: Timer | null = null
  let isClosed = false
  // The client's own reconnection ends for good when it is turned away, e.g. by a Redis that is full.
  const client = new RedisClient(url, {
    autoReconnect: false,
    enableOfflineQueue: false,
    connectionTimeout: CONNECT_TIMEOUT_MS,
  })

  client.onconnect = () => {
    pause = FIRST_PAUSE_MS
    send('CLIENT', 'SETNAME', options.name).catch(options.onError)
    connected.resolve()
  }
  // Called for an attempt that failed as well as for a connection that broke.
  client.onclose = (error) => {
    if (isClosed) return
    options.onError(error)
    reconnection = setTimeout(connect, pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }

  function connect(): void {
    client.connect().catch(() => {
      // It was told to onclose already.
    })
  }

  const patience = openPatience(
    COMMAND_BEATS,
    BEAT_MS,
    () => new Error(`Redis did not answer within ${COMMAND_BEATS * BEAT_MS} ms`),
  )

  function send(command: string, ...args: readonly string[]): Promise<unknown> {
    return patience(client.send(command, [...args]))
  }

  connect()
  return {
    send,
    ping: () => send('PING'),
    connected: connected.promise,
    close() {
      isClosed = true
      if (reconnection !== null) clearTimeout(reconnection)
      client.close()
    },
  }
}

/** Resolves when the connection is ready, or after `ms` without it. */
export async function waitForRedis(redis: RedisConnection, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([redis.connected, late.promise])
  clearTimeout(timer)
}

/** Closes the connection without waiting for a Redis that may be away. */
export function closeRedis(redis: RedisConnection): void {
  redis.close()
}
