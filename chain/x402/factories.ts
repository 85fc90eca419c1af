import { keccak256, type PublicClient } from 'viem'
import type { WalletFactory } from '../../core/chain/walletFactory.ts'

/**
 * Whether listed factories of wallets have the code that they are listed with. Code that was there once stays
 * (EIP-6780), so each is asked for until it was found, and never again.
 */
export function openFactories(client: PublicClient): (factory: WalletFactory) => Promise<boolean> {
  const found = new Set<string>()
  return async ({ address, codeHash }) => {
    if (found.has(address)) return true
    const code = await client.getCode({ address })
    const isIt = code !== undefined && keccak256(code) === codeHash
    if (isIt) found.add(address)
    return isIt
  }
}
