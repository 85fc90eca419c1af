import { HttpRequestError, ResponseBodyTooLargeError } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import {
  field,
  isHash,
  isHeadCall,
  isQuantity,
  PRIORITIES,
  type Priority,
  priorityOf,
  type RpcCall,
} from './calls.ts'
import { type CallOutcome, countCall } from './counters.ts'
import { isRateLimited, isUnanswered, isUnknownBlock, RateLimitedError } from './faults.ts'
import type { Heights, Link } from './heights.ts'
import { isBatchRefusal, LearntLimits } from './limits.ts'
import { errorIn, type Posted, post, retryAfterIn } from './post.ts'
import { CallRate } from './rate.ts'

/** The newest block that a URL has named. */
export interface SeenHead {
  readonly number: bigint
  /** Null when only the height was requested. */
  readonly hash: Hex | null
  /** When this height was first named, by performance.now(). */
  readonly since: number
  /** When it was last named. */
  readonly seenAt: number
}

interface Waiting {
  readonly call: RpcCall
  /** Belongs into the same batch as the one before it, so that one node answers both. */
  readonly isJoined: boolean
  /** How often it was sent without an answer, perhaps because of other calls in its batch. */
  readonly failures: number
  readonly since: number
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** How long a call may wait until it is sent, in ms. */
const TIMEOUT_MS = 15_000
/** How long a block that was shown counts, in ms. */
const SHOWN_MS = 30_000

/**
 * One URL of a chain: a node, or a pool of nodes behind a gateway. Calls of one moment go out as a
 * batch, at the rate that the URL allows, and each is sent once. What its answers show about it is noted.
 */
export class RpcUrl {
  /** All that logs and reports may show: the rest of a URL may be a key. */
  readonly host: string
  readonly limits: LearntLimits
  head: SeenHead | null = null
  /** The highest block that it has shown lately, and when. */
  private shown: { readonly number: bigint; readonly at: number } | null = null
  /** When something was answered last, and when something last was not, by performance.now(). */
  answeredAt = Number.NEGATIVE_INFINITY
  failedAt = Number.NEGATIVE_INFINITY
  private readonly rate: CallRate
  private readonly queues: Readonly<Record<Priority, Waiting[]>> = {
    money: [],
    turn: [],
    history: [],
  }
  private timer: ReturnType<typeof setTimeout> | null = null
  /** True while the timer waits for what was sent to leave the rate's window. */
  private isHeld = false

  constructor(
    private readonly url: string,
    private readonly chain: ActiveChain,
    private readonly heights: Heights,
  ) {
    this.host = hostOf(url)
    this.limits = new LearntLimits(chain.provider)
    this.rate = new CallRate(chain.provider.callsPerSecond || Number.POSITIVE_INFINITY)
  }

  /** The highest block that it has shown lately; null when it has shown none. Heads may fall. */
  get highest(): bigint | null {
    const { shown } = this
    return shown === null || performance.now() - shown.at > SHOWN_MS ? null : shown.number
  }

  /** True when nothing has been answered since a call was not. */
  get isDown(): boolean {
    return this.failedAt > this.answeredAt
  }

  /** True while the node wants to be left alone. */
  get isPaused(): boolean {
    return this.rate.isPaused(performance.now())
  }

  /**
   * Sends a call once, in a smaller batch the more often it failed. Throws what viem throws,
   * and a RateLimitedError when it waited too long.
   */
  send(call: RpcCall, failures = 0): Promise<unknown> {
    return this.enqueue(call, { priority: priorityOf(call), failures, isJoined: false })
  }

  /** The answers to both, of one node where the URL takes batches. */
  sendBoth(call: RpcCall, other: RpcCall, failures = 0): Promise<[unknown, unknown]> {
    const how = { priority: priorityOf(call), failures }
    return Promise.all([
      this.enqueue(call, { ...how, isJoined: false }),
      this.enqueue(other, { ...how, isJoined: true }),
    ])
  }

