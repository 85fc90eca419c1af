import { type Address, checksumAddress } from '../chain/evm.ts'
import { type Chain, chainNamed } from '../chain/registry.ts'

/** An address at which a merchant is paid without a forwarder: its own, by a signature of the address. */
export interface OwnAddress {
  readonly address: Address
  /** The one chain on which it is the merchant's, as a contract wallet's is; null for every chain. */
  readonly networkId: string | null
  readonly createdAt: Date
}

export type OwnAddressJson = ReturnType<typeof presentOwnAddress>

export function presentOwnAddress(
  { address, networkId, createdAt }: OwnAddress,
  chains: readonly Chain[],
) {
  return {
    address: checksumAddress(address),
    network: networkId === null ? null : chainNamed(networkId, chains).caip2,
    createdAt: createdAt.toISOString(),
  }
}
