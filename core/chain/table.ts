import { type BaseUnits, baseUnits } from '../base/money.ts'
import { COIN_DECIMALS, type PerToken, perToken } from './tokens.ts'

/**
 * The chains that Remit knows. To add one is to add an entry here, the contracts of its tokens to
 * core/chain/tokens.ts, and an RPC URL to the configuration.
 */

export type Environment = 'sandbox' | 'live'

/** A chain in the table. */
export interface ChainEntry {
  readonly networkId: string
  readonly name: string
  /** The symbol of the chain's native coin. */
  readonly symbol: string
  readonly chainId: number
  readonly environment: Environment
  readonly explorer: string
  /** A public RPC URL, for the payer's wallets that don't know the chain yet. */
  readonly publicRpc: string
  /** Blocks, the payment's own included, after which a transaction counts as confirmed. */
  readonly confirmations: number
  /** Depth in blocks beyond which a reorganisation is not expected (the indexer's figure). */
  readonly finalityDepth: number
  readonly blockTimeMs: number
  /** The most that a transaction may offer for all its gas, in wei: nodes refuse more by default. */
  readonly txFeeMax: bigint
  /** The least tip that nodes of the chain take by default, in wei per gas. */
  readonly minTip: bigint
  /** The least x402 payment worth the gas of settling it, in USDC's base units. */
  readonly minX402Amount: BaseUnits
  /** The least that a sweep collects; less waits until more comes. */
  readonly minSweep: PerToken
  /** The minimum amount of an invoice here: less could never be swept. */
  readonly minInvoice: PerToken
  /** The minimum of a refund. */
  readonly minRefund: PerToken
  /** It is one of Arbitrum's: see chain/transactions/arbitrum.ts for what that changes. */
  readonly isArbitrum?: true
}

/**
 * The least amounts of a chain, in millionths of a dollar, which is about what each of a token is worth. A
 * sweep that deploys its deposit costs 113,399 gas, and a refund as much in the worst case: at the prices
 * beside the figures, gas is at most a tenth of what a sweep collects, and at most half of what a refund
 * gives.
 */
function minimums({ sweep, refund }: { readonly sweep: bigint; readonly refund: bigint }) {
  const collected = perToken(() => baseUnits(sweep))
  return {
    minSweep: collected,
    minInvoice: collected,
    minRefund: perToken(() => baseUnits(refund)),
  }
}

/** What all test chains have in common. */
const ON_TEST_CHAINS = {
  environment: 'sandbox',
  confirmations: 3,
  minX402Amount: baseUnits(1n),
  ...minimums({ sweep: 0n, refund: 0n }),
} as const

/** One of a chain's native coin, in wei. */
const COIN = 10n ** BigInt(COIN_DECIMALS)

/** A thousandth of a gwei, which blocks of most chains include. */
const LEAST_TIP = 1_000_000n
/** Pools of Polygon's nodes take no less: BorDefaultTxPoolPriceLimit of bor and Erigon. */
const POLYGON_TIP = 25n * 10n ** 9n

