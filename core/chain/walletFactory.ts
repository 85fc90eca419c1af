import type { Address, Hex } from './evm.ts'

/** A contract that creates wallets (ERC-6492). */
export interface WalletFactory {
  readonly address: Address
  /** keccak256 of its code. */
  readonly codeHash: Hex
}
