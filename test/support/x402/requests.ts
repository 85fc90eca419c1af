import type { PrivateKeyAccount } from 'viem/accounts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import { signAuthorization } from './authorizations.ts'
import { PRICE, type X402Stack } from './stack.ts'

/** What payers ask of verify and settle. */

/** Requirements as an endpoint of the API has them. */
export function requirementsFor(
  { chain, merchant }: X402Stack,
  change: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    scheme: 'exact',
    network: `eip155:${chain.node.chainId}`,
    amount: PRICE.toString(),
    asset: chain.usdc.address,
    payTo: merchant.forwarder,
    maxTimeoutSeconds: 60,
    extra: { name: chain.usdc.eip712?.name, version: chain.usdc.eip712?.version },
    ...change,
  }
}

/** A v2 request body as stock clients send it. */
export function v2Body(
  requirements: Record<string, unknown>,
  authorization: Authorization,
  signature: string,
): Record<string, unknown> {
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      accepted: requirements,
      payload: { signature, authorization: asStrings(authorization) },
    },
    paymentRequirements: requirements,
  }
}

export function asStrings(a: Authorization): Record<string, string> {
  return {
    from: a.from,
    to: a.to,
    value: a.value.toString(),
    validAfter: a.validAfter.toString(),
    validBefore: a.validBefore.toString(),
    nonce: a.nonce,
  }
}

/** A body that pays the stack's merchant, signed by the account. */
export async function paymentBy(
  stack: X402Stack,
  account: PrivateKeyAccount,
  change: Partial<Authorization> = {},
  requirements: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const authorization = await stack.authorization(lowerCaseAddress(account.address), change)
  const signature = await signAuthorization(stack.chain, account, authorization)
  return v2Body(requirementsFor(stack, requirements), authorization, signature)
}
