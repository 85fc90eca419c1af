import { hubAddress, hubInitCode } from '../../chain/hub/deployment.ts'
import { type HubSetup, UNLIMITED } from '../../chain/hub/setup.ts'
import { type ChainClient, openChain } from '../../chain/rpc/client.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { type HubConfig, parseHubConfig } from '../../core/config/hub.ts'
import { roleProblems } from '../../core/config/roles.ts'
import { CommandError, type CommandInput } from '../terminal/command.ts'
import { refused } from '../terminal/nodes.ts'
import { required } from '../terminal/options.ts'
import { withSignerAddresses } from './signers.ts'

/** The configured hub, and the chain for it. */
export interface HubSite {
  readonly config: HubConfig
  readonly client: ChainClient
  /** Queries the chain's nodes, after checking their chain id. @throws CommandError with a node's error. */
  readonly query: <T>(question: (client: ChainClient) => Promise<T>) => Promise<T>
  readonly initCode: Hex
  /** The address of the committed init code with the configured owner. */
  readonly predicted: Address
}

/** Reads `--chain` and the configuration. @throws CommandError that lists every problem. */
export async function hubSite(input: CommandInput): Promise<HubSite> {
  const variables = await withSignerAddresses(input.variables)
  const parsed = parseHubConfig(variables, required(input, 'chain'))
  if (!parsed.ok) throw new CommandError(parsed.problems)
  const { config } = parsed
  const problems = roleProblems(config.roles, config.environment)
  if (problems.length > 0) throw new CommandError(problems)
  const initCode = await hubInitCode(config.roles.owner, config.environment)
  const client = openChain(config.chain)
  const { networkId } = config.chain
  return {
    config,
    client,
    query: (question) => question(client).catch((error: unknown) => refused(networkId, error)),
    initCode,
    predicted: hubAddress(initCode),
  }
}

/** The configured setup of the hub. */
export function setupOf({ roles, terms }: HubConfig): HubSetup {
  const { configSigner, refundSigner, feeCollector, guardian, relayers } = roles
  return {
    configSigner,
    refundSigner,
    feeCollector,
    guardian,
    operators: relayers,
    tokens: terms.tokens.map((token) => ({
      ...token,
      refundLimit: token.refundLimit ?? UNLIMITED,
    })),
    delays: terms.delays,
  }
}
