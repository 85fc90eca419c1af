import type { Variables } from '../../core/config/reader.ts'
import type { SimulatedChain } from './chain.ts'
import { encodedKey } from './keys.ts'

/** What the chain of a run is like, and how an operator sets the processes up for it. */

export const NODES = ['node-1.base.sim', 'node-2.base.sim']
/** Blocks are not replaced once they have so many confirmations. */
export const CONFIRMATIONS = 4
/** Money is swept once its block has so many. */
export const SETTLEMENT_CONFIRMATIONS = CONFIRMATIONS + 3
export const BLOCK_MS = 1_000
/** What the operator takes, in hundredths of a per cent. */
export const FEE_BPS = 50n

interface Operated {
  readonly chain: SimulatedChain
  readonly x402Confirmations: number
}

/** As an operator would set them. */
export function variablesOf(
  { chain, x402Confirmations }: Operated,
  url: string,
  node: string,
): Variables {
  return {
    ...chain.hub.variables({
      DATABASE_URL: url,
      REDIS_URL: 'redis://127.0.0.1:1',
      RPC_URL_BASE_SEPOLIA: node === '' ? `http://${NODES[0]}` : node,
      CONFIRMATIONS_BASE_SEPOLIA: String(CONFIRMATIONS),
      X402_CONFIRMATIONS_BASE_SEPOLIA: String(x402Confirmations),
      BLOCK_TIME_MS_BASE_SEPOLIA: String(2.5 * BLOCK_MS),
      HEAD_POLLING_BASE_SEPOLIA: 'paced',
      RELAYER_LEASE_MS: '15000',
      SETTLEMENT_CONFIRMATIONS_BASE_SEPOLIA: String(SETTLEMENT_CONFIRMATIONS),
      X402_DISTRIBUTE_FROM: '0.5',
      X402_DISTRIBUTE_AFTER_S: '20',
      FEE_BPS_USDC: String(FEE_BPS),
      X402_FEE_BPS: String(FEE_BPS),
      RATE_LIMIT_X402: '1000000',
      RPC_MAX_RESPONSE_BYTES_BASE_SEPOLIA: '100000',
      GASLESS_PER_MERCHANT_DAY: '1000000',
      GASLESS_UNPAID_PER_CLIENT: '1000000',
      OPERATOR_TOKEN: 'token-of-the-operator',
      ENCRYPTION_KEYS: encodedKey(),
    }),
  }
}
