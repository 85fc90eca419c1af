import { BaseError } from 'viem'

/** True for errors of the node or of the way to it, as opposed to faults of our own. */
export function isRpcFault(error: unknown): boolean {
  return error instanceof BaseError
}
