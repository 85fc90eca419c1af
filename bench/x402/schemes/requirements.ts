import { generatePrivateKey } from 'viem/accounts'
import type { Address } from '../../../core/chain/evm.ts'
import { CHANNELS_SCHEME } from '../../../core/channels/channel.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { HubChain } from '../../../test/support/servers/chain.ts'
import type { PaymentRequirements, Scheme } from '../side.ts'

/** What servers ask for in each scheme. */

/** What payers allow in `upto`, in base units; servers settle less. */
export const MAXIMUM = 1_000_000n

/** Signs claims for merchants; none is made here. */
const RECEIVER_AUTHORIZER = addressOf(generatePrivateKey())

/** How long a payer's withdrawal has to wait, in seconds. */
const WITHDRAW_DELAY_S = 3_600

/**
 * Requirements for `exact` by EIP-3009, as another scheme has them.
 * @param facilitator whom `upto` payers name: the reference's account, or our hub.
 */
export function inScheme(
  scheme: Scheme,
  exact: PaymentRequirements,
  { usdc }: HubChain,
  facilitator: Address,
): PaymentRequirements {
  const domain = { ...usdc.eip712 }
  switch (scheme) {
    case 'upto': {
      const extra = { ...domain, assetTransferMethod: 'permit2', facilitatorAddress: facilitator }
      return { ...exact, scheme: 'upto', extra }
    }
    case 'permit2':
      return { ...exact, extra: { ...domain, assetTransferMethod: 'permit2' } }
    case 'channels': {
      const extra = {
        ...domain,
        receiverAuthorizer: RECEIVER_AUTHORIZER,
        withdrawDelay: WITHDRAW_DELAY_S,
      }
      return { ...exact, scheme: CHANNELS_SCHEME, extra }
    }
  }
}

/** The scheme of requirements as they are sent; null for `exact` by EIP-3009. */
export function schemeOf({ scheme, extra }: PaymentRequirements): Scheme | null {
  if (scheme === 'upto') return 'upto'
  if (scheme === CHANNELS_SCHEME) return 'channels'
  return extra.assetTransferMethod === 'permit2' ? 'permit2' : null
}
