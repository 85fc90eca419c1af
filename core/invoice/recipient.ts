import { type Invalid, invalid } from '../base/errors.ts'
import { type Address, parseAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import { ALL_CHAINS, type Chain } from '../chain/registry.ts'
import { forwarderImplementation } from '../hub/deposit.ts'

/** Whether settled money may be sent to an address, and if not, why. */
export type RecipientVerdict = { readonly ok: true; readonly address: Address } | Invalid

const TOKENS: ReadonlySet<Address> = new Set(
  ALL_CHAINS.flatMap((chain) => chain.tokens.map((token) => token.address)),
)

/** The message for an address that we watch ourselves, which only the ledger knows. */
export const WATCHED_RECIPIENT = 'must not be an address on which this service receives payments'

/**
 * Reads a recipient, all lower case or with a correct EIP-55 checksum. Money sent to the zero address,
 * to a token contract, to the hub or to the code behind its clones would be lost, or its owner's, so these are
 * refused. `chains` are those whose listed
 * tokens are refused as well.
 */
export function parseRecipient(
  text: string,
  hub: Address,
  chains: readonly Chain[] = [],
): RecipientVerdict {
  const address = parseAddress(text)
  if (address === null) {
    return invalid('must be an EVM address, all lower case or with its EIP-55 checksum')
  }
  if (address === ZERO_ADDRESS) return invalid('must not be the zero address')
  if (address === hub || address === forwarderImplementation(hub)) {
    return invalid('must not be the settlement contract')
  }
  const isListed = chains.some(({ recoverable }) => recoverable.some((t) => t.address === address))
  if (isListed || TOKENS.has(address)) return invalid('must not be a token contract')
  return { ok: true, address }
}