  private enqueue(
    call: RpcCall,
    { priority, ...how }: Pick<Waiting, 'isJoined' | 'failures'> & { readonly priority: Priority },
  ): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const now = performance.now()
    this.queues[priority].push({ call, ...how, since: now, resolve, reject })
    // What others wait for need not hold up what may be sent now.
    if (this.isHeld && this.timer !== null && this.rate.allowance(priority, now) >= 1) {
      clearTimeout(this.timer)
      this.timer = null
      this.isHeld = false
    }
    this.timer ??= setTimeout(() => this.flush(), 0)
    return promise
  }

  /** Sends what may be sent now, the most urgent first. */
  private flush(): void {
    this.timer = null
    this.isHeld = false
    const now = performance.now()
    for (const priority of PRIORITIES) {
      const queue = this.queues[priority]
      this.giveUp(queue, now)
      for (;;) {
        const most = Math.min(this.rate.allowance(priority, now), this.limits.batchMax)
        if (queue.length === 0 || most < 1) break
        const batch = takeBatch(queue, Math.floor(most), this.limits.batchMax)
        this.rate.take(batch.length, now)
        void this.sendBatch(batch)
      }
    }
    if (PRIORITIES.some((priority) => this.queues[priority].length > 0)) {
      this.isHeld = true
      this.timer = setTimeout(() => this.flush(), this.rate.waitMs(now))
    }
  }

  private giveUp(queue: Waiting[], now: number): void {
    while (queue[0] !== undefined && now - queue[0].since > TIMEOUT_MS) {
      const error = new RateLimitedError(`${this.host} takes too few calls for the load`)
      queue.shift()?.reject(error)
    }
  }

  private async sendBatch(batch: readonly Waiting[]): Promise<void> {
    const calls = batch.map(({ call }) => call)
    const { rpcTimeoutMs: timeoutMs, provider } = this.chain
    try {
      const limits = { timeoutMs, maxBytes: provider.responseBytes }
      this.take(batch, await post(this.url, calls, limits))
    } catch (error) {
      const middle = error instanceof ResponseBodyTooLargeError ? middleOf(batch) : null
      if (middle !== null) {
        // One of them has a huge answer: the others must get theirs.
        for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
          this.rate.take(half.length, performance.now())
          void this.sendBatch(half)
        }
        return
      }
      if (batch.length > 1 && isHttpRefusal(error)) {
        this.sendSingly(batch, error.details)
        return
      }
      for (const waiting of batch) this.fail(waiting, error)
    }
  }

  /** Resolves the calls of a request with their answers. */
  private take(batch: readonly Waiting[], { body, status, retryAfterMs }: Posted): void {
    const [only] = batch
    if (batch.length === 1 && only !== undefined) {
      this.settle(only, Array.isArray(body) ? body[0] : body, retryAfterMs)
      return
    }
    if (Array.isArray(body)) {
      const byId = new Map(body.map((answer: unknown) => [field(answer, 'id'), answer]))
      batch.forEach((waiting, id) => {
        this.settle(waiting, byId.get(id), retryAfterMs)
      })
      return
    }
    const error = errorIn(body, { method: 'batch' }, this.url)
    const isRefused = error !== null && isBatchRefusal(status, error.code, error.details)
    if (isRefused && !isRateLimited(error)) this.sendSingly(batch, error.details)
    else for (const waiting of batch) this.settle(waiting, body, retryAfterMs)
  }

  private sendSingly(batch: readonly Waiting[], words: string): void {
    this.limits.batchRefused(batch.length, words)
    for (const waiting of batch) this.queues[priorityOf(waiting.call)].push(waiting)
    this.timer ??= setTimeout(() => this.flush(), 0)
  }

  private settle(waiting: Waiting, answer: unknown, retryAfterMs: number | null): void {
    const { call, resolve } = waiting
    const error = errorIn(answer, call, this.url)
    const result = field(answer, 'result')
    if (error !== null || result === undefined) {
      const details = 'the node sent no JSON-RPC answer'
      this.fail(waiting, error ?? new HttpRequestError({ url: this.url, details }), retryAfterMs)
      return
    }
    this.answeredAt = performance.now()
    this.noteHead(call, result)
    countCall(this.chain.networkId, call.method, 'ok')
    resolve(result)
  }

  private fail({ call, reject }: Waiting, error: unknown, retryAfterMs?: number | null): void {
    const outcome = outcomeOf(error)
    countCall(this.chain.networkId, call.method, outcome)
    const now = performance.now()
    if (outcome === 'unanswered') this.failedAt = now
    else this.answeredAt = now
    if (outcome === 'rate_limited') {
      const requestedMs = error instanceof HttpRequestError ? retryAfterIn(error) : retryAfterMs
      this.rate.refused(requestedMs ?? null, now)
    }
    reject(error)
  }

  private noteHead({ method, params }: RpcCall, result: unknown): void {
    const isBlock = method === 'eth_getBlockByNumber' || method === 'eth_getBlockByHash'
    if (!isBlock && method !== 'eth_blockNumber') return
    const [height, hash] = isBlock ? [field(result, 'number'), field(result, 'hash')] : [result]
    if (!isQuantity(height)) return
    const number = BigInt(height)
    const seenAt = performance.now()
    if (isHeadCall({ method, params })) {
      this.heights.note(this, number, isBlock ? linkIn(result) : null)
    }
    if (number >= (this.highest ?? 0n)) this.shown = { number, at: seenAt }
    if (isBlock && field(params, '0') !== 'latest') return
    const since = this.head?.number === number ? this.head.since : seenAt
    this.head = { number, hash: isHash(hash) ? hash : null, since, seenAt }
  }
}

