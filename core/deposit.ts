import {
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  keccak256,
  type Hex as ViemHex,
} from 'viem'
import { type Address, type Hex, lowerCaseAddress, ZERO_ADDRESS } from './evm.ts'
import type { BaseUnits } from './money.ts'

/** What a deposit address commits to. None of it can change once the address is given out. */
export interface DepositTerms {
  readonly merchantId: string
  readonly invoiceId: string
  /** The recipient that the invoice itself names; null pays the merchant's registry entry. */
  readonly recipient: Address | null
  /** The highest fee that may ever be taken, in base units. */
  readonly feeCap: BaseUnits
}

const DEPOSIT_PARAMETERS = [
  { type: 'bytes16' },
  { type: 'bytes16' },
  { type: 'address' },
  { type: 'uint256' },
] as const

const FORWARDER_TAG = keccak256(new TextEncoder().encode('remit.forwarder.v1'))

/** A UUID as the bytes16 by which the hub knows a merchant or an invoice. */
export function uuidToBytes16(uuid: string): Hex {
  return `0x${uuid.replaceAll('-', '').toLowerCase()}`
}

/** The UUID that a bytes16 of the hub stands for. */
export function bytes16ToUuid(bytes: Hex): string {
  return bytes.slice(2, 34).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The CREATE2 salt of an invoice's deposit address, as RemitHub computes it. */
export function depositSalt(terms: DepositTerms): Hex {
  return keccak256(
    encodeAbiParameters(DEPOSIT_PARAMETERS, [
      uuidToBytes16(terms.merchantId),
      uuidToBytes16(terms.invoiceId),
      terms.recipient ?? ZERO_ADDRESS,
      terms.feeCap,
    ]),
  )
}

/** The CREATE2 salt of a merchant's x402 forwarder. */
export function forwarderSalt(merchantId: string): Hex {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'bytes16' }],
      [FORWARDER_TAG, uuidToBytes16(merchantId)],
    ),
  )
}

/** Where the clone with this salt lives, on every chain that has the hub. EIP-1014 and EIP-1167. */
export function cloneAddress(hub: Address, salt: Hex): Address {
  const code = cloneInitCodeHash(hub)
  const digest = keccak256(concatHex(['0xff', hub, salt, code]))
  return `0x${digest.slice(-40)}`
}

export function depositAddress(hub: Address, terms: DepositTerms): Address {
  return cloneAddress(hub, depositSalt(terms))
}

export function forwarderAddress(hub: Address, merchantId: string): Address {
  return cloneAddress(hub, forwarderSalt(merchantId))
}

/** The hub creates the implementation behind all clones in its constructor, as its first contract. */
export function forwarderImplementation(hub: Address): Address {
  return lowerCaseAddress(getContractAddress({ from: hub, nonce: 1n }))
}

const initCodeHashes = new Map<Address, ViemHex>()

/** keccak256 of the EIP-1167 creation code that Solady's LibClone uses, per hub. */
function cloneInitCodeHash(hub: Address): ViemHex {
  const known = initCodeHashes.get(hub)
  if (known) return known
  const hash = keccak256(
    concatHex([
      '0x602c3d8160093d39f33d3d3d3d363d3d37363d73',
      forwarderImplementation(hub),
      '0x5af43d3d93803e602a57fd5bf3',
    ]),
  )
  initCodeHashes.set(hub, hash)
  return hash
}
