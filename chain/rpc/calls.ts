import type { Hex } from '../../core/chain/evm.ts'

/** JSON-RPC calls: what is requested, and how urgent it is. */

export interface RpcCall {
  readonly method: string
  readonly params?: unknown
}

/** Money waits for the first, a turn for the second; scans of history wait for both. */
export const PRIORITIES = ['money', 'turn', 'history'] as const
export type Priority = (typeof PRIORITIES)[number]

export function priorityOf(call: RpcCall): Priority {
  const { method } = call
  if (method === 'eth_sendRawTransaction' || method === 'eth_getTransactionReceipt') return 'money'
  return method === 'eth_getLogs' && logRangeOf(call) !== null ? 'history' : 'turn'
}

/** The blocks that a search for logs names by their numbers; null for every other call. */
export function logRangeOf({ method, params }: RpcCall): { from: bigint; to: bigint } | null {
  if (method !== 'eth_getLogs' || !Array.isArray(params)) return null
  const [from, to] = [field(params[0], 'fromBlock'), field(params[0], 'toBlock')]
  if (!isQuantity(from) || !isQuantity(to)) return null
  return { from: BigInt(from), to: BigInt(to) }
}

/** A field of JSON that is not known to be an object. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return new Map<string, unknown>(Object.entries(value)).get(name)
}

export function isHash(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)
}

export function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value)
}

/** True for a question about the newest block, or its height. */
export function isHeadCall({ method, params }: RpcCall): boolean {
  const isLatest = method === 'eth_getBlockByNumber' && field(params, '0') === 'latest'
  return isLatest || method === 'eth_blockNumber'
}
