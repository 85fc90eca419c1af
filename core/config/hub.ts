import { privateKeyToAddress } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import { isOptional } from '../chain/offered.ts'
import { type Chain, chainsOf, tokensOf } from '../chain/registry.ts'
import type { Environment } from '../chain/table.ts'
import type { Token } from '../chain/tokens.ts'
import { type ActiveChain, activeChain, suffix } from './chains.ts'
import { type ParsedConfig, type Reader, read, type Variables } from './reader.ts'
import { withRecoverable } from './recoverable.ts'
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
  /** With what the hub is set up, besides its roles. */
  readonly terms: HubTerms
}

/** What it takes to act as a hub's owner or guardian, and no more: a guardian's machine has nothing else. */
export interface HubPowers {
  readonly environment: Environment
  readonly chain: ActiveChain
  /** HUB_ADDRESS, where it is set; else it follows from HUB_OWNER. */
  readonly hub: Address | null
  readonly owner: Address | null
  readonly ownerKey: Hex | null
  readonly guardianKey: Hex | null
}

export interface HubTerms {
  /** Seconds before the owner's additions take effect, and before a new treasury does. */
  readonly delays: { readonly owner: number; readonly config: number }
  /** The chain's tokens, what the operator lists besides, and its native coin. */
  readonly tokens: readonly HubTokenTerms[]
}

export interface HubTokenTerms extends Token {
  /** Whether it is swept and distributed, or only refunded. */
  readonly isListed: boolean
  /** A hub may do without it: it is offered once the hub lists it. */
  readonly isOptional: boolean
  /** The most that is refunded in 24 hours, in base units; null for no limit. */
  readonly refundLimit: bigint | null
}

const HOUR_S = 3_600
/** The hub allows no more. */
const DELAY_MAX_S = 30 * 24 * HOUR_S
/** What may be refunded in 24 hours, in whole tokens, unless configured otherwise. */
const REFUND_LIMIT = '1000'
/** Of tokens of unknown value, which are only received by mistake. */
const RECOVERABLE_LIMIT = '100'
const COIN_LIMIT = '0.1'

/** Reads the hub's configuration for one chain of the environment's registry. */
export function parseHubConfig(variables: Variables, networkId: string): ParsedConfig<HubConfig> {
  const parsed = read(variables, (reader) => {
    const environment = reader.environment()
    const ownerKey = optionalKey(reader, 'HUB_OWNER_KEY')
    const chains = withRecoverable(reader, chainsOf(environment))
    const chain = chains.find((one) => one.networkId === networkId)
    return {
      environment,
      chains: chains.flatMap((one) => activeChain(reader, one)),
      hub: optionalAddress(reader, 'HUB_ADDRESS'),
      ownerKey,
      deployerKey: optionalKey(reader, 'HUB_DEPLOYER_KEY') ?? ownerKey,
      terms: hubTerms(reader, environment, chain),
      roles: {
        owner:
          ownerKey && reader.optional('HUB_OWNER') === null
            ? addressOf(ownerKey)
            : reader.address('HUB_OWNER'),
        feeCollector: reader.address('FEE_COLLECTOR'),
        configSigner: signer(reader, 'CONFIG_SIGNER'),
        refundSigner: signer(reader, 'REFUND_SIGNER'),
        guardian: guardian(reader, environment),
        relayers: relayers(reader, networkId),
      },
    }
  })
  return forChain(parsed, networkId)
}

interface WithChains {
  readonly environment: Environment
  readonly chains: readonly ActiveChain[]
}

function forChain<T extends WithChains>(
  parsed: ParsedConfig<T>,
  networkId: string,
): ParsedConfig<Omit<T, 'chains'> & { readonly chain: ActiveChain }> {
  if (!parsed.ok) return parsed
  const { chains, ...config } = parsed.config
  const chain = chains.find((entry) => entry.networkId === networkId)
  if (chain) return { ok: true, config: { ...config, chain } }
  return { ok: false, problems: [missingChain(config.environment, networkId)] }
}

