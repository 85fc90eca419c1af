import type { PrivateKeyAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../../core/x402/permitContracts.ts'

/** Payments by Permit2 as stock clients send them, signed by viem and not by our own code. */

export interface PermitTerms {
  readonly scheme: 'upto' | 'exact'
  readonly payTo: Address
  /** What the payer allows, in base units. */
  readonly maximum: bigint
  readonly nonce: bigint
  readonly deadline: bigint
  /** What the payment is for, as the payer's client repeats it. */
  readonly resource?: string
  /** Has an approval of Permit2 by EIP-2612 go along, with this nonce of the token's. */
  readonly sponsoredNonce?: bigint
  /** Of the payload, before it is signed. */
  readonly change?: { readonly facilitator?: Address; readonly spender?: Address }
}

const WITNESSES = {
  exact: [
    { name: 'to', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
  upto: [
    { name: 'to', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const

const PERMIT = [
  { name: 'permitted', type: 'TokenPermissions' },
  { name: 'spender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
  { name: 'witness', type: 'Witness' },
] as const
const PERMISSIONS = [
  { name: 'token', type: 'address' },
  { name: 'amount', type: 'uint256' },
] as const

/** EIP-712, as viem wants it. */
export function permitTypes(
  scheme: PermitTerms['scheme'],
): Record<string, { name: string; type: string }[]> {
  return {
    PermitWitnessTransferFrom: [...PERMIT],
    TokenPermissions: [...PERMISSIONS],
    Witness: [...WITNESSES[scheme]],
  }
}

export interface SignedPermit {
  readonly payer: Address
  readonly nonce: bigint
  readonly signature: Hex
  /** The body of verify or settle when so much is asked for. */
  body(amount: bigint): object
}

export async function signPermit(
  {
    hub,
    node,
    usdc,
  }: {
    readonly hub: Address
    readonly node: { readonly chainId: number }
    readonly usdc: { readonly address: Address }
  },
  payer: PrivateKeyAccount,
  { scheme, payTo, maximum, nonce, deadline, resource, sponsoredNonce, change = {} }: PermitTerms,
): Promise<SignedPermit> {
  const { facilitator = hub, spender = PERMIT_PROXIES[scheme] } = change
  const permitted = { token: usdc.address, amount: maximum }
  const common = { permitted, spender, nonce, deadline }
  const witness =
    scheme === 'upto' ? { to: payTo, facilitator, validAfter: 0n } : { to: payTo, validAfter: 0n }
  const signature = await payer.signTypedData({
    domain: { name: 'Permit2', chainId: node.chainId, verifyingContract: PERMIT2 },
    types: permitTypes(scheme),
    primaryType: 'PermitWitnessTransferFrom',
    message: { ...common, witness },
  })
  const requirements = {
    scheme,
    network: `eip155:${node.chainId}`,
    asset: usdc.address,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { assetTransferMethod: 'permit2', facilitatorAddress: hub },
  }
  const approval = { asset: usdc.address, amount: maximum, nonce: sponsoredNonce, deadline }
  const info =
    sponsoredNonce === undefined ? null : await signApproval(node.chainId, payer, approval)
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
  const permit2Authorization = JSON.parse(
    JSON.stringify({ from: payer.address, ...common, witness }, text),
  )
  return {
    payer: lowerCaseAddress(payer.address),
    nonce,
    signature,
    body: (amount) => ({
      x402Version: 2,
      paymentPayload: {
        x402Version: 2,
        ...(resource && { resource: { url: resource } }),
        ...(info && { extensions: { eip2612GasSponsoring: { info } } }),
        accepted: { ...requirements, amount: `${maximum}` },
        payload: { signature, permit2Authorization },
      },
      paymentRequirements: { ...requirements, amount: `${amount}` },
    }),
  }
}

const APPROVAL = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

interface Approval {
  readonly asset: Address
  readonly amount: bigint
  readonly nonce?: bigint | undefined
  readonly deadline: bigint
}

/** The filled extension eip2612GasSponsoring: an approval of Permit2 for so much of the test USDC. */
async function signApproval(
  chainId: number,
  payer: PrivateKeyAccount,
  { asset, amount, nonce = 0n, deadline }: Approval,
): Promise<object> {
  const signature = await payer.signTypedData({
    domain: { name: 'USDC', version: '2', chainId, verifyingContract: asset },
    types: { Permit: APPROVAL },
    primaryType: 'Permit',
    message: { owner: payer.address, spender: PERMIT2, value: amount, nonce, deadline },
  })
  const amounts = { amount: `${amount}`, nonce: `${nonce}`, deadline: `${deadline}` }
  return { from: payer.address, asset, spender: PERMIT2, ...amounts, signature, version: '1' }
}
