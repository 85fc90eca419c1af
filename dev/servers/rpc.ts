/** JSON-RPC with local nodes, some of whose methods viem doesn't know. */
import { type Hex, http, isHex } from 'viem'

export type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>

/** @throws Error when the node is silent for ten seconds, can't be reached or refuses. */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  return await http(url, { retryCount: 0, timeout: 10_000 })({}).request({ method, params })
}

/** A field of an answer that must be a hex string. */
export function hexField(answer: unknown, field: string): Hex {
  const found = Object.entries(typeof answer === 'object' ? (answer ?? {}) : {})
  return asHex(found.find(([name]) => name === field)?.[1])
}

/** @throws Error when the value is no hex string. */
export function asHex(value: unknown): Hex {
  if (isHex(value)) return value
  throw new Error(`Expected a hex string from the node, got ${JSON.stringify(value)}`)
}
