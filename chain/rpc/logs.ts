import { TimeoutError } from 'viem'
import { max, min } from '../../core/base/integers.ts'
import type { RpcCall } from './calls.ts'
import { exceedsLimit, type LearntLimits } from './limits.ts'

/** Searches for logs in as many pieces as the nodes' limits require. */

/** Sends a call to a URL that has the block `least`. */
type Send = (call: RpcCall, least: bigint) => Promise<unknown>

/** What is wanted of the logs of one piece, as a node has answered with them. */
export type Keep = (logs: unknown) => Promise<unknown>

/**
 * The logs of a range of blocks, in the chain's order, however narrow the ranges are that the node allows. A
 * node that is behind, or has been stuck for hours, would silently leave out what it lacks, so the answer
 * counts only from one that has the last block. What `keep` leaves out of a piece is dropped before the next
 * piece is requested.
 */
export async function readLogs(
  send: Send,
  limits: () => LearntLimits | undefined,
  call: RpcCall,
  range: { readonly from: bigint; readonly to: bigint },
  keep: Keep | null = null,
): Promise<unknown[]> {
  const logs: unknown[] = []
  let next = range.from
  let most = range.to - range.from + 1n
  let isSilent = false
  while (next <= range.to) {
    const learnt = limits()
    const blocks = min(min(learnt?.logRange ?? most, most), range.to - next + 1n)
    const last = next + blocks - 1n
    let found: unknown
    try {
      found = await send(withRange(call, next, last), last)
    } catch (error) {
      if (blocks === 1n) throw error
      if (exceedsLimit(error)) {
        learnt?.rangeRefused(error, blocks)
        most = max(blocks / 2n, 1n)
      } else {
        // Silence may be for the size of the piece, once.
        if (isSilent || !(error instanceof TimeoutError)) throw error
        isSilent = true
        most = max(blocks / 16n, 1n)
      }
      continue
    }
    learnt?.rangeAnswered(blocks, listed(found).length)
    for (const log of listed(keep === null ? found : await keep(found))) logs.push(log)
    next = last + 1n
    most += most / 8n + 1n
    isSilent = false
  }
  return logs
}

function listed(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [answer]
}

function withRange(call: RpcCall, from: bigint, to: bigint): RpcCall {
  const [filter] = Array.isArray(call.params) ? call.params : []
  const range = { fromBlock: hex(from), toBlock: hex(to) }
  return { method: call.method, params: [{ ...filter, ...range }] }
}

function hex(number: bigint): string {
  return `0x${number.toString(16)}`
}
