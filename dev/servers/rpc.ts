/** JSON-RPC with local nodes, including methods that viem doesn't support. */
import { type Hex, isHex } from 'viem'

export type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>

/** @throws Error if the node doesn't respond within ten seconds, is unreachable or returns an error. */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('result' in answer)) {
    throw new Error(`${method} failed: ${JSON.stringify(answer)}`)
  }
  return answer.result
}

/** A field of a result that must be a hex string. */
export function hexField(answer: unknown, field: string): Hex {
  const found = Object.entries(typeof answer === 'object' ? (answer ?? {}) : {})
  return asHex(found.find(([name]) => name === field)?.[1])
}

/** @throws Error if the value is not a hex string. */
export function asHex(value: unknown): Hex {
  if (isHex(value)) return value
  throw new Error(`Expected a hex string from the node, got ${JSON.stringify(value)}`)
}
