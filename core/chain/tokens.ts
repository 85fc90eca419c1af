import { type BaseUnits, type TokenDecimals, tokenDecimals } from '../base/money.ts'
import type { Address } from './evm.ts'

/**
 * The tokens that invoices may ask for. Between chains only their contracts differ. `currency` (ISO 4217) is
 * what each of a token stands for.
 */
export const TOKENS = {
  USDC: { name: 'USD Coin', decimals: tokenDecimals(6), currency: 'USD' },
  USDT: { name: 'Tether USD', decimals: tokenDecimals(6), currency: 'USD' },
  EURC: { name: 'EURC', decimals: tokenDecimals(6), currency: 'EUR' },
} as const

export type TokenSymbol = keyof typeof TOKENS

/** One thing for each token. */
export function perToken<T>(make: (symbol: TokenSymbol) => T): Readonly<Record<TokenSymbol, T>> {
  return { USDC: make('USDC'), USDT: make('USDT'), EURC: make('EURC') }
}

/** An amount of each token, in its base units. */
export type PerToken = Readonly<Record<TokenSymbol, BaseUnits>>

/** The decimals of every chain's native coin. */
export const COIN_DECIMALS = tokenDecimals(18)

/** A token or a native coin that an address may hold. */
export interface Token {
  readonly symbol: string
  /** Its contract; the zero address for a chain's native coin. */
  readonly address: Address
  readonly decimals: TokenDecimals
}

/** A token that invoices may ask for. */
export interface TokenOnChain extends Token {
  readonly symbol: TokenSymbol
  /**
   * The EIP-712 domain of a token that takes EIP-3009 authorizations; absent when it doesn't, and of an
   * optional token until its contract was asked.
   */
  readonly eip712?: { readonly name: string; readonly version: string }
  /**
   * It came after hubs were deployed, which can't be expected to list it: it is offered where the hub does and
   * the indexer follows it (core/chain/offered.ts). Its EIP-712 domain is read from its contract.
   */
  readonly isOptional?: true
}

/** In the order in which they are listed. */
export const TOKEN_SYMBOLS: readonly TokenSymbol[] = Object.keys(TOKENS).filter(isTokenSymbol)

export function isTokenSymbol(value: string): value is TokenSymbol {
  return Object.hasOwn(TOKENS, value)
}
