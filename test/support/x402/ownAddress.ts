import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ownAddressTypedData } from '../../../chain/blocks/ownAddress.ts'
import { type ChecksumAddress, checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Shop, X402Stack } from './stack.ts'

/** Merchants' own addresses, registered by the API. */

export interface OwnAddressAnswer {
  readonly status: number
  readonly data?: unknown
  readonly details?: unknown
}

/** Asks the API to register an address for a merchant. */
export async function registerOwn(
  stack: Pick<X402Stack, 'fetch'>,
  { secretKey }: Shop,
  address: string,
  body: { readonly signature: string; readonly network?: string },
): Promise<OwnAddressAnswer> {
  const answer = await stack.fetch(`/v1/x402/addresses/${address}`, {
    method: 'POST',
    headers: { 'x-service-key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, ...(await answer.json()) }
}

/** A new key's address, registered for the merchant. */
export async function newOwnAddress(
  stack: Pick<X402Stack, 'fetch'>,
  shop: Shop,
): Promise<ChecksumAddress> {
  const account = privateKeyToAccount(generatePrivateKey())
  const address = lowerCaseAddress(account.address)
  const signature = await account.signTypedData(ownAddressTypedData(shop.id, address))
  const { status } = await registerOwn(stack, shop, address, { signature })
  if (status !== 200) throw new Error(`registering an address answered ${status}`)
  return checksumAddress(address)
}

export async function removeOwn(
  stack: Pick<X402Stack, 'fetch'>,
  { secretKey }: Shop,
  address: string,
): Promise<void> {
  const answer = await stack.fetch(`/v1/x402/addresses/${address}`, {
    method: 'DELETE',
    headers: { 'x-service-key': secretKey },
  })
  if (answer.status !== 200) throw new Error(`removing an address answered ${answer.status}`)
}
