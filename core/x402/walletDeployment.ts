import type { Address, Hex } from '../chain/evm.ts'
import type { WalletFactory } from '../chain/walletFactory.ts'
import { bytesIn } from '../chain/words.ts'
import type { WrappedSignature } from './signature.ts'

/**
 * Wallets that pay before they exist (ERC-6492): the payment's transaction has a factory create them first.
 * What a factory runs costs our gas, so the operator lists those that may be called, by their code.
 */

/** The call that creates a payer's code. */
export interface Deployment {
  readonly factory: Address
  readonly data: Hex
}

/** More than any wallet's owners and settings take, in bytes. */
const DATA_MAX = 8_192

/** The factory that is to create a wallet, if it is listed and the call to it is of a reasonable length. */
export function listedFactory(
  listed: readonly WalletFactory[],
  { factory, factoryCalldata }: WrappedSignature,
): WalletFactory | null {
  if (bytesIn(factoryCalldata.slice(2)) > DATA_MAX) return null
  return listed.find(({ address }) => address === factory) ?? null
}

/**
 * A placeholder for the hash of the code that a wallet doesn't have yet: all wallets that a factory is to create
 * count as having the same code, so that few of them are in flight at a time.
 */
export function codeToCome({ codeHash }: WalletFactory): Hex {
  return `0x${codeHash.slice(2, 18)}`
}
