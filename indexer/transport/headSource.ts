import { fallback, http } from 'viem'
import type { ActiveChain } from '../../core/config/processes.ts'

/** A block's header as a node's JSON has it, for Ponder to read. */
export type HeadHeader = Readonly<Record<string, unknown>> & {
  readonly hash: string
  readonly number: string
}

/** Follows the head of one chain. */
export interface HeadSource {
  /** Asks the node now and announces what it says. */
  poll(): Promise<void>
}

type Announce = (header: HeadHeader) => void

const TIMEOUT_MS = 5_000
const FIRST_RECONNECT_MS = 250
const LONGEST_RECONNECT_MS = 5_000
/** New heads in a row that only polling found, after which the subscription counts as dead. */
const MISSED_HEADS = 3

/**
 * Announces every head of a chain: by subscription where there is a WebSocket URL, and always by
 * polling as well, because subscriptions fail silently and a quiet chain announces nothing to
 * whoever subscribes late. Announcing the same head again is harmless and makes up for a lost one.
 */
export function followHead(chain: ActiveChain, announce: Announce): HeadSource {
  const nodes = chain.rpcUrls.map((url) => http(url, { retryCount: 0, timeout: TIMEOUT_MS }))
  const node = fallback(nodes, { retryCount: 0 })({ retryCount: 0, timeout: TIMEOUT_MS })
  let last: HeadHeader | undefined
  const subscription =
    chain.wsUrl === null
      ? null
      : subscribe(chain.wsUrl, (header) => {
          last = header
          announce(header)
        })

  async function poll(): Promise<void> {
    const before = last
    const answer = await node.request({
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
    })
    // What was asked for before a newer announcement may be older than it.
    if (!isHeader(answer) || last !== before) return
    // To Ponder a lower block is a reorganisation. A node that lags behind its peers is none.
    if (last !== undefined && BigInt(answer.number) < BigInt(last.number)) return
    const isNew = last?.hash !== answer.hash
    last = answer
    announce(answer)
    subscription?.polled(isNew)
  }

  async function keepPolling(): Promise<never> {
    while (true) {
      // A node that doesn't answer is asked again: the watchdog and the API report the lag.
      await poll().catch(() => undefined)
      await Bun.sleep(pollingInterval(chain, subscription?.isUp() ?? false))
    }
  }
  void keepPolling()
  return { poll }
}

/**
 * Milliseconds between two polls. Requests to a node on this machine cost nothing; others are polled
 * four times per block and at least once a second, or twice per block beside a subscription.
 */
function pollingInterval(chain: ActiveChain, isSubscribed: boolean): number {
  if (isSubscribed) return Math.max(1_000, chain.blockTimeMs / 2)
  const isLocal = chain.rpcUrls.every((url) =>
    ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname),
  )
  return isLocal ? 200 : Math.min(1_000, chain.blockTimeMs / 4)
}

interface Subscription {
  isUp(): boolean
  /** Called after each poll: whether it found a head that the subscription hasn't announced. */
  polled(foundNew: boolean): void
}

/** Subscribes to new heads, and again whenever the connection breaks or falls silent. */
function subscribe(url: string, announce: Announce): Subscription {
  let socket: WebSocket | undefined
  let isSubscribed = false
  let missed = 0
  let pause = FIRST_RECONNECT_MS

  function connect(): void {
    const current = new WebSocket(url)
    socket = current
    current.onopen = () => {
      const params = ['newHeads']
      current.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
    }
    current.onmessage = ({ data }) => {
      const message = parseMessage(data)
      if (message.subscribed) isSubscribed = true
      if (message.header === undefined) return
      missed = 0
      pause = FIRST_RECONNECT_MS
      announce(message.header)
    }
    current.onclose = reconnect
  }

  function reconnect(): void {
    // A connection whose other end is gone may take minutes to close, so nothing waits for it.
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null
    socket?.close()
    isSubscribed = false
    missed = 0
    setTimeout(connect, pause)
    pause = Math.min(LONGEST_RECONNECT_MS, pause * 2)
  }

  connect()
  return {
    isUp: () => isSubscribed,
    polled(foundNew) {
      missed = foundNew && isSubscribed ? missed + 1 : 0
      if (missed >= MISSED_HEADS) reconnect()
    },
  }
}

function parseMessage(data: unknown): { subscribed: boolean; header?: HeadHeader } {
  const message: unknown = typeof data === 'string' ? JSON.parse(data) : null
  const header = field(field(message, 'params'), 'result')
  if (isHeader(header)) return { subscribed: true, header }
  return { subscribed: typeof field(message, 'result') === 'string' }
}

function isHeader(value: unknown): value is HeadHeader {
  return typeof field(value, 'hash') === 'string' && typeof field(value, 'number') === 'string'
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return new Map(Object.entries(value)).get(name)
}
