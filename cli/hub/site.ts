import { privateKeyToAddress } from 'viem/accounts'
import { type Head, readHead } from '../../chain/blocks/blocks.ts'
import { type HubRoles, readHub } from '../../chain/hub/contract.ts'
import { hubAddress, hubInitCode } from '../../chain/hub/deployment.ts'
import { type ChainClient, openChain } from '../../chain/rpc/client.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { type HubPowers, parseHubPowers } from '../../core/config/hub.ts'
import { CommandError, type CommandInput } from '../terminal/command.ts'
import { refused } from '../terminal/nodes.ts'
import { required } from '../terminal/options.ts'

/** A hub that is there, and whose keys are at hand. */
export interface PowerSite {
  readonly client: ChainClient
  readonly hub: Address
  readonly roles: HubRoles
  /** The newest block: the hub's state is read at or after it. */
  readonly head: Head
  /** The key at hand of this account, if there is one: HUB_OWNER_KEY or HUB_GUARDIAN_KEY. */
  readonly keyOf: (account: Address) => Hex | null
  /** Asks the chain. @throws CommandError with a refusal of the node, as a sentence. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>
}

/** Reads `--chain` and the configuration, and finds the hub. @throws CommandError that says what is missing. */
export async function powerSite(input: CommandInput): Promise<PowerSite> {
  const parsed = parseHubPowers(input.variables, required(input, 'chain'))
  if (!parsed.ok) throw new CommandError(parsed.problems)
  const { config } = parsed
  const { networkId } = config.chain
  const hub = await addressOf(config)
  const client = openChain(config.chain)
  const ask = <T>(question: () => Promise<T>): Promise<T> =>
    question().catch((error: unknown) => refused(networkId, error))
  const [reading, head] = await ask(() =>
    Promise.all([readHub(client.rpc, hub), readHead(client.rpc)]),
  )
  if (reading.type !== 'hub') {
    throw new CommandError([
      `there is no hub of this version at ${hub} on ${networkId}: set HUB_ADDRESS to the one that is in use`,
    ])
  }
  return {
    client,
    hub,
    roles: reading.roles,
    head,
    keyOf: (account) => keyOf(config, account),
    ask,
  }
}

async function addressOf({ hub, owner, environment }: HubPowers): Promise<Address> {
  if (hub !== null) return hub
  if (owner !== null) return hubAddress(await hubInitCode(owner, environment))
  throw new CommandError([
    'HUB_ADDRESS is missing: set it to the hub (or HUB_OWNER, from which it follows)',
  ])
}

function keyOf({ ownerKey, guardianKey }: HubPowers, account: Address): Hex | null {
  const keys = [ownerKey, guardianKey].flatMap((key) => key ?? [])
  return keys.find((key) => lowerCaseAddress(privateKeyToAddress(key)) === account) ?? null
}

export const CHAIN_OPTION = {
  chain: { value: 'ID', about: 'The chain, e.g. base-sepolia', required: true },
} as const
