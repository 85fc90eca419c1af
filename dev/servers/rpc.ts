/** A JSON-RPC client of a few lines, because the launcher needs one before viem is installed. */

export type Hex = `0x${string}`
export type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>

/**
 * One call. @throws Error when the node is silent for ten seconds, cannot be reached or answers
 * with an error.
 */
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

/** A field of an answer that must be a hex string. */
export function hexField(answer: unknown, field: string): Hex {
  const found = Object.entries(typeof answer === 'object' ? (answer ?? {}) : {})
  return asHex(found.find(([name]) => name === field)?.[1])
}

/** @throws Error when the value is no hex string. */
export function asHex(value: unknown): Hex {
  if (typeof value !== 'string' || !isHex(value)) {
    throw new Error(`Expected a hex string from the node, got ${JSON.stringify(value)}`)
  }
  return value
}

function isHex(value: string): value is Hex {
  return /^0x[0-9a-fA-F]*$/.test(value)
}
