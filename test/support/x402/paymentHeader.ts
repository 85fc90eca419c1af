import type { PrivateKeyAccount } from 'viem/accounts'
import type { RequirementsJson } from '../../../core/x402/requirements.ts'
import { randomHex, TRANSFER_WITH_AUTHORIZATION } from './authorizations.ts'
import { hex } from './payer.ts'

/** Payments as payers without a client library make them. */

export interface PaymentPayload {
  readonly signature: string
  readonly authorization: {
    readonly from: string
    readonly to: string
    readonly value: string
    readonly validAfter: string
    readonly validBefore: string
    readonly nonce: string
  }
}

/** What of requirements is signed. */
interface SignedRequirements extends Pick<RequirementsJson, 'network' | 'amount'> {
  readonly asset: string
  readonly payTo: string
  readonly extra: Pick<RequirementsJson['extra'], 'name' | 'version'>
}

/** Signs what the requirements ask for, valid for five minutes, unless the change says otherwise. */
export async function payloadOf(
  { network, asset, payTo, amount, extra }: SignedRequirements,
  payer: PrivateKeyAccount,
  change: Partial<PaymentPayload['authorization']> = {},
): Promise<PaymentPayload> {
  const authorization = {
    from: payer.address,
    to: payTo,
    value: amount,
    validAfter: '0',
    validBefore: Math.floor(Date.now() / 1000 + 300).toString(),
    nonce: randomHex(32),
    ...change,
  }
  const signature = await payer.signTypedData({
    domain: {
      name: extra.name,
      version: extra.version,
      chainId: Number(network.split(':')[1]),
      verifyingContract: hex(asset),
    },
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: hex(authorization.from),
      to: hex(authorization.to),
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: hex(authorization.nonce),
    },
  })
  return { signature, authorization }
}

/** X-PAYMENT in the form of v2, which our API takes in every dialect. */
export function headerOf(
  requirements: RequirementsJson,
  payload: PaymentPayload,
  more: { readonly extensions?: unknown } = {},
): string {
  const payment = { x402Version: 2, accepted: requirements, payload, ...more }
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}
