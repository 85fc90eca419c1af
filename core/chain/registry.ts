import type { BaseUnits } from '../base/money.ts'
import { type Address, parseAddress, ZERO_ADDRESS } from './evm.ts'
import { type ChainGas, MAX_FEE_PER_GAS, USUAL_GAS } from './gas.ts'
import { type ChainEntry, ENTRIES, type Environment } from './table.ts'
import {
  COIN_DECIMALS,
  CONTRACTS,
  TOKEN_SYMBOLS,
  TOKENS,
  type Token,
  type TokenOnChain,
} from './tokens.ts'
import type { WalletFactory } from './walletFactory.ts'

/** The registry of chains and their tokens. No code depends on a particular chain. */

/** A chain of the table, with what follows from its entry. */
export interface Chain extends Omit<ChainEntry, 'isArbitrum'> {
  /** CAIP-2 identifier, `eip155:<chain id>`. */
  readonly caip2: `eip155:${number}`
  /** It is one of Arbitrum's: see chain/transactions/arbitrum.ts for what that changes. */
  readonly isArbitrum: boolean
  /** What calls to the hub may cost here. */
  readonly gas: ChainGas
  /** The most that a transaction may offer per gas, in wei. No node's suggestion passes it. */
  readonly maxFeePerGas: bigint
  readonly tokens: readonly TokenOnChain[]
  /** Tokens that invoices can't use and the operator lets be refunded; empty in the registry itself. */
  readonly recoverable: readonly Token[]
  /**
   * Who may create wallets of x402's payers (ERC-6492), by the operator's list; empty in the registry itself.
   */
  readonly walletFactories: readonly WalletFactory[]
  /** The least amount of an invoice that is carried out for a payer's signature, in millionths of a dollar; null for none. */
  readonly leastSigned: BaseUnits | null
}

const DOLLAR = 1_000_000n

/** Every chain of both environments. */
export const ALL_CHAINS: readonly Chain[] = ENTRIES.map(toChain)

/** The chains of one environment, in the order of the registry. */
export function chainsOf(environment: Environment): readonly Chain[] {
  return ALL_CHAINS.filter((chain) => chain.environment === environment)
}

/** The one of these chains that a CAIP-2 identifier or a networkId names. */
export function findNetwork<C extends Chain>(chains: readonly C[], text: string): C | undefined {
  return chains.find((chain) => chain.caip2 === text || chain.networkId === text)
}

/** The chain with this networkId. Throws an Error when it is none of these. */
export function chainNamed<C extends Chain>(networkId: string, chains: readonly C[]): C {
  const chain = chains.find((candidate) => candidate.networkId === networkId)
  if (!chain) throw new Error(`the registry has no chain ${networkId}`)
  return chain
}

/** The token's entry on this chain, or undefined when the chain doesn't have it. */
export function tokenOn(chain: Chain, symbol: string): TokenOnChain | undefined {
  return chain.tokens.find((token) => token.symbol === symbol)
}

/** What is known about a token that was found on-chain; undefined for one that is not listed. */
export function tokenAt(
  found: { readonly networkId: string; readonly token: Address },
  chains: readonly Chain[],
): Token | undefined {
  const chain = chains.find((candidate) => candidate.networkId === found.networkId)
  return chain && tokensOf(chain).find(({ address }) => address === found.token)
}

/** All tokens of a chain that may be recorded and refunded. */
export function tokensOf(chain: Chain): readonly Token[] {
  return [...chain.tokens, ...neverWatched(chain)]
}

/**
 * Tokens that the indexer may not watch: they are recorded once their transaction is submitted. Optional tokens
 * are among them, which some deployments watch.
 */
export function unwatchedTokens(chain: Chain): readonly Token[] {
  return [...chain.tokens.filter(({ isOptional }) => isOptional), ...neverWatched(chain)]
}

/** Tokens that no deployment's indexer watches. */
export function neverWatched(chain: Chain): readonly Token[] {
  return [
    ...chain.recoverable,
    { symbol: chain.symbol, address: ZERO_ADDRESS, decimals: COIN_DECIMALS },
  ]
}

/** The token's entry on this chain. Throws an Error when the chain doesn't have it. */
export function tokenNamed(chain: Chain, symbol: string): TokenOnChain {
  const token = tokenOn(chain, symbol)
  if (!token) throw new Error(`the registry has no ${symbol} on ${chain.networkId}`)
  return token
}

function toChain(entry: ChainEntry): Chain {
  const tokens = TOKEN_SYMBOLS.flatMap((symbol): TokenOnChain[] => {
    const contract = CONTRACTS[symbol][entry.networkId]
    if (contract === undefined) return []
    const { decimals } = TOKENS[symbol]
    return [{ ...contract, symbol, decimals, address: lower(contract.address) }]
  })
  const caip2 = `eip155:${entry.chainId}` as const
  const { isArbitrum = false } = entry
  return {
    ...entry,
    isArbitrum,
    caip2,
    gas: USUAL_GAS,
    maxFeePerGas: MAX_FEE_PER_GAS,
    tokens,
    recoverable: [],
    walletFactories: [],
    // It takes less gas than a sweep. Where that costs dollars, the operator has to enable it.
    leastSigned: entry.minSweep.USDC < DOLLAR ? entry.minSweep.USDC : null,
  }
}

/** Addresses are compared and stored in lower case; a mistyped checksum in the table throws. */
function lower(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw new TypeError(`the registry holds a wrong address: ${text}`)
  return address
}
