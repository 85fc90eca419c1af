/**
 * What a node answers that is some blocks behind: heads, states, receipts and logs as they were then.
 * Load balancers put such a node next to one that is not, call by call.
 */

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

export type Ask = (call: RpcCall) => Promise<Record<string, unknown>>

/** Where a call names the block whose state it asks for; left out means the newest. */
const STATE_AT: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
}
const NOTHING_YET = { result: null }
const UNKNOWN_BLOCK = { error: { code: -32_000, message: 'unknown block' } }

/** Asks the node and answers as it would have `behind` blocks ago. Sending is not held back. */
export async function askStale(
  ask: Ask,
  call: RpcCall,
  behind: number,
): Promise<Record<string, unknown>> {
  const { method, params } = call
  const { result: newest } = await ask({ method: 'eth_blockNumber', params: [] })
  const head = Math.max(0, Number(newest) - behind)
  const place = STATE_AT[method]
  if (place !== undefined) {
    const block = heightOf(params[place], head)
    if (block > head) return UNKNOWN_BLOCK
    return ask({ method, params: params.with(place, hex(block)) })
  }
  switch (method) {
    case 'eth_blockNumber':
      return { result: hex(head) }
    case 'eth_getBlockByNumber': {
      const block = heightOf(params[0], head)
      return block > head ? NOTHING_YET : ask({ method, params: params.with(0, hex(block)) })
    }
    case 'eth_getBlockByHash':
      return unlessAbove(head, 'number', await ask(call))
    case 'eth_getTransactionReceipt':
      return unlessAbove(head, 'blockNumber', await ask(call))
    case 'eth_getLogs':
      return logsUpTo(ask, params[0], head)
    default:
      return ask(call)
  }
}

async function logsUpTo(ask: Ask, filter: unknown, head: number): Promise<Record<string, unknown>> {
  const given = { ...Object(filter) }
  if (given.blockHash !== undefined) {
    const block = await ask({ method: 'eth_getBlockByHash', params: [given.blockHash, false] })
    const isKnown = unlessAbove(head, 'number', block).result !== null
    return isKnown ? ask({ method: 'eth_getLogs', params: [given] }) : UNKNOWN_BLOCK
  }
  // Most nodes say nothing about the part of a range that they don't have yet.
  const to = Math.min(heightOf(given.toBlock, head), head)
  if (heightOf(given.fromBlock, head) > to) return { result: [] }
  return ask({ method: 'eth_getLogs', params: [{ ...given, toBlock: hex(to) }] })
}

/** The node's answer, or that there is no such thing when it came after the head. */
function unlessAbove(
  head: number,
  field: string,
  answer: Record<string, unknown>,
): Record<string, unknown> {
  const height = Object(answer.result)[field]
  return height !== undefined && Number(height) > head ? NOTHING_YET : answer
}

function heightOf(block: unknown, head: number): number {
  if (block === 'earliest') return 0
  return typeof block === 'string' && block.startsWith('0x') ? Number(block) : head
}

function hex(height: number): string {
  return `0x${height.toString(16)}`
}
