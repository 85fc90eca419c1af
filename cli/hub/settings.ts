import { BaseError } from 'viem'
import { type ChainClient, openChain } from '../../chain/client.ts'
import { hubAddress, hubInitCode } from '../../chain/hub/deployment.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { type HubConfig, parseHubConfig } from '../../core/config/hub.ts'
import { roleProblems } from '../../core/config/roles.ts'
import { CommandError, type CommandInput } from '../terminal/command.ts'
import { required } from '../terminal/options.ts'

/** A hub as the configuration describes it, and the chain that it is or will be on. */
export interface HubSite {
  readonly config: HubConfig
  /** Asks the chain's node. @throws CommandError with its refusal, as a sentence. */
  readonly ask: <T>(question: (client: ChainClient) => Promise<T>) => Promise<T>
  readonly initCode: Hex
  /** Where the committed init code with the configured roles ends up. */
  readonly predicted: Address
}

/** Reads `--chain` and the configuration. @throws CommandError that lists every problem. */
export async function hubSite(input: CommandInput): Promise<HubSite> {
  const parsed = parseHubConfig(input.variables, required(input, 'chain'))
  if (!parsed.ok) throw new CommandError(parsed.problems)
  const { config } = parsed
  const problems = roleProblems(config.roles, config.environment)
  if (problems.length > 0) throw new CommandError(problems)
  const initCode = await hubInitCode(config.roles, config.environment)
  const client = openChain(config.chain)
  const { networkId } = config.chain
  return {
    config,
    ask: (question) => question(client).catch((error: unknown) => refused(networkId, error)),
    initCode,
    predicted: hubAddress(initCode),
  }
}

/** Refuses a node of another chain than the one named, before anything is read or sent. */
export async function checkNode({ config, ask }: HubSite): Promise<void> {
  const { networkId, chainId } = config.chain
  const found = await ask(({ rpc }) => rpc.getChainId())
  if (found !== chainId) {
    throw new CommandError([
      `the node configured for ${networkId} is on chain ${found}, and ${networkId} is ${chainId}`,
    ])
  }
}

function refused(networkId: string, error: unknown): never {
  if (!(error instanceof BaseError)) throw error
  // Not the whole message, which may hold the node's URL and with it a secret.
  const words = [error.shortMessage, error.details].filter((part) => part)
  throw new CommandError([`${networkId}: ${words.join(' ')}`], { cause: error })
}
