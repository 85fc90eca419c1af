import { BaseError } from 'viem'
import { CommandError } from './command.ts'

/** Throws what a node has refused, as a sentence; anything else as it is. */
export function refused(networkId: string, error: unknown): never {
  if (!(error instanceof BaseError)) throw error
  // Not the whole message, which may hold the node's URL and with it a secret.
  const words = [error.shortMessage, error.details].filter((part) => part)
  throw new CommandError([`${networkId}: ${words.join(' ')}`], { cause: error })
}
