import { headerIn, memberOf, type RawHeader } from './rawHeader.ts'

const FIRST_RECONNECT_MS = 250
const LONGEST_RECONNECT_MS = 5_000
/** The probe of a silent node: any answer will do. */
const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'eth_chainId', params: [] })
/** New heads in a row that only polling found, after which the subscription counts as dead. */
const MISSED_HEADS = 3

export interface HeadSubscription {
  isUp(): boolean
  /** Called after each poll: whether it found a head that the subscription hasn't announced. */
  polled(foundNew: boolean): void
  /** Ends it for good. */
  close(): void
}

/**
 * Subscribes to a chain's new heads, and again whenever the connection breaks or falls silent: a node that was silent
 * for `silenceMs` is probed, and has as long to answer.
 */
export function subscribeToHeads(
  url: string,
  networkId: string,
  announce: (header: RawHeader) => void,
  silenceMs: number,
): HeadSubscription {
  let socket: WebSocket | undefined
  let heardAt = 0
  let isSubscribed = false
  let missed = 0
  let pause = FIRST_RECONNECT_MS
  let reconnecting: Timer | undefined

  function connect(): void {
    const current = new WebSocket(url)
    socket = current
    heardAt = performance.now()
    current.onopen = () => {
      const params = ['newHeads']
      current.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
    }
    current.onmessage = ({ data }) => {
      heardAt = performance.now()
      const message = parse(data)
      const heard = memberOf(memberOf(message, 'params'), 'result')
      if (heard === undefined) {
        if (typeof memberOf(message, 'result') === 'string') isSubscribed = true
        return
      }
      const header = headerIn(networkId, 'eth_subscribe', heard)
      if (header === null) return
      isSubscribed = true
      missed = 0
      pause = FIRST_RECONNECT_MS
      announce(header)
    }
    current.onclose = reconnect
  }

  function disconnect(): void {
    // A connection whose other end is gone may take minutes to close, so nothing waits for it.
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null
    if (socket !== undefined) destroy(socket)
    socket = undefined
    isSubscribed = false
    missed = 0
  }

  function reconnect(): void {
    disconnect()
    reconnecting = setTimeout(connect, pause)
    pause = Math.min(LONGEST_RECONNECT_MS, pause * 2)
  }

  const checks = setInterval(() => {
    const quietMs = performance.now() - heardAt
    if (socket === undefined || quietMs < silenceMs) return
    // It is not open yet, or was probed already.
    if (socket.readyState !== WebSocket.OPEN || quietMs >= 2 * silenceMs) reconnect()
    else socket.send(PROBE)
  }, silenceMs / 2)
  checks.unref()

  connect()
  return {
    isUp: () => isSubscribed,
    polled(foundNew) {
      missed = foundNew && isSubscribed ? missed + 1 : 0
      if (missed >= MISSED_HEADS) reconnect()
    },
    close() {
      clearInterval(checks)
      clearTimeout(reconnecting)
      disconnect()
    },
  }
}

/** Closes it without waiting for the other end, which Bun can and the standard can't. */
function destroy(socket: WebSocket): void {
  if ('terminate' in socket && typeof socket.terminate === 'function') socket.terminate()
  else socket.close()
}

/** Null for a message that is no JSON. */
function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return null
  }
}
