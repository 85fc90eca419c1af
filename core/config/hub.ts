import { privateKeyToAddress } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import { chainsOf, type Environment } from '../chain/registry.ts'
import { type ActiveChain, activeChain, suffix } from './processes.ts'
import { type ParsedConfig, type Reader, read, type Variables } from './reader.ts'
import type { Roles } from './roles.ts'

/**
 * What it takes to deploy and maintain a hub on one chain. No database is needed, and of the signers only
 * the addresses: CONFIG_SIGNER and REFUND_SIGNER name them where their keys are kept elsewhere.
 */
export interface HubConfig {
  readonly environment: Environment
  readonly chain: ActiveChain
  readonly roles: Roles
  /** HUB_ADDRESS, where it is set. */
  readonly hub: Address | null
  /** The owner's key, for appointing operators. */
  readonly ownerKey: Hex | null
  /** The key that pays for a deployment: HUB_DEPLOYER_KEY, or else the owner's. */
  readonly deployerKey: Hex | null
}

/** Reads the hub's configuration for one chain of the environment's registry. */
export function parseHubConfig(variables: Variables, networkId: string): ParsedConfig<HubConfig> {
  const parsed = read(variables, (reader) => {
    const environment = reader.environment()
    const ownerKey = optionalKey(reader, 'HUB_OWNER_KEY')
    return {
      environment,
      chains: chainsOf(environment).flatMap((chain) => activeChain(reader, chain)),
      hub: reader.optional('HUB_ADDRESS') === null ? null : reader.address('HUB_ADDRESS'),
      ownerKey,
      deployerKey: optionalKey(reader, 'HUB_DEPLOYER_KEY') ?? ownerKey,
      roles: {
        owner:
          ownerKey && reader.optional('HUB_OWNER') === null
            ? addressOf(ownerKey)
            : reader.address('HUB_OWNER'),
        feeCollector: reader.address('FEE_COLLECTOR'),
        configSigner: signer(reader, 'CONFIG_SIGNER'),
        refundSigner: signer(reader, 'REFUND_SIGNER'),
        relayers: relayerKeys(reader, networkId).map(addressOf),
      },
    }
  })
  if (!parsed.ok) return parsed
  const { chains, ...config } = parsed.config
  const chain = chains.find((entry) => entry.networkId === networkId)
  if (chain) return { ok: true, config: { ...config, chain } }
  return { ok: false, problems: [missingChain(config.environment, networkId)] }
}

function missingChain(environment: Environment, networkId: string): string {
  const names = chainsOf(environment).map((chain) => chain.networkId)
  return names.includes(networkId)
    ? `${networkId} is not switched on: set RPC_URL_${suffix(networkId)} to the URL of a node`
    : `${networkId} is not a chain of the ${environment} registry, which has ${names.join(', ')}`
}

/** An address, given as such or by the key that it belongs to. */
function signer(reader: Reader, name: string): Address {
  if (reader.optional(name) !== null) return reader.address(name)
  const [key] = reader.keys(`${name}_KEY`)
  if (key) return addressOf(key)
  if (reader.optional(`${name}_KEY`) === null) {
    reader.problem(`${name} is missing: set its address, or its private key as ${name}_KEY`)
  }
  return ZERO_ADDRESS
}

function optionalKey(reader: Reader, name: string): Hex | null {
  return reader.keys(name)[0] ?? null
}

/** The chain's own relayer keys, or those for all chains. There may be none yet. */
function relayerKeys(reader: Reader, networkId: string): Hex[] {
  const own = reader.keys(`RELAYER_KEYS_${suffix(networkId)}`)
  return own.length > 0 ? own : reader.keys('RELAYER_KEYS')
}

function addressOf(key: Hex): Address {
  return lowerCaseAddress(privateKeyToAddress(key))
}
