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

/** No node knows a requested block: its contents are unknown. */
export class UnknownBlockError extends BaseError {
  override readonly name = 'UnknownBlockError'
}

/** A node takes no more calls for now, and had not answered this one before the timeout. */
export class RateLimitedError extends BaseError {
  override readonly name = 'RateLimitedError'
}

/** A call that stays without an answer although its node answers others: it exceeds a limit of the node. */
export class UnansweredCallError extends TimeoutError {}

/**
 * True for faults of the one call that was made, which others at the same node don't share: its answer is
 * larger than the bound of responses, or takes longer than the node answers anything else.
 */
export function isCallFault(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ResponseBodyTooLargeError) return true
    if (cause instanceof UnansweredCallError) return true
  }
  return false
}

const RATE_CODES = new Set([429, -32_007, -32_029])
const RATE_WORDS =
  /rate.?limit|too many requests|requests? (per|limit)|calls? per second|per second|compute unit|throughput|quota|capacity/i

/** True when a node's rate limit was hit: it takes waiting, and another request would fare the same. */
export function isRateLimited(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RateLimitedError) return true
    if (cause instanceof HttpRequestError && cause.status === 429) return true
  }
  const answer = rpcErrorIn(error)
  // Besu has -32007 for senders that its permissions don't name.
  if (answer === null || /not authorized/i.test(answer.details)) return false
  return RATE_CODES.has(answer.code) || RATE_WORDS.test(answer.details)
}

/** No URL of a chain answers for that chain. */
export class WrongChainUrlError extends BaseError {
  override readonly name = 'WrongChainUrlError'
}

/** The code that EIP-1898 recommends; most nodes answer -32000 and words of their own. */
const RESOURCE_NOT_FOUND = -32_001
/** geth, erigon, nethermind, besu, reth, anvil and the gateways before them. */
const UNKNOWN_BLOCK =
  /unknown block|(header|block)( for hash)?( 0x[0-9a-f]+)? not found|block not found|cannot find block|could not find block|block .{0,80}(could not be found|was not found)|blocks? (number )?(is )?out of range|blockoutofrange|beyond (the )?current head|after last accepted block/i

/**
 * True when a node doesn't know a block that another one does, or did: it lags behind, or the block was
 * reorganised out. The answer is unknown then; it must never count as a no.
 */
export function isUnknownBlock(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UnknownBlockError) return true
  }
  const answer = rpcErrorIn(error)
  if (answer === null) return false
  return answer.code === RESOURCE_NOT_FOUND || UNKNOWN_BLOCK.test(answer.details)
}

/** The one fault that callers distinguish, with the node's own message. */
export function asUnknownBlock(error: unknown): UnknownBlockError {
  const words = rpcErrorIn(error)?.details ?? 'the node does not know the block'
  return error instanceof Error
    ? new UnknownBlockError(words, { cause: error })
    : new UnknownBlockError(words)
}

/** True when the node or a gateway refused the request, or the answer was too long. */
export function isRefusal(error: unknown): boolean {
  if (isRateLimited(error) || isUnknownBlock(error)) return false
  if (error instanceof HttpRequestError) return error.status !== undefined && error.status < 500
  return error instanceof ResponseBodyTooLargeError || rpcErrorIn(error) !== null
}

/** A timeout, a connection that broke, or a gateway that answered for the node. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof HttpRequestError || error instanceof TimeoutError
}
