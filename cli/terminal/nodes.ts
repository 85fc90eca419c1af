import { BaseError, HttpRequestError } from 'viem'
import { rpcErrorIn } from '../../chain/rpc/faults.ts'
import { nodeText } from '../../core/base/logging.ts'
import { CommandError } from './command.ts'

/** Throws what a node has refused, as a sentence; anything else as it is. */
export function refused(networkId: string, error: unknown): never {
  if (!(error instanceof BaseError)) throw error
  // Neither the whole message, which may hold the node's URL and with it a secret, nor a gateway's answer.
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
