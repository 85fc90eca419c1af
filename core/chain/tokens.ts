import { type BaseUnits, type TokenDecimals, tokenDecimals } from '../base/money.ts'
import type { Address } from './evm.ts'

/**
 * The tokens of invoices: to add one is to add an entry here and its contract on each chain below. Between
 * chains only their contracts differ. `currency` (ISO 4217) is what a token is worth one unit of.
 */
export const TOKENS = {
  USDC: { name: 'USD Coin', decimals: tokenDecimals(6), currency: 'USD' },
  USDT: { name: 'Tether USD', decimals: tokenDecimals(6), currency: 'USD' },
  EURC: { name: 'EURC', decimals: tokenDecimals(6), currency: 'EUR' },
} as const

export type TokenSymbol = keyof typeof TOKENS

/** A token's contract on one chain. */
export interface TokenContract extends Pick<TokenOnChain, 'eip712' | 'isOptional'> {
  readonly address: string
}

/** The EIP-712 domains of Circle's token in production and in test. */
const USD_COIN = { name: 'USD Coin', version: '2' }
const TEST_USDC = { name: 'USDC', version: '2' }

/**
 * The deterministic address of our own test USDT, whose issuer has none on the test chains. It is the same
 * token for every deployer: anyone may mint, and its owner is an address without a key.
 */
const TEST_USDT = { address: '0x477E549693c65DeF39eE1E9d6AF17490Bd5Fc0C5' }

/** The contracts of each token, by the chain's networkId. */
export const CONTRACTS: Readonly<Record<TokenSymbol, Readonly<Record<string, TokenContract>>>> = {
  USDC: {
    ethereum: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', eip712: USD_COIN },
    base: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', eip712: USD_COIN },
    polygon: { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', eip712: USD_COIN },
    avalanche: { address: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', eip712: USD_COIN },
    arbitrum: { address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', eip712: USD_COIN },
    sepolia: { address: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', eip712: TEST_USDC },
    'base-sepolia': { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', eip712: TEST_USDC },
    'polygon-amoy': { address: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582', eip712: TEST_USDC },
    'avalanche-fuji': { address: '0x5425890298aed601595a70AB815c96711a31Bc65', eip712: USD_COIN },
    'arbitrum-sepolia': { address: '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d', eip712: USD_COIN },
  },
  USDT: {
    ethereum: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
    polygon: { address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F' },
    sepolia: TEST_USDT,
    'base-sepolia': TEST_USDT,
    'polygon-amoy': TEST_USDT,
    'avalanche-fuji': TEST_USDT,
    'arbitrum-sepolia': TEST_USDT,
  },
  /** https://developers.circle.com/stablecoins/eurc-contract-addresses */
  EURC: {
    ethereum: { address: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c', isOptional: true },
    base: { address: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42', isOptional: true },
    'base-sepolia': { address: '0x808456652fdb597867f38412077A9182bf77359F', isOptional: true },
  },
}

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

/** A token of invoices. */
export interface TokenOnChain extends Token {
  readonly symbol: TokenSymbol
  /**
   * The EIP-712 domain of a token that takes EIP-3009 authorizations; absent when it doesn't, and of an
   * optional token until its contract was read.
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
