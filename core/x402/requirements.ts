import type { EndpointId, MerchantId } from '../base/ids.ts'
import type { BaseUnits } from '../base/money.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import type { Chain } from '../chain/registry.ts'
import { tokenDomain } from './digest.ts'
import { DEFAULT_TIMEOUT_S } from './terms.ts'

/** What an endpoint requires of a payer. */
export interface Price {
  /** The endpoint's id. */
  readonly id: EndpointId
  readonly merchantId: MerchantId
  readonly asset: Address
  /** In base units. */
  readonly amount: BaseUnits
  readonly description: string
}

/** The version that we speak of ourselves. */
export const X402_VERSION = 2

export type RequirementsJson = ReturnType<typeof presentRequirements>

/**
 * The payment option that a merchant's server returns in its 402 response, and sends with verify and settle.
 * Addresses carry their checksum, since v1 clients compare the text of `asset` with their own. Throws when the
 * asset takes no authorizations on this chain.
 */
export function presentRequirements(price: Price, forwarder: Address, chain: Chain) {
  const domain = tokenDomain(chain, price.asset)
  if (domain === null)
    throw new Error(`${price.asset} takes no authorizations on ${chain.networkId}`)
  return {
    scheme: 'exact',
    network: chain.caip2,
    amount: price.amount.toString(),
    asset: checksumAddress(price.asset),
    payTo: checksumAddress(forwarder),
    maxTimeoutSeconds: DEFAULT_TIMEOUT_S,
    extra: {
      name: domain.name,
      version: domain.version,
      merchantId: price.merchantId,
      endpointId: price.id,
    },
    description: price.description,
  }
}
