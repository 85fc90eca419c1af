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
  readonly client: ChainClient
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
  return { config, client: openChain(config.chain), initCode, predicted: hubAddress(initCode) }
}

/** Refuses a node of another chain than the one named, before anything is read or sent. */
export async function checkNode({ config, client }: HubSite): Promise<void> {
  const { networkId, chainId } = config.chain
  const found = await fromNode(config, () => client.rpc.getChainId())
  if (found !== chainId) {
    throw new CommandError([
      `the node configured for ${networkId} is on chain ${found}, and ${networkId} is ${chainId}`,
    ])
  }
}

/** Asks the node, and turns its refusal into a sentence. */
export async function fromNode<T>(
  config: Pick<HubConfig, 'chain'>,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    // Not the whole message, which may hold the node's URL and with it a secret.
    const words = [error.shortMessage, error.details].filter((part) => part)
    throw new CommandError([`${config.chain.networkId}: ${words.join(' ')}`], { cause: error })
  }
}
