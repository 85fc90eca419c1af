import { getContractAddress } from 'viem'
import type { InvoiceId, MerchantId } from '../base/ids.ts'
import type { BaseUnits } from '../base/money.ts'
import { type Address, type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../chain/evm.ts'
import { keccak256 } from '../chain/keccak.ts'
import { addressWord, integerWord, uuidWord } from '../chain/words.ts'

/** What a deposit address commits to. None of it can change once the address is given out. */
export interface DepositTerms {
  readonly merchantId: MerchantId
  readonly invoiceId: InvoiceId
  /** The recipient that the invoice itself names; null pays the merchant's registry entry. */
  readonly recipient: Address | null
  /** The highest fee that may ever be taken, in base units. */
  readonly feeCap: BaseUnits
}

const FORWARDER_TAG = keccak256(new TextEncoder().encode('remit.forwarder.v1')).toHex()
/** The creation code of an EIP-1167 clone as Solady's LibClone writes it, around the implementation. */
const CLONE_PREFIX = '602c3d8160093d39f33d3d3d3d363d3d37363d73'
const CLONE_SUFFIX = '5af43d3d93803e602a57fd5bf3'

/** The CREATE2 salt of an invoice's deposit address, as RemitHub computes it. */
export function depositSalt(terms: DepositTerms): Hex {
  return hashOf(
    uuidWord(terms.merchantId),
    uuidWord(terms.invoiceId),
    addressWord(terms.recipient ?? ZERO_ADDRESS),
    integerWord(terms.feeCap),
  )
}

/** The CREATE2 salt of a merchant's x402 forwarder. */
export function forwarderSalt(merchantId: MerchantId): Hex {
  return hashOf(FORWARDER_TAG, uuidWord(merchantId))
}

/** Where the clone with this salt lives, on every chain that has the hub. EIP-1014 and EIP-1167. */
export function cloneAddress(hub: Address, salt: Hex): Address {
  const digest = hashOf('ff', hub.slice(2), salt.slice(2), cloneInitCodeHash(hub).slice(2))
  return lowerCaseAddress(`0x${digest.slice(-40)}`)
}

export function depositAddress(hub: Address, terms: DepositTerms): Address {
  return cloneAddress(hub, depositSalt(terms))
}

export function forwarderAddress(hub: Address, merchantId: MerchantId): Address {
  return cloneAddress(hub, forwarderSalt(merchantId))
}

/** The hub creates the implementation behind all clones in its constructor, as its first contract. */
export function forwarderImplementation(hub: Address): Address {
  return lowerCaseAddress(getContractAddress({ from: hub, nonce: 1n }))
}

const initCodeHashes = new Map<Address, Hex>()

/** keccak256 of the creation code of a clone, per hub. */
function cloneInitCodeHash(hub: Address): Hex {
  const known = initCodeHashes.get(hub)
  if (known) return known
  const hash = hashOf(CLONE_PREFIX, forwarderImplementation(hub).slice(2), CLONE_SUFFIX)
  initCodeHashes.set(hub, hash)
  return hash
}

/**
 * keccak256 of digits put together by hand: every invoice needs two of these, and viem's ABI encoder
 * and its hexadecimal conversions take several times as long.
 */
function hashOf(...parts: readonly string[]): Hex {
  return `0x${keccak256(Uint8Array.fromHex(parts.join(''))).toHex()}`
}
