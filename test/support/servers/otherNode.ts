/**
 * What another node of the same chain answers: one that is some blocks behind, one that stands still,
 * or one that is on a branch of its own. Load balancers put such a node next to one that is not.
 */

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

export type Answer = Record<string, unknown>
export type Ask = (call: RpcCall) => Promise<Answer>

export type OtherNode =
  /** Heads, states, receipts and logs as they were so many blocks ago. */
  | { readonly type: 'stale'; readonly blocks: number }
  /** The same as they were when this block was the newest. */
  | { readonly type: 'frozen'; readonly at: number }
  /** From this block on it has blocks of its own, with the same transactions under other hashes. */
  | { readonly type: 'forked'; readonly from: number }

/** Asks the node, and answers as the other one would. Sending is not held back. */
export async function askOther(ask: Ask, call: RpcCall, other: OtherNode): Promise<Answer> {
  if (other.type === 'forked') return askForked(ask, call, other.from)
  if (other.type === 'frozen') return askAt(ask, call, other.at)
  const { result: newest } = await ask({ method: 'eth_blockNumber', params: [] })
  return askAt(ask, call, Math.max(0, Number(newest) - other.blocks))
}

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

async function askAt(ask: Ask, call: RpcCall, head: number): Promise<Answer> {
  const { method, params } = call
  const place = STATE_AT[method]
  if (place !== undefined) {
    const block = await stateHeight(ask, params[place], head)
    if (block === null || block > head) return UNKNOWN_BLOCK
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
    case 'eth_getTransactionByHash':
      return unlessAbove(head, 'blockNumber', await ask(call))
    case 'eth_getLogs':
      return logsUpTo(ask, params[0], head)
    default:
      return ask(call)
  }
}

/** The height of the block whose state is asked for; null when there is no such block. */
async function stateHeight(ask: Ask, block: unknown, head: number): Promise<number | null> {
  const { blockHash } = Object(block)
  if (blockHash === undefined) return heightOf(block, head)
  const { result } = await ask({ method: 'eth_getBlockByHash', params: [blockHash, false] })
  return result === null ? null : Number(Object(result).number)
}

async function logsUpTo(ask: Ask, filter: unknown, head: number): Promise<Answer> {
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
function unlessAbove(head: number, field: string, answer: Answer): Answer {
  const height = Object(answer.result)[field]
  return typeof height === 'string' && Number(height) > head ? NOTHING_YET : answer
}

function heightOf(block: unknown, head: number): number {
  if (block === 'earliest') return 0
  return typeof block === 'string' && block.startsWith('0x') ? Number(block) : head
}

function hex(height: number): string {
  return `0x${height.toString(16)}`
}

async function askForked(ask: Ask, call: RpcCall, from: number): Promise<Answer> {
  const { method, params } = call
  const isBlock = method === 'eth_getBlockByHash'
  const place = isBlock || method === 'eth_getLogs' ? 0 : STATE_AT[method]
  const given = place === undefined ? undefined : params[place]
  const hash: unknown = isBlock ? given : Object(given).blockHash
  if (place === undefined || typeof hash !== 'string') return renamed(ask, call, from)
  const heightOfHash = async (name: string): Promise<number> => {
    const { result } = await ask({ method: 'eth_getBlockByHash', params: [name, false] })
    return result === null ? Number.NaN : Number(Object(result).number)
  }
  const real = otherHash(hash)
  if ((await heightOfHash(real)) >= from) {
    const asked = isBlock ? real : { ...Object(given), blockHash: real }
    return renamed(ask, { method, params: params.with(place, asked) }, from)
  }
  if ((await heightOfHash(hash)) < from) return renamed(ask, call, from)
  return isBlock ? NOTHING_YET : UNKNOWN_BLOCK
}

/** The node's answer with the hashes that its blocks have on the branch. */
async function renamed(ask: Ask, call: RpcCall, from: number): Promise<Answer> {
  const { result, ...rest } = await ask(call)
  if (result === undefined) return rest
  return { ...rest, result: rename(result, from) }
}

function rename(value: unknown, from: number): unknown {
  if (Array.isArray(value)) return value.map((entry) => rename(entry, from))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, rename(field, from)] as const)
  const renamedFields = new Map<string, unknown>(fields)
  const change = (name: string, height: unknown, first: number) => {
    const hash = renamedFields.get(name)
    if (typeof hash === 'string' && typeof height === 'string' && Number(height) >= first) {
      renamedFields.set(name, otherHash(hash))
    }
  }
  change('blockHash', renamedFields.get('blockNumber'), from)
  if (renamedFields.has('parentHash')) {
    change('hash', renamedFields.get('number'), from)
    change('parentHash', renamedFields.get('number'), from + 1)
  }
  return Object.fromEntries(renamedFields)
}

/** The name of a block on the other branch, in both directions. */
function otherHash(hash: string): string {
  const first = Number.parseInt(hash.slice(2, 4), 16) ^ 0xff
  return `0x${first.toString(16).padStart(2, '0')}${hash.slice(4)}`
}
