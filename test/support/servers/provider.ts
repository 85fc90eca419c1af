import {
  type FakeRpc,
  firstOf,
  type Reaction,
  type RpcRequest,
  type Rule,
  sometimes,
  type Trouble,
} from './fakeRpc.ts'
import type { Answer, OtherNode, RpcCall } from './otherNode.ts'

/** A provider of nodes as operators have them: pools that disagree, limits in words of their own. */

export interface Provider {
  /** Chance is drawn from it, so that a run can be repeated. */
  readonly seed?: number
  /** Each HTTP request goes to one of so many nodes, of which some are so many blocks behind. */
  readonly pool?: { readonly nodes: number; readonly lagging: number; readonly blocks: number }
  /** Every request goes to this node. */
  readonly node?: OtherNode
  /** How long every request takes at least, in ms. */
  readonly latencyMs?: number
  /** The share of requests, 0 to 1, that a gateway answers with 503. */
  readonly unavailable?: number
  /** More calls than these within a second get 429 and Retry-After. Each call of a batch counts. */
  readonly callsPerSecond?: number
  /** The widest range of eth_getLogs, and the words in which a wider one is refused. */
  readonly logRange?: { readonly most: number; readonly words: keyof typeof RANGE_WORDS }
  /** The most logs that an answer may hold. */
  readonly logResults?: number
  /** The most calls of a batch; 0 refuses every batch. */
  readonly batchMax?: number
  /** Methods that the provider doesn't have. */
  readonly missing?: readonly string[]
  /** Receipts are said not to be there, and blocks to be without logs. */
  readonly nullReceipts?: boolean
  /** Every account is said to have sent nothing. */
  readonly zeroNonces?: boolean
}

/** What no part of Remit may ever need. */
export const RARE_METHODS = [
  'eth_getBlockReceipts',
  'debug_traceTransaction',
  'debug_traceBlockByNumber',
  'debug_traceBlockByHash',
  'txpool_content',
  'txpool_status',
  'trace_block',
] as const

/** How providers refuse a range of eth_getLogs that is too wide. */
export const RANGE_WORDS = {
  alchemy: (most: number, from: number) =>
    `You can make eth_getLogs requests with up to a ${most} block range. Based on your parameters, this block range should work: [0x${from.toString(16)}, 0x${(from + most - 1).toString(16)}]`,
  alchemyFree: (most: number, from: number) =>
    `Under the Free tier plan, you can make eth_getLogs requests with up to a ${most} block range. Based on your parameters, this block range should work: [0x${from.toString(16)}, 0x${(from + most - 1).toString(16)}]. Upgrade to PAYG for expanded block range.`,
  quicknode: (most: number) => `eth_getLogs is limited to a ${most.toLocaleString('en-US')} range`,
  bnb: (most: number) => `exceed maximum block range: ${most}`,
  infura: () => 'block range is too wide',
  cloudflare: (most: number) => `Invalid block range. Max range: ${most}`,
} as const

/** Has the proxy play this provider; none forwards everything again. */
export function play(node: FakeRpc, provider: Provider = {}): void {
  const chance = chanceFrom(provider.seed ?? 1)
  const limiter = new CallWindow(provider.callsPerSecond ?? Number.POSITIVE_INFINITY)
  node.rule(firstOf(...rulesOf(provider)))
  node.requests((request) => {
    const { latencyMs, unavailable = 0, pool } = provider
    const troubles: Trouble[] = []
    if (latencyMs !== undefined) troubles.push({ type: 'delay', ms: latencyMs })
    if (!limiter.takes(request.calls.length)) return [...troubles, TOO_MANY_REQUESTS]
    if (chance() < unavailable) return [...troubles, { type: 'status', status: 503 }]
    const refusal = refusedBatch(provider, request)
    if (refusal !== null) return [...troubles, refusal]
    if (provider.node !== undefined) troubles.push(provider.node)
    if (pool !== undefined && Math.floor(chance() * pool.nodes) < pool.lagging) {
      troubles.push({ type: 'stale', blocks: pool.blocks })
    }
    return troubles
  })
}

const TOO_MANY_REQUESTS: Trouble = {
  type: 'status',
  status: 429,
  headers: { 'retry-after': '1' },
  json: { jsonrpc: '2.0', id: null, error: { code: -32_005, message: 'too many requests' } },
}

function rulesOf(provider: Provider): Rule[] {
  const { logRange, logResults, missing = [], nullReceipts, zeroNonces } = provider
  const rules: Rule[] = [
    ({ method }) =>
      missing.includes(method)
        ? error(-32_601, `the method ${method} does not exist/is not available`)
        : undefined,
  ]
  if (nullReceipts) {
    rules.push(sometimes('eth_getTransactionReceipt', 1, { type: 'result', result: null }))
    rules.push((call) => (isOfBlock(call) ? { type: 'result', result: [] } : undefined))
  }
  if (zeroNonces) {
    rules.push(sometimes('eth_getTransactionCount', 1, { type: 'result', result: '0x0' }))
  }
  if (logRange !== undefined) {
    rules.push((call) => {
      const range = rangeOf(call)
      if (range === null || range.to - range.from + 1 <= logRange.most) return undefined
      return error(-32_602, RANGE_WORDS[logRange.words](logRange.most, range.from))
    })
  }
  if (logResults !== undefined) {
    rules.push(sometimes('eth_getLogs', 1, { type: 'change', change: tooMany(logResults) }))
  }
  return rules
}

function error(code: number, message: string): Reaction {
  return { type: 'error', code, message }
}

/** True for a search for the logs of one block, by its hash. */
export function isOfBlock({ method, params: [filter] }: RpcCall): boolean {
  return method === 'eth_getLogs' && Object(filter).blockHash !== undefined
}

/** The blocks that a search for logs names by number; null for every other call. */
function rangeOf({ method, params }: RpcCall): { from: number; to: number } | null {
  if (method !== 'eth_getLogs') return null
  const { fromBlock, toBlock } = Object(params[0])
  const [from, to] = [Number(fromBlock), Number(toBlock)]
  return Number.isNaN(from) || Number.isNaN(to) ? null : { from, to }
}

function tooMany(most: number): (answer: Answer) => Answer {
  return (answer) => {
    if (!Array.isArray(answer.result) || answer.result.length <= most) return answer
    return { error: { code: -32_005, message: `query returned more than ${most} results` } }
  }
}

function refusedBatch({ batchMax }: Provider, { isBatch, calls }: RpcRequest): Trouble | null {
  if (!isBatch || batchMax === undefined || calls.length <= batchMax) return null
  const message = batchMax === 0 ? 'batch requests are not supported' : 'batch size is too large'
  return {
    type: 'status',
    status: batchMax === 0 ? 400 : 200,
    json: { jsonrpc: '2.0', id: null, error: { code: -32_600, message } },
  }
}

/** Counts calls over the last second. */
export class CallWindow {
  private readonly taken: { readonly at: number; readonly calls: number }[] = []
  private sum = 0

  constructor(private readonly perSecond: number) {}

  takes(calls: number, now: number = performance.now()): boolean {
    for (let first = this.taken[0]; first && first.at <= now - 1_000; first = this.taken[0]) {
      this.sum -= first.calls
      this.taken.shift()
    }
    if (this.sum + calls > this.perSecond) return false
    this.taken.push({ at: now, calls })
    this.sum += calls
    return true
  }
}

/** Numbers of 0 to 1 that look like chance and are always the same (mulberry32). */
export function chanceFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
