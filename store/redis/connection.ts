import { RedisClient } from 'bun'
import { openBusyTimeout } from './busyTimeout.ts'

/**
 * The connection to Redis for commands that answer a request, through Bun's own client, which costs a request
 * half as much as one in JavaScript. Redis is never worth waiting for: while it is away a command fails at
 * once, and one that is not answered soon fails as well. (Mailboxes have connections of their own, with the
 * timeouts that BullMQ needs.)
 */

/** A command may take so many beats of the process, together a quarter of a second. */
const COMMAND_BEATS = 10
const BEAT_MS = 25
/** How long a connection may be silent before another is opened, and how often an idle one is probed, in ms. */
const SILENCE_MS = 2_000
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 500

export interface RedisConnection {
  /** Sends a command. Rejects with Redis's error, or when it isn't answered in time. */
  send(command: string, ...args: readonly string[]): Promise<unknown>
  ping(): Promise<unknown>
  /** Resolves at the first connection. */
  readonly connected: Promise<void>
  close(): void
}

/** Opens a connection, which is reopened whenever it breaks or falls silent. */
export function openRedis(
  url: string,
  options: {
    readonly name: string
    readonly silenceMs?: number
    onError(error: Error): void
  },
): RedisConnection {
  const silenceMs = Math.min(options.silenceMs ?? SILENCE_MS, SILENCE_MS)
  const connected = Promise.withResolvers<void>()
  const inTime = openBusyTimeout(COMMAND_BEATS, BEAT_MS, () => new SilentRedis())
  let pause = FIRST_PAUSE_MS
  let reconnection: Timer | null = null
  let isClosed = false
  let client = connect()
  /** When it first owed an answer that it has not given since; null while it owes none. */
  let silentSince: number | null = null

  function connect(): RedisClient {
    // The client's own reconnection ends for good when it is turned away, e.g. by a Redis that is full.
    const made = new RedisClient(url, {
      autoReconnect: false,
      enableOfflineQueue: false,
      connectionTimeout: silenceMs,
    })
    // The client's own limit may miss a Redis that takes connections and is silent.
    const late = setTimeout(() => replace(made, new SilentRedis()), silenceMs * 2)
    made.onconnect = () => {
      clearTimeout(late)
      silentSince = null
      pause = FIRST_PAUSE_MS
      send('CLIENT', 'SETNAME', options.name).catch(options.onError)
      connected.resolve()
    }
    // Called for an attempt that failed as well as for a connection that broke.
    made.onclose = (error) => {
      clearTimeout(late)
      replace(made, error)
    }
    made.connect().catch(() => {
      // onclose has reported it already.
    })
    return made
  }

  /** Gives a client up in any state, and makes another after a pause. */
  function replace(old: RedisClient, error: Error): void {
    if (isClosed || old !== client || reconnection !== null) return
    options.onError(error)
    old.onclose = null
    old.close()
    reconnection = setTimeout(() => {
      reconnection = null
      silentSince = null
      client = connect()
    }, pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }

  async function send(command: string, ...args: readonly string[]): Promise<unknown> {
    const asked = client
    const askedAt = performance.now()
    try {
      const answer = await inTime(asked.send(command, [...args]))
      if (asked === client) silentSince = null
      return answer
    } catch (error) {
      if (error instanceof SilentRedis && asked === client) {
        silentSince ??= askedAt
        if (performance.now() - silentSince >= silenceMs) replace(asked, error)
      }
      throw error
    }
  }

  /** Tests an unused connection; `send` reports a failure. */
  const ticks = setInterval(() => {
    if (client.connected) send('PING').catch(() => undefined)
  }, silenceMs)
  ticks.unref()

  return {
    send,
    ping: () => send('PING'),
    connected: connected.promise,
    close() {
      isClosed = true
      clearInterval(ticks)
      if (reconnection !== null) clearTimeout(reconnection)
      client.close()
    },
  }
}

class SilentRedis extends Error {
  override readonly name = 'SilentRedis'

  constructor() {
    super(`Redis did not answer within ${COMMAND_BEATS * BEAT_MS} ms`)
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
