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

/** A deployed hub, with the configured keys. */
export interface PowerSite {
  readonly client: ChainClient
  readonly hub: Address
  readonly roles: HubRoles
  /** The newest block; the hub's state is read at or after it. */
  readonly head: Head
  /** The configured key of an account, if any: HUB_OWNER_KEY or HUB_GUARDIAN_KEY. */
  readonly keyOf: (account: Address) => Hex | null
  /** Queries the chain. @throws CommandError with the node's error. */
  readonly query: <T>(question: () => Promise<T>) => Promise<T>
}

/** Reads `--chain` and the configuration, and finds the hub. @throws CommandError with what is missing. */
export async function powerSite(input: CommandInput): Promise<PowerSite> {
  const parsed = parseHubPowers(input.variables, required(input, 'chain'))
  if (!parsed.ok) throw new CommandError(parsed.problems)
  const { config } = parsed
  const { networkId } = config.chain
  const hub = await addressOf(config)
  const client = openChain(config.chain)
  const query = <T>(question: () => Promise<T>): Promise<T> =>
    question().catch((error: unknown) => refused(networkId, error))
  const [reading, head] = await query(() =>
    Promise.all([readHub(client.rpc, hub), readHead(client.rpc)]),
  )
  if (reading.type !== 'hub') {
    throw new CommandError([
      `there is no hub of this version at ${hub} on ${networkId}: set HUB_ADDRESS to the hub in use`,
    ])
  }
  return {
    client,
    hub,
    roles: reading.roles,
    head,
    keyOf: (account) => keyOf(config, account),
    query,
  }
}

async function addressOf({ hub, owner, environment }: HubPowers): Promise<Address> {
  if (hub !== null) return hub
  if (owner !== null) return hubAddress(await hubInitCode(owner, environment))
  throw new CommandError([
    'HUB_ADDRESS is missing: set it to the hub, or set HUB_OWNER to derive it',
  ])
}

function keyOf({ ownerKey, guardianKey }: HubPowers, account: Address): Hex | null {
  const keys = [ownerKey, guardianKey].flatMap((key) => key ?? [])
  return keys.find((key) => lowerCaseAddress(privateKeyToAddress(key)) === account) ?? null
}

export const CHAIN_OPTION = {
  chain: { value: 'ID', about: 'The chain, e.g. base-sepolia', required: true },
} as const