/** In the order in which they are listed. */
export const ENTRIES: readonly ChainEntry[] = [
  {
    networkId: 'ethereum',
    name: 'Ethereum',
    symbol: 'ETH',
    chainId: 1,
    environment: 'live',
    explorer: 'https://etherscan.io',
    publicRpc: 'https://ethereum-rpc.publicnode.com',
    confirmations: 12,
    finalityDepth: 65,
    blockTimeMs: 12_000,
    txFeeMax: COIN,
    minTip: LEAST_TIP,
    minX402Amount: baseUnits(1_000_000n),
    // 113,399 gas at 2.5 gwei and 3,500 dollars an ether: 0.99 dollars.
    ...minimums({ sweep: 10_000_000n, refund: 2_000_000n }),
  },
  {
    networkId: 'base',
    name: 'Base',
    symbol: 'ETH',
    chainId: 8453,
    environment: 'live',
    explorer: 'https://basescan.org',
    publicRpc: 'https://mainnet.base.org',
    confirmations: 12,
    finalityDepth: 30,
    blockTimeMs: 2_000,
    txFeeMax: COIN,
    minTip: LEAST_TIP,
    minX402Amount: baseUnits(1_000n),
    // 113,399 gas at 0.02 gwei and 3,500 dollars an ether: 0.008 dollars, and 0.002 for the data on Ethereum.
    ...minimums({ sweep: 100_000n, refund: 20_000n }),
  },
  {
    networkId: 'polygon',
    name: 'Polygon',
    symbol: 'POL',
    chainId: 137,
    environment: 'live',
    explorer: 'https://polygonscan.com',
    publicRpc: 'https://polygon-rpc.com',
    confirmations: 64,
    finalityDepth: 200,
    blockTimeMs: 2_000,
    txFeeMax: 5n * COIN,
    minTip: POLYGON_TIP,
    minX402Amount: baseUnits(1_000n),
    // 113,399 gas at 100 gwei and 0.40 dollars a coin: 0.0045 dollars.
    ...minimums({ sweep: 50_000n, refund: 10_000n }),
  },
  {
    networkId: 'avalanche',
    name: 'Avalanche',
    symbol: 'AVAX',
    chainId: 43_114,
    environment: 'live',
    explorer: 'https://snowtrace.io',
    publicRpc: 'https://api.avax.network/ext/bc/C/rpc',
    // Nodes show blocks once they are final (Snowman); these are for nodes that lag behind each other.
    confirmations: 6,
    finalityDepth: 30,
    blockTimeMs: 2_000,
    txFeeMax: 5n * COIN,
    minTip: LEAST_TIP,
    minX402Amount: baseUnits(10_000n),
    // 113,399 gas at 25 gwei and 35 dollars a coin: 0.10 dollars.
    ...minimums({ sweep: 1_000_000n, refund: 200_000n }),
  },
  {
    networkId: 'arbitrum',
    name: 'Arbitrum One',
    symbol: 'ETH',
    chainId: 42_161,
    environment: 'live',
    explorer: 'https://arbiscan.io',
    publicRpc: 'https://arb1.arbitrum.io/rpc',
    // As long as on Base, in smaller blocks.
    confirmations: 96,
    finalityDepth: 240,
    blockTimeMs: 250,
    isArbitrum: true,
    txFeeMax: COIN,
    minTip: LEAST_TIP,
    minX402Amount: baseUnits(1_000n),
    // 113,399 gas at 0.02 gwei and 3,500 dollars an ether: 0.008 dollars, and 0.002 for the data on Ethereum.
    ...minimums({ sweep: 100_000n, refund: 20_000n }),
  },
  {
    networkId: 'sepolia',
    name: 'Sepolia',
    symbol: 'ETH',
    chainId: 11_155_111,
    explorer: 'https://sepolia.etherscan.io',
    publicRpc: 'https://ethereum-sepolia-rpc.publicnode.com',
    finalityDepth: 65,
    blockTimeMs: 12_000,
    txFeeMax: COIN,
    minTip: LEAST_TIP,
    ...ON_TEST_CHAINS,
  },
  {
    networkId: 'base-sepolia',
    name: 'Base Sepolia',
    symbol: 'ETH',
    chainId: 84_532,
    explorer: 'https://sepolia.basescan.org',
    publicRpc: 'https://sepolia.base.org',
    finalityDepth: 30,
    blockTimeMs: 2_000,
    txFeeMax: COIN,
    minTip: LEAST_TIP,
    ...ON_TEST_CHAINS,
  },
  {
    networkId: 'polygon-amoy',
    name: 'Polygon Amoy',
    symbol: 'POL',
    chainId: 80_002,
    explorer: 'https://amoy.polygonscan.com',
    publicRpc: 'https://rpc-amoy.polygon.technology',
    finalityDepth: 200,
    blockTimeMs: 2_000,
    txFeeMax: 5n * COIN,
    minTip: POLYGON_TIP,
    ...ON_TEST_CHAINS,
  },
  {
    networkId: 'avalanche-fuji',
    name: 'Avalanche Fuji',
    symbol: 'AVAX',
    chainId: 43_113,
    explorer: 'https://testnet.snowtrace.io',
    publicRpc: 'https://api.avax-test.network/ext/bc/C/rpc',
    finalityDepth: 30,
    blockTimeMs: 2_000,
    txFeeMax: 5n * COIN,
    minTip: LEAST_TIP,
    ...ON_TEST_CHAINS,
  },
  {
    networkId: 'arbitrum-sepolia',
    name: 'Arbitrum Sepolia',
    symbol: 'ETH',
    chainId: 421_614,
    explorer: 'https://sepolia.arbiscan.io',
    publicRpc: 'https://sepolia-rollup.arbitrum.io/rpc',
    finalityDepth: 240,
    blockTimeMs: 250,
    isArbitrum: true,
    txFeeMax: COIN,
    minTip: LEAST_TIP,
    ...ON_TEST_CHAINS,
  },
]