function linkIn(block: unknown): Link | null {
  const [hash, parentHash] = [field(block, 'hash'), field(block, 'parentHash')]
  return isHash(hash) && isHash(parentHash) ? { hash, parentHash } : null
}

/** The next calls of a queue. What is sent goes alone: nothing else may delay it or have it repeated. */
function takeBatch(queue: Waiting[], most: number, batchMax: number): Waiting[] {
  const isSending = (one: Waiting | undefined) => one?.call.method === 'eth_sendRawTransaction'
  const [first] = queue
  const failures = first?.failures ?? 0
  // Nor are failed calls sent in a batch with others.
  const end = queue.findIndex(
    (one, i) => i > 0 && (isSending(first) || isSending(one) || one.failures !== failures),
  )
  const room = Math.min(most, sizeAfter(failures, batchMax))
  const count = Math.min(room, end < 0 ? queue.length : end)
  if (queue[count]?.isJoined !== true) return queue.splice(0, count)
  // Rather one call too many than two that belong together at two nodes.
  return queue.splice(0, count > 1 ? count - 1 : Math.min(2, batchMax))
}

/** The batch size of calls that failed so often: in the end each is sent alone. */
function sizeAfter(failures: number, batchMax: number): number {
  if (failures === 0) return batchMax
  return failures === 1 ? Math.ceil(Math.sqrt(batchMax)) : 1
}

/** Where a batch is cut in halves, none of which parts what belongs together; null when it can't be cut. */
function middleOf(batch: readonly Waiting[]): number | null {
  const distance = (i: number) => Math.abs(i - batch.length / 2)
  const cuts = batch.flatMap(({ isJoined }, i) => (i === 0 || isJoined ? [] : [i]))
  return cuts.toSorted((a, b) => distance(a) - distance(b))[0] ?? null
}

function outcomeOf(error: unknown): CallOutcome {
  if (isRateLimited(error)) return 'rate_limited'
  if (isUnknownBlock(error)) return 'unknown_block'
  return isUnanswered(error) ? 'unanswered' : 'refused'
}

/** A gateway that refuses the request as such, perhaps because it is a batch. */
function isHttpRefusal(error: unknown): error is HttpRequestError {
  if (!(error instanceof HttpRequestError) || error.status === undefined) return false
  return isBatchRefusal(error.status, 0, error.details)
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an RPC URL that is none'
}
