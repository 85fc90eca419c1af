import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { FactsQuery } from '../../../chain/x402/authorizationFacts.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { TokenDomain } from '../../../core/x402/digest.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { HubChain } from '../servers/chain.ts'

/** Payers' EIP-3009 authorizations, signed with viem. */

export interface SignedAuthorization {
  readonly key: Hex
  readonly authorization: Authorization
  /** 65 bytes: r, s and v. */
  readonly signature: Hex
}

/** EIP-712's description of what payers sign: EIP-3009. */
export const TRANSFER_WITH_AUTHORIZATION = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const CANCEL_AUTHORIZATION = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** The far end of the year 2100, in Unix seconds. */
const FAR = 4_102_444_800n

/** Authorizes a payment of USDC; a payer of its own, a million units and no end unless told else. */
export async function authorize(
  chain: HubChain,
  terms: Partial<Authorization> & { readonly to: Address; readonly key?: Hex },
): Promise<SignedAuthorization> {
  const { key = generatePrivateKey(), ...given } = terms
  const authorization: Authorization = {
    from: addressOf(key),
    value: 1_000_000n,
    validAfter: 0n,
    validBefore: FAR,
    nonce: randomHex(32),
    ...given,
  }
  const signature = await signAuthorization(chain, privateKeyToAccount(key), authorization)
  return { key, authorization, signature }
}

/** EIP-712 as a payer's wallet signs it, for the token of the chain unless told otherwise. */
export function signAuthorization(
  chain: HubChain,
  payer: PrivateKeyAccount,
  authorization: Authorization,
  domain: Partial<TokenDomain> = {},
): Promise<Hex> {
  return payer.signTypedData({
    domain: { ...domainOf(chain), ...domain },
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
}

/** The same, by a payer who holds `amount`, or just the value that it authorizes. */
export async function authorizePaid(
  chain: HubChain,
  terms: Parameters<typeof authorize>[1],
  amount?: bigint,
): Promise<SignedAuthorization> {
  const payment = await authorize(chain, terms)
  const { from, value } = payment.authorization
  await chain.mint([{ to: from, amount: amount ?? value }])
  return payment
}

/** So many payers who hold what they authorize: a million units, and one more for each before. */
export async function authorizeEach(
  chain: HubChain,
  to: Address,
  count: number,
): Promise<SignedAuthorization[]> {
  const values = Array.from({ length: count }, (_, i) => 1_000_000n + BigInt(i))
  const payments = await Promise.all(values.map((value) => authorize(chain, { to, value })))
  await chain.mint(
    payments.map(({ authorization: { from, value } }) => ({ to: from, amount: value })),
  )
  return payments
}

/** What is asked of the chain about it. */
export function factsQuery(
  { usdc }: HubChain,
  { authorization, signature }: SignedAuthorization,
): FactsQuery {
  return {
    token: usdc.address,
    authorization,
    signature,
    walletGas: 300_000n,
    preparation: null,
    isTried: true,
  }
}

/** The payer's signature under the cancellation of one of its authorizations. */
export function signCancellation(
  chain: HubChain,
  { key, authorization: { from, nonce } }: SignedAuthorization,
): Promise<Hex> {
  return privateKeyToAccount(key).signTypedData({
    domain: domainOf(chain),
    types: CANCEL_AUTHORIZATION,
    primaryType: 'CancelAuthorization',
    message: { authorizer: from, nonce },
  })
}

export function randomAddress(): Address {
  return lowerCaseAddress(randomHex(20))
}

export function randomHex(bytes: number): Hex {
  return `0x${crypto.getRandomValues(new Uint8Array(bytes)).toHex()}`
}

function domainOf({ usdc, node }: HubChain): TokenDomain {
  if (usdc.eip712 === undefined) throw new Error('USDC takes authorizations')
  return { ...usdc.eip712, chainId: node.chainId, verifyingContract: usdc.address }
}
