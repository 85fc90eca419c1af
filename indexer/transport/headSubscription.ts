import { headerIn, memberOf, type RawHeader } from './rawHeader.ts'

const FIRST_RECONNECT_MS = 250
const LONGEST_RECONNECT_MS = 5_000
/** Sent to a silent node; any response shows that the connection works. */
const PROBE = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'eth_chainId', params: [] })
/** After this many consecutive heads that only polling found, the subscription is considered dead. */
const MISSED_HEADS = 3

export interface HeadSubscription {
  isUp(): boolean
  /** Called after each poll: whether it found a head that the subscription hasn't announced. */
  polled(foundNew: boolean): void
  /** Closes it permanently. */
  close(): void
}

/**
 * Subscribes to a chain's new heads, and resubscribes when the connection breaks or goes silent: a node that was silent
 * for `silenceMs` is probed, and has another `silenceMs` to respond.
 */
export function subscribeToHeads(
  url: string,
  networkId: string,
  announce: (header: RawHeader) => void,
  silenceMs: number,
): HeadSubscription {
  let socket: WebSocket | undefined
  let lastMessageAt = 0
  let isSubscribed = false
  let missed = 0
  let pause = FIRST_RECONNECT_MS
  let reconnecting: Timer | undefined

  function connect(): void {
    const current = new WebSocket(url)
    socket = current
    lastMessageAt = performance.now()
    current.onopen = () => {
      const params = ['newHeads']
      current.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
    }
    current.onmessage = ({ data }) => {
      lastMessageAt = performance.now()
      const message = parse(data)
      const result = memberOf(memberOf(message, 'params'), 'result')
      if (result === undefined) {
        if (typeof memberOf(message, 'result') === 'string') isSubscribed = true
        return
      }
      const header = headerIn(networkId, 'eth_subscribe', result)
      if (header === null) return
      isSubscribed = true
      missed = 0
      pause = FIRST_RECONNECT_MS
      announce(header)
    }
    current.onclose = reconnect
  }

  function disconnect(): void {
    // Closing a connection whose peer is gone can take minutes, so don't wait for it.
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
    const quietMs = performance.now() - lastMessageAt
    if (socket === undefined || quietMs < silenceMs) return
    // Not open yet, or already probed.
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

/** Closes a socket without waiting for the peer: `terminate` is Bun's, and not in the standard. */
function destroy(socket: WebSocket): void {
  if ('terminate' in socket && typeof socket.terminate === 'function') socket.terminate()
  else socket.close()
}

/** Null if the message is not JSON. */
function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return null
  }
}
