import { TimeoutError } from 'viem'
import { max, min } from '../../core/integers.ts'
import type { RpcCall } from './calls.ts'
import { isTooMuch, type LearntLimits } from './limits.ts'

/** Searching for logs in as many pieces as the nodes' limits ask for. */

/** Asks a URL that has the block `least`. */
type Ask = (call: RpcCall, least: bigint) => Promise<unknown>

/**
 * The logs of a range of blocks, in the chain's order, however narrow the ranges are that the node
 * allows. A node that is behind, or has stood still for hours, would silently leave out what it lacks, so
 * the answer counts only from one that has the last block.
 */
export async function readLogs(
  ask: Ask,
  limits: () => LearntLimits | undefined,
  call: RpcCall,
  range: { readonly from: bigint; readonly to: bigint },
): Promise<unknown[]> {
  const logs: unknown[] = []
  let next = range.from
  let most = range.to - range.from + 1n
  let isSilent = false
  while (next <= range.to) {
    const learnt = limits()
    const blocks = min(min(learnt?.logRange ?? most, most), range.to - next + 1n)
    const last = next + blocks - 1n
    try {
      const found = await ask(withRange(call, next, last), last)
      const some = Array.isArray(found) ? found : [found]
      learnt?.rangeAnswered(blocks, some.length)
      for (const log of some) logs.push(log)
      next = last + 1n
      most += most / 8n + 1n
      isSilent = false
    } catch (error) {
      if (blocks === 1n) throw error
      if (isTooMuch(error)) {
        learnt?.rangeRefused(error, blocks)
        most = max(blocks / 2n, 1n)
      } else {
        // Silence may be for the size of the piece, once.
        if (isSilent || !(error instanceof TimeoutError)) throw error
        isSilent = true
        most = max(blocks / 16n, 1n)
      }
    }
  }
  return logs
}

function withRange(call: RpcCall, from: bigint, to: bigint): RpcCall {
  const [filter] = Array.isArray(call.params) ? call.params : []
  const range = { fromBlock: hex(from), toBlock: hex(to) }
  return { method: call.method, params: [{ ...filter, ...range }] }
}

function hex(number: bigint): string {
  return `0x${number.toString(16)}`
}
