import { TimeoutError } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { isHeadCall, isQuantity, logRangeOf, type RpcCall } from './calls.ts'
import {
  asUnknownBlock,
  isRateLimited,
  isUnanswered,
  isUnknownBlock,
  rpcErrorIn,
  UnansweredCallError,
  UnknownBlockError,
  WrongChainUrlError,
} from './faults.ts'
import { Freshness } from './freshness.ts'
import { isBelow, newestOf } from './heads.ts'
import { Heights } from './heights.ts'
import { Identities, type KnownChain } from './identity.ts'
import { exceedsLimit } from './limits.ts'
import { type Keep, readLogs } from './logs.ts'
import { statusOf, type UrlStatus } from './status.ts'
import { RpcUrl } from './url.ts'
import type { View } from './view.ts'

/** How often a call without an answer is sent, over all URLs for each of them. */
const TRIES = 3
const PAUSE_MS = 100
/** One URL may be a pool of nodes, half of which lag: then one read in 256 is given up. */
const TRIES_OF_UNKNOWN = 8
const PAUSE_OF_UNKNOWN_MS = 60
/** How often a head below one shown before is requested again. */
const TRIES_OF_HEAD = 4
/** How long a call is held while every URL wants to be left alone, in ms. */
const RATE_LIMIT_TIMEOUT_MS = 15_000

/**
 * The URLs of one chain. The freshest usable one is queried first, the others where it doesn't
 * answer or doesn't know. What a node doesn't know is requested from another one, and from the same URL again,
 * because it may be a pool itself; in the end it is unknown.
 */
export class RpcPool {
  readonly urls: readonly RpcUrl[]
  readonly heights: Heights
  private readonly known: KnownChain = {
    genesis: null,
    isRecorded: false,
    anchor: null,
    isAnchorRecorded: false,
  }
  private readonly identities: Identities
  private readonly freshness: Freshness

  constructor(readonly chain: ActiveChain) {
    this.heights = new Heights(chain.rpcUrls.length === 1)
    this.urls = chain.rpcUrls.map((url) => new RpcUrl(url, chain, this.heights))
    this.identities = new Identities(chain, this.urls, this.known)
    this.freshness = new Freshness(chain, this.urls, this.identities, this.heights)
  }

  /**
   * Sends a call until there is an answer. Throws faults of nodes: see chain/rpc/faults.ts. `keep` selects from
   * it; a range of logs may be read in pieces, and then it selects from each.
   */
  async request(call: RpcCall, keep: Keep | null = null): Promise<unknown> {
    return this.requestOf(this.urls, call, keep)
  }

  /** The same of some URLs only. */
  async requestOf(
    urls: readonly RpcUrl[],
    call: RpcCall,
    keep: Keep | null = null,
  ): Promise<unknown> {
    if (call.method === 'eth_sendRawTransaction') return this.sendToAll(urls, call)
    const range = logRangeOf(call)
    if (range === null) {
      const answer = await this.read(urls, call)
      return keep === null ? answer : keep(answer)
    }
    const send = (some: RpcCall, least: bigint) => this.read(urls, some, least)
    return readLogs(send, () => this.freshness.order(urls)[0]?.limits, call, range, keep)
  }

  /** The same by one request: a range of logs that is too wide is refused, which is noted, and not split. */
  async requestAtOnce(call: RpcCall): Promise<unknown> {
    try {
      return await this.read(this.urls, call)
    } catch (error) {
      const range = logRangeOf(call)
      const [first] = this.freshness.order(this.urls)
      if (range !== null && first !== undefined && exceedsLimit(error)) {
        first.limits.rangeRefused(error, range.to - range.from + 1n)
      }
      throw error
    }
  }

  /** The URLs that can be used: none that is known to be of another chain or branch. */
  get usable(): RpcUrl[] {
    return this.identities.usable
  }

  /** The widest range of eth_getLogs for one request of the next search, in blocks. */
  get logRange(): bigint {
    const [first] = this.freshness.order(this.urls)
    return first?.limits.logRange ?? BigInt(this.chain.provider.logRange)
  }

  statuses(): UrlStatus[] {
    return statusOf(this.chain, this.urls, (url) => this.identities.of(url), this.heights)
  }

  /**
   * Checks every URL again, against the genesis and the final block that are on record, and returns the
   * genesis. Throws a WrongChainUrlError when no URL answers for the chain.
   */
  async identify(genesis: Hex | null, anchor: View | null): Promise<Hex> {
    Object.assign(this.known, { genesis, isRecorded: genesis !== null })
    Object.assign(this.known, { anchor, isAnchorRecorded: anchor !== null })
    this.identities.forget()
    // One after the other, so that without a record the first URL that answers decides which chain it is.
    let fault: unknown = null
    for (const url of this.urls) {
      await this.identities.check(url).catch((error: unknown) => {
        fault ??= error
      })
    }
    const isAny = this.urls.some((url) => this.identities.of(url)?.type === 'right')
    if (!isAny) throw fault ?? this.identities.noneLeft(this.urls)
    if (this.known.genesis === null) throw new UnknownBlockError('no node has block 0')
    return this.known.genesis
  }

