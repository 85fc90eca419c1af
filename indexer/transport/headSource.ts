import type { ChainClient } from '../../chain/rpc/client.ts'
import { hashFrom } from '../../core/chain/evm.ts'
import { HeadChoice } from '../../core/chain/headChoice.ts'
import { HeadPace } from '../../core/chain/headPace.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import type { NodeHead } from '../../store/chain/heads.ts'
import { subscribeToHeads } from './headSubscription.ts'
import { headerIn, type RawHeader } from './rawHeader.ts'

/** Follows the head of one chain. */
export interface HeadSource {
  /** Polls the nodes now and announces the freshest head. */
  poll(): Promise<void>
  /** The header of a block that was announced lately; null for any other. */
  headerOf(hash: string): RawHeader | null
  /** Ends the polls and the subscription. */
  close(): void
}

/** Takes the head and what each node shows; also the same again, when nothing is new. */
type Announce = (header: RawHeader, nodes: readonly NodeHead[]) => void

/** The pause between two polls of nodes that bill nothing, in ms. */
const FAST_PAUSE_MS = 200
/** Beside a subscription all nodes are compared this often, in blocks, and it is silent after so many. */
const COMPARED_EVERY_BLOCKS = 4
const SILENT_AFTER_BLOCKS = 1.25
const LEAST_PAUSE_BESIDE_MS = 1_000
/** How much longer than the quickest node a poll waits for the others, in ms. */
const GRACE_MS = 250

/** How soon the chain of each URL is checked again, after none could be identified, in ms. */
const IDENTIFIED_AGAIN_MS = 1_000
/** How long a WebSocket may be silent before it is probed, in ms. */
const SILENCE_MS = 5_000

/** The node behind one URL. */
interface Node {
  readonly host: string
  /** Its newest header; null when what it sends is none. */
  readonly fetchHead: () => Promise<RawHeader | null>
  /** While it has yet to answer: it is not polled twice. */
  pending: Promise<void> | null
  head: Seen | null
  answeredAt: number
  movedAt: number
}

interface Seen {
  readonly number: bigint
  readonly hash: string
  readonly parentHash: string
  readonly raw: RawHeader
}

/**
 * Announces every head of a chain: by subscription where there is a WebSocket URL, and by polling all RPC URLs
 * as well, because subscriptions fail silently, a quiet chain announces nothing to late subscribers, and one
 * node may be stuck. The highest head wins. Announcing the same head again is harmless and makes up for a
 * lost one.
 *
 * `identify` returns the URLs of the chain, and is called until it succeeds before the first poll. The node
 * of the WebSocket URL is not polled: what it announces counts when an RPC URL has it too.
 */
