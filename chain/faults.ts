import {
  BaseError,
  HttpRequestError,
  ResponseBodyTooLargeError,
  RpcRequestError,
  TimeoutError,
} from 'viem'

/** True for errors of the node or of the way to it, as opposed to faults of our own. */
export function isRpcFault(error: unknown): boolean {
  if (error instanceof BaseError) return true
  // An answer that is no JSON-RPC at all makes viem itself stumble with a bare TypeError.
  return error instanceof TypeError && (error.stack ?? '').includes('/viem/')
}

/** The node's own error inside what viem throws; null when no node has answered. */
export function rpcErrorIn(error: unknown): RpcRequestError | null {
  let cause = error
  while (cause instanceof Error) {
    if (cause instanceof RpcRequestError) return cause
    cause = cause.cause
  }
  return null
}

const TRIES = 3
const PAUSE_MS = 100

/**
 * Reads from a node, and reads again when no answer came: the next one may be better, and reading does
 * no harm. An answer that the node did give is never asked for twice, however bad it is.
 * @throws what the last try threw.
 */
export async function readPatiently<T>(read: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await read()
    } catch (error) {
      if (left === 0 || !isUnanswered(error)) throw error
      await Bun.sleep(PAUSE_MS)
    }
  }
}

/** True when the node refused what it was asked, or a gateway did so, or the answer was too long. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof HttpRequestError) return error.status !== undefined && error.status < 500
  return error instanceof ResponseBodyTooLargeError || rpcErrorIn(error) !== null
}

/** A timeout, a connection that broke, or a gateway that spoke in the node's place. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof HttpRequestError || error instanceof TimeoutError
}
