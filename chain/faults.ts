import { BaseError } from 'viem'

/** True for errors of the node or of the way to it, as opposed to faults of our own. */
export function isRpcFault(error: unknown): boolean {
  if (error instanceof BaseError) return true
  // An answer that is no JSON-RPC at all makes viem itself stumble with a bare TypeError.
  return error instanceof TypeError && (error.stack ?? '').includes('/viem/')
}