export function followHead(
  client: ChainClient,
  announce: Announce,
  identify: () => Promise<unknown>,
  silenceMs = SILENCE_MS,
): HeadSource {
  const { chain, each } = client
  const { networkId } = chain
  const nodes = chain.rpcUrls.flatMap((url, i): Node[] => {
    const one = each[i]
    if (one === undefined) return []
    const fetchHead = async () => {
      const params: ['latest', false] = ['latest', false]
      const answer = await one.request({ method: 'eth_getBlockByNumber', params })
      return headerIn(networkId, 'eth_getBlockByNumber', answer)
    }
    const now = performance.now()
    return [
      {
        host: new URL(url).host,
        fetchHead,
        pending: null,
        head: null,
        answeredAt: 0,
        movedAt: now,
      },
    ]
  })
  const pace = new HeadPace(chain.blockTimeMs)
  const choice = new HeadChoice<Seen>()
  let heardAt = Number.NEGATIVE_INFINITY
  let polledAt = performance.now()
  let isClosed = false
  const announceAll = ({ raw }: Seen) => announce(raw, shown(nodes, client))
  const subscription =
    chain.wsUrl === null
      ? null
      : subscribeToHeads(chain.wsUrl, networkId, (header) => void hear(header.hash), silenceMs)

  async function hear(hash: string): Promise<void> {
    if (choice.find(hash) !== null) {
      heardAt = performance.now()
      return
    }
    const known = await client.rpc
      .request({ method: 'eth_getBlockByHash', params: [hashFrom(hash), false] })
      .catch(() => null)
    const header = known && headerIn(networkId, 'eth_getBlockByHash', known)
    if (header === null || header.hash !== hash) return
    heardAt = performance.now()
    const head = choice.hear(seen(header))
    if (head === null) {
      await pollNodes()
      return
    }
    pace.see(head.number, heardAt)
    announceAll(head)
  }

  /** True when there was a new head. */
  async function pollNodes(): Promise<boolean> {
    const before = choice.head
    const since = polledAt
    polledAt = performance.now()
    const polls = nodes.map(pollOne)
    // One that hangs doesn't hold up the others; its answer counts in a later poll.
    await Promise.race([Promise.all(polls), Promise.race(polls).then(() => Bun.sleep(GRACE_MS))])
    const [first, ...others] = nodes.flatMap(({ head, answeredAt }) =>
      head !== null && answeredAt >= since ? [head] : [],
    )
    // A response to a request before a newer announcement may be older than it.
    if (first === undefined || choice.head !== before) return false
    const head = choice.choose([first, ...others])
    announceAll(head)
    const isNew = head.hash !== before?.hash
    if (isNew) pace.see(head.number, polledAt)
    subscription?.polled(isNew)
    return isNew
  }

  async function keepPolling(): Promise<void> {
    while (!isClosed && !(await isDone(identify()))) await Bun.sleep(IDENTIFIED_AGAIN_MS)
    while (!isClosed) {
      const begun = performance.now()
      // A node that doesn't answer is polled again: the watchdog and the API report the lag.
      const pauseMs = pauseAfter(chain, pace, await pollNodes())
      const dueAt = () =>
        subscription?.isUp() ? dueBeside(chain, pace, begun, pauseMs, heardAt) : begun + pauseMs
      // What the subscription announces meanwhile postpones the poll.
      for (let left = 1; left > 0; left = dueAt() - performance.now()) await Bun.sleep(left)
    }
  }
  void keepPolling()
  return {
    async poll() {
      await pollNodes()
    },
    headerOf: (hash) => choice.find(hash)?.raw ?? null,
    close() {
      isClosed = true
      subscription?.close()
    },
  }
}

/** Polls one node, unless it is still about to answer. Of one that doesn't answer, the last head counts. */
function pollOne(node: Node): Promise<void> {
  node.pending ??= node
    .fetchHead()
    .then((answer) => {
      if (answer === null) return
      node.answeredAt = performance.now()
      if (node.head?.hash !== answer.hash) node.movedAt = node.answeredAt
      node.head = seen(answer)
    })
    .catch(() => undefined)
    .finally(() => {
      node.pending = null
    })
  return node.pending
}

function isDone(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

function seen({ transactions: _, ...header }: RawHeader): Seen {
  const { hash, parentHash } = header
  return { number: BigInt(header.number), hash, parentHash, raw: header }
}

function shown(nodes: readonly Node[], client: ChainClient): NodeHead[] {
  const urls = client.urls()
  return nodes.map(({ host, head, movedAt }, i) => {
    const state = urls[i]?.state
    const isFault = state === 'wrong_chain' || state === 'forked' || state === 'ahead'
    const fault = isFault ? state : null
    return { host, head: head?.number ?? null, unmovedMs: performance.now() - movedAt, fault }
  })
}

/** Milliseconds from the start of one poll to the next one's. */
function pauseAfter(chain: ActiveChain, pace: HeadPace, hasFound: boolean): number {
  const pauseMs = pace.after(hasFound)
  return chain.headPolling === 'fast' ? FAST_PAUSE_MS : pauseMs
}

/** When the next poll is due beside a subscription that works. */
function dueBeside(
  { headPolling }: ActiveChain,
  { blockTimeMs }: HeadPace,
  polledAt: number,
  pauseMs: number,
  heardAt: number,
): number {
  if (headPolling === 'fast') {
    return polledAt + Math.max(LEAST_PAUSE_BESIDE_MS, blockTimeMs / 2)
  }
  const comparedAt = polledAt + Math.max(LEAST_PAUSE_BESIDE_MS, COMPARED_EVERY_BLOCKS * blockTimeMs)
  const silentAt = Math.max(heardAt + SILENT_AFTER_BLOCKS * blockTimeMs, polledAt + pauseMs)
  return Math.min(comparedAt, silentAt)
}
