import { ResponseBodyTooLargeError } from 'viem'
import { max, min } from '../../core/base/integers.ts'
import type { ProviderLimits } from '../../core/config/provider.ts'
import { isRateLimited, isUnknownBlock, rpcErrorIn } from './faults.ts'

/** What one URL allows: configured, learnt from its refusals, and remembered. */

/** How providers name the widest range of eth_getLogs. */
const RANGE_LIMITS: readonly RegExp[] = [
  /up to an? ([\d,]+)(k?) block range/i,
  /limited to an? ([\d,]+)(k?)(?: blocks?)? range/i,
  /limited to (?:0 ?- ?)?([\d,]+)(k?) blocks/i,
  /max(?:imum)?(?: allowed)?(?: block)? range(?: is|:)? ?([\d,]+)(k?)/i,
  /ranges? over ([\d,]+)(k?) blocks/i,
  /number of requested blocks is ([\d,]+)(k?)/i,
  /(?:max(?:imum)? is|larger than|greater than|more than|exceeds?|limit(?: is|:)?|at most) ([\d,]+)(k?) blocks?/i,
]
const RANGE_WORDS = /range|blocks/i
const BATCH_WORDS = /batch/i
const MISSING_METHOD = -32_601

/** The widest range that a refusal names, in blocks; null when it names none. */
export function namedRange(message: string): bigint | null {
  for (const pattern of RANGE_LIMITS) {
    const [, digits, thousands] = pattern.exec(message) ?? []
    if (digits === undefined) continue
    const number = BigInt(digits.replaceAll(',', '')) * (thousands ? 1_000n : 1n)
    if (number > 0n) return number
  }
  return null
}

/** True when fewer blocks may get an answer: the range was too wide, or held too much. */
export function exceedsLimit(error: unknown): boolean {
  if (error instanceof ResponseBodyTooLargeError) return true
  if (isRateLimited(error) || isUnknownBlock(error)) return false
  const answer = rpcErrorIn(error)
  return answer !== null && answer.code !== MISSING_METHOD
}

export class LearntLimits {
  /** The widest range of eth_getLogs to request now, in blocks. */
  logRange: bigint
  /** The most calls of a batch. */
  batchMax: number
  private widest: bigint

  constructor(private readonly configured: ProviderLimits) {
    this.widest = BigInt(configured.logRange)
    this.logRange = this.widest
    this.batchMax = configured.batch
  }

  /** Notes that a range of so many blocks was refused. */
  rangeRefused(error: unknown, blocks: bigint): void {
    const words = rpcErrorIn(error)?.details ?? ''
    const named = namedRange(words)
    if (named !== null && named < blocks) this.widest = min(this.widest, named)
    // Half of it also where something else is named: it may be the results that are too many.
    const isNamed = named !== null && named < blocks
    const next = isNamed ? named : max(blocks / 2n, 1n)
    if (isNamed || RANGE_WORDS.test(words) || next < this.logRange) this.logRange = next
  }

  /** Notes that a range was answered; the next one may be a little wider, unless it held much. */
  rangeAnswered(blocks: bigint, logs: number): void {
    if (blocks < this.logRange || logs > this.configured.logResults / 2) return
    this.logRange = min(this.logRange + this.logRange / 8n + 1n, this.widest)
  }

  /** Notes that a batch of so many calls was refused as a batch, and why. */
  batchRefused(calls: number, words: string): void {
    const [most] = /\d+/.exec(words) ?? []
    const named = BATCH_WORDS.test(words) && most !== undefined ? Number(most) : 1
    this.batchMax = named > 0 && named < calls ? named : 1
  }
}

/** True when an answer that is no list refuses the batch, and not what was in it. */
export function isBatchRefusal(status: number, code: number, words: string): boolean {
  return BATCH_WORDS.test(words) || code === -32_600 || [400, 404, 405, 413, 415].includes(status)
}