  private async read(
    urls: readonly RpcUrl[],
    call: RpcCall,
    least: bigint | null = null,
  ): Promise<unknown> {
    const start = performance.now()
    const tried = new Set<RpcUrl>()
    const known = isHeadCall(call) ? newestOf(urls, this.heights) : null
    let [unanswered, unknown, behind] = [0, 0, 0]
    let lateSince: number | null = null
    let refusal: unknown
    for (;;) {
      const url = this.freshness.order(urls).find((one) => !tried.has(one))
      if (url === undefined && tried.size === 0) throw this.identities.noneLeft(urls)
      if (url === undefined) {
        // Every URL has refused: the best one's answer counts.
        if (refusal !== undefined) throw refusal
        tried.clear()
        await Bun.sleep(unknown + behind > 0 ? PAUSE_OF_UNKNOWN_MS : PAUSE_MS)
        continue
      }
      tried.add(url)
      try {
        if ((await this.identities.ensure(url)).type !== 'right') continue
        // Before the node is given up, it gets a small call: others may get their answers.
        if (lateSince !== null && unanswered === triesOf(urls) - 1) {
          void url.send(PROBE, unanswered).catch(() => undefined)
        }
        const result = await this.callOnce(url, call, least, unanswered)
        if (known !== null && behind < TRIES_OF_HEAD && isBelow(result, known, this.heights)) {
          // Another node of its pool, or another URL, has shown a higher one.
          behind += 1
          if (urls.length > 1) this.freshness.noteLag(url)
          continue
        }
        if (result !== null || !this.mustExist(call)) {
          this.freshness.learn(url, urls, call)
          this.heights.servedBy = url
          return result
        }
        // A block that others have is unknown to this node, and not missing.
        unknown += 1
        if (urls.length > 1) this.freshness.noteLag(url)
        if (unknown >= TRIES_OF_UNKNOWN) return result
      } catch (error) {
        if (isUnknownBlock(error)) {
          unknown += 1
          if (urls.length > 1) this.freshness.noteLag(url)
          if (unknown >= TRIES_OF_UNKNOWN) throw asUnknownBlock(error)
        } else if (isRateLimited(error)) {
          if (performance.now() - start > RATE_LIMIT_TIMEOUT_MS) throw error
        } else if (isUnanswered(error)) {
          unanswered += 1
          if (error instanceof TimeoutError) lateSince ??= performance.now()
          if (unanswered >= triesOf(urls)) throw blamed(error, url, lateSince)
        } else if (isFinalAnswer(call, error)) throw error
        else refusal ??= error
      }
    }
  }

  /** Calls one URL once; with `least` its answer counts only if it has this block. */
  private async callOnce(
    url: RpcUrl,
    call: RpcCall,
    least: bigint | null,
    failures: number,
  ): Promise<unknown> {
    if (least === null) return url.send(call, failures)
    const [result, block] = await url.sendBoth(call, blockAt(least), failures)
    if (block === null) throw new UnknownBlockError(`the node has no block ${least} yet`)
    return result
  }

  private mustExist({ method, params }: RpcCall): boolean {
    if (!Array.isArray(params)) return false
    if (method === 'eth_getBlockByHash') return true
    if (method !== 'eth_getBlockByNumber' || !isQuantity(params[0])) return false
    const newest = this.freshness.newest
    return newest !== null && BigInt(params[0]) <= newest
  }

  /**
   * Sends to every URL, because a node that has the bytes passes them on, and each may fail. One that takes
   * them is enough; otherwise the words of the best that has answered count. A refusal for too many calls
   * is no answer, so those bytes are sent again.
   */
  private async sendToAll(urls: readonly RpcUrl[], call: RpcCall): Promise<unknown> {
    const order = this.freshness.order(urls)
    if (order.length === 0) throw this.identities.noneLeft(urls)
    try {
      return await Promise.any(order.map((url) => this.sendTo(url, call)))
    } catch (error) {
      const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
      throw errors.find((one) => rpcErrorIn(one) !== null) ?? errors[0]
    }
  }

  private async sendTo(url: RpcUrl, call: RpcCall): Promise<unknown> {
    const start = performance.now()
    for (;;) {
      const { type } = await this.identities.ensure(url)
      if (type !== 'right') throw this.identities.noneLeft([url])
      try {
        return await url.send(call)
      } catch (error) {
        if (!isRateLimited(error) || performance.now() - start > RATE_LIMIT_TIMEOUT_MS) throw error
      }
    }
  }
}

const PROBE: RpcCall = { method: 'eth_chainId', params: [] }

function triesOf(urls: readonly RpcUrl[]): number {
  return TRIES * urls.length
}

/** The fault of a call that is given up: its own, when the node has answered others since it was first late. */
function blamed(error: unknown, { host, answeredAt }: RpcUrl, lateSince: number | null): unknown {
  if (!(error instanceof TimeoutError) || lateSince === null || answeredAt <= lateSince)
    return error
  return new UnansweredCallError({ body: {}, url: host })
}

function blockAt(number: bigint): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] }
}

const REVERTED = /revert|invalid opcode|out of gas|stack/i

/** True for what another node would answer as well, or what a smaller request may solve. */
function isFinalAnswer(call: RpcCall, error: unknown): boolean {
  if (error instanceof WrongChainUrlError) return true
  if (call.method === 'eth_getLogs') {
    // A range of one block can't be narrowed: another node may have what this one lacks.
    const range = logRangeOf(call)
    return range !== null && range.from < range.to && exceedsLimit(error)
  }
  return error instanceof Error && REVERTED.test(error.message)
}