/** Reads what owner and guardian need on one chain of the environment's registry. */
export function parseHubPowers(variables: Variables, networkId: string): ParsedConfig<HubPowers> {
  const parsed = read(variables, (reader) => {
    const environment = reader.environment()
    const ownerKey = optionalKey(reader, 'HUB_OWNER_KEY')
    const named = optionalAddress(reader, 'HUB_OWNER')
    return {
      environment,
      chains: withRecoverable(reader, chainsOf(environment)).flatMap((chain) =>
        activeChain(reader, chain),
      ),
      hub: optionalAddress(reader, 'HUB_ADDRESS'),
      owner: named ?? (ownerKey && addressOf(ownerKey)),
      ownerKey,
      guardianKey: optionalKey(reader, 'HUB_GUARDIAN_KEY'),
    }
  })
  return forChain(parsed, networkId)
}

/** In live no addition is immediate and no refund is unlimited. */
function hubTerms(reader: Reader, environment: Environment, chain: Chain | undefined): HubTerms {
  const least = environment === 'live' ? 1 : 0
  return {
    delays: {
      owner: reader.integer('HUB_OWNER_DELAY_S', 48 * HOUR_S, least, DELAY_MAX_S),
      config: reader.integer('HUB_CONFIG_DELAY_S', 24 * HOUR_S, least, DELAY_MAX_S),
    },
    tokens:
      chain === undefined
        ? []
        : tokensOf(chain).map((token) => tokenTerms(reader, environment, chain, token)),
  }
}

/** Without one a stolen key could not be stopped; a test deployment may do without. */
function guardian(reader: Reader, environment: Environment): Address | null {
  if (environment === 'sandbox' && reader.optional('HUB_GUARDIAN') === null) return null
  return reader.address('HUB_GUARDIAN')
}

function tokenTerms(
  reader: Reader,
  environment: Environment,
  chain: Chain,
  { symbol, address, decimals }: Token,
): HubTokenTerms {
  const isListed = chain.tokens.some((token) => token.address === address)
  const fallback = address === ZERO_ADDRESS ? COIN_LIMIT : RECOVERABLE_LIMIT
  const refundLimit = readLimit(
    reader,
    environment,
    { symbol, decimals },
    isListed ? REFUND_LIMIT : fallback,
  )
  return {
    symbol,
    address,
    decimals,
    isListed,
    isOptional: isOptional(chain, address),
    refundLimit,
  }
}

/** Tokens of one symbol share their variable, on all chains. */
function readLimit(
  reader: Reader,
  environment: Environment,
  { symbol, decimals }: Pick<Token, 'symbol' | 'decimals'>,
  fallback: string,
): bigint | null {
  const name = refundLimitVariable(symbol)
  if (reader.optional(name) !== 'unlimited') return reader.amount(name, fallback, decimals)
  if (environment === 'live') {
    reader.problem(
      `${name} must be an amount: in live a stolen refund key must not take everything`,
    )
  }
  return null
}

/** The variable with the refund limit of a token: symbols may have characters that variables have not. */
export function refundLimitVariable(symbol: string): string {
  return `HUB_REFUND_LIMIT_${symbol.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
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

function optionalAddress(reader: Reader, name: string): Address | null {
  return reader.optional(name) === null ? null : reader.address(name)
}

function optionalKey(reader: Reader, name: string): Hex | null {
  return reader.keys(name)[0] ?? null
}

/**
 * The chain's own relayers, or those for all chains: by their keys, and by their addresses where the keys
 * are elsewhere. There may be none yet.
 */
function relayers(reader: Reader, networkId: string): Address[] {
  const [own, shared] = [`_${suffix(networkId)}`, ''].map((ending) => [
    ...reader.keys(`RELAYER_KEYS${ending}`).map(addressOf),
    ...reader.addresses(`RELAYER_SIGNERS${ending}`),
  ])
  return own?.length ? own : (shared ?? [])
}

function addressOf(key: Hex): Address {
  return lowerCaseAddress(privateKeyToAddress(key))
}
