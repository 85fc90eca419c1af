import { BaseError, HttpRequestError } from 'viem'
import { rpcErrorIn } from '../../chain/rpc/faults.ts'
import { nodeText } from '../../core/base/logging.ts'
import { CommandError } from './command.ts'

/** Throws a node's error as a message; other errors unchanged. */
export function refused(networkId: string, error: unknown): never {
  if (!(error instanceof BaseError)) throw error
  // Not the complete message, which may contain the node's URL with a secret, and not a gateway's response.
  const answer = rpcErrorIn(error)
  const parts = [
    nodeText(error.shortMessage),
    error instanceof HttpRequestError && error.status !== undefined
      ? `Status ${error.status}.`
      : '',
    answer === null ? '' : nodeText(answer.details),
  ].filter((part) => part !== '')
  throw new CommandError([`${networkId}: ${parts.join(' ')}`], { cause: error })
}
