import type { Address } from './evm.ts'
import type { Chain } from './registry.ts'
import { TOKENS, type TokenOnChain } from './tokens.ts'

/**
 * Which tokens of the registry a deployment takes. The hub sweeps only what its owner has listed, and listing
 * takes the owner's delay; so what the registry gained later is offered only where the hub lists it already.
 */

/** An optional token that may be paid with: the hub lists it, and the indexer follows it. */
export interface OfferedToken {
  readonly networkId: string
  readonly token: Address
  /** Read from its contract; null while unknown or not trusted: it takes no EIP-3009 then. */
  readonly eip712: NonNullable<TokenOnChain['eip712']> | null
}

/**
 * The chains with the tokens that may be paid with now; of optional tokens those that are offered. The
 * others are still recorded and refunded, like those that the operator lists.
 */
export function offering<C extends Chain>(
  chains: readonly C[],
  offered: readonly OfferedToken[],
): readonly C[] {
  return chains.map((chain) => {
    const here = offered.filter(({ networkId }) => networkId === chain.networkId)
    const offerOf = ({ address }: TokenOnChain) => here.find(({ token }) => token === address)
    const isIn = (token: TokenOnChain) => !token.isOptional || offerOf(token) !== undefined
    const tokens = chain.tokens.filter(isIn).map((token): TokenOnChain => {
      const eip712 = offerOf(token)?.eip712 ?? null
      return eip712 === null ? token : { ...token, eip712 }
    })
    const others = chain.tokens.filter((token) => !isIn(token))
    return { ...chain, tokens, recoverable: [...chain.recoverable, ...others] }
  })
}

/** The chains with the tokens that an indexer follows; of optional tokens those that are named. */
export function following<C extends Chain>(
  chains: readonly C[],
  named: readonly Pick<OfferedToken, 'networkId' | 'token'>[],
): readonly C[] {
  return offering(
    chains,
    named.map((one) => ({ ...one, eip712: null })),
  )
}

/** The currencies of these chains' tokens (ISO 4217), each once. */
export function currenciesOf(chains: readonly Chain[]): readonly string[] {
  return [...new Set(chains.flatMap(({ tokens }) => tokens.map((t) => TOKENS[t.symbol].currency)))]
}

/** Whether a token of a chain is an optional one. */
export function isOptional(chain: Chain, token: Address): boolean {
  return chain.tokens.some((one) => one.address === token && one.isOptional === true)
}

/** Every optional token of these chains. */
export function optionalTokens<C extends Chain>(
  chains: readonly C[],
): readonly { readonly chain: C; readonly token: TokenOnChain }[] {
  return chains.flatMap((chain) =>
    chain.tokens.filter(({ isOptional }) => isOptional).map((token) => ({ chain, token })),
  )
}
