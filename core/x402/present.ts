import type { Address, Hex } from '../evm.ts'
import type { BaseUnits } from '../money.ts'

/** x402 payments as the API and the events show them. */

/** One EIP-3009 authorization in favour of a merchant's forwarder, and what became of it. */
export interface X402Payment {
  readonly id: string
  readonly merchantId: string
  readonly endpointId: string | null
  readonly networkId: string
  readonly asset: Address
  readonly payer: Address
  readonly authorizationNonce: Hex
  readonly payTo: Address
  readonly amount: BaseUnits
  /** Unix seconds of chain time, both exclusive. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly status: 'pending' | 'settled' | 'failed'
  /** Why it failed; null unless it did. */
  readonly reason: string | null
  readonly txHash: Hex | null
  readonly logIndex: number | null
  readonly blockNumber: bigint | null
  readonly distributionId: string | null
  /** This payment's share of the fee of its distribution; null before that. */
  readonly fee: BaseUnits | null
  readonly version: number
  readonly createdAt: Date
  readonly settledAt: Date | null
  /** When its transaction had the chain's confirmations. */
  readonly confirmedAt: Date | null
}
