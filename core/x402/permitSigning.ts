import { type Hex, hashFrom } from '../chain/evm.ts'
import { keccak256 } from '../chain/keccak.ts'
import { addressWord, bytesWord, integerWord } from '../chain/words.ts'
import { hashOf, hashOfText, typedDigest } from './digest.ts'
import { PERMIT2 } from './permitContracts.ts'
import type { EcdsaSignature } from './signature.ts'
import type { Authorization, Permit, Scheme, SponsoredPermit } from './terms.ts'

/** Payments by Permit2: what a payer signs beside amount, payee and times. */

/**
 * The key of a Permit2 nonce among the payer's authorization nonces: a hash, so that it is none that a
 * payer has signed by EIP-3009.
 */
export function permitKey(nonce: bigint): Hex {
  return hashFrom(`0x${keccak256(Uint8Array.fromHex(KEY_PREFIX + integerWord(nonce))).toHex()}`)
}
const KEY_PREFIX = hashOfText('remit.permit2.nonce')

/** The keys of what a payer may have signed with this nonce: by EIP-3009, and by Permit2. */
export function keysOfNonce(nonce: Hex): [Hex, Hex] {
  return [nonce, permitKey(BigInt(nonce))]
}

/** EIP-712 types of Permit2's SignatureTransfer, with the witness of each proxy. */
const WITNESSES: Readonly<Record<Scheme, string>> = {
  exact: 'Witness(address to,uint256 validAfter)',
  upto: 'Witness(address to,address facilitator,uint256 validAfter)',
}
const TOKEN_PERMISSIONS = 'TokenPermissions(address token,uint256 amount)'
const PERMISSIONS_TYPE = hashOfText(TOKEN_PERMISSIONS)
const typesOf = (scheme: Scheme) => ({
  witness: hashOfText(WITNESSES[scheme]),
  permit: hashOfText(
    `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)${TOKEN_PERMISSIONS}${WITNESSES[scheme]}`,
  ),
})
const TYPES = { exact: typesOf('exact'), upto: typesOf('upto') }
const PERMIT2_DOMAIN_TYPE = hashOfText(
  'EIP712Domain(string name,uint256 chainId,address verifyingContract)',
)
const PERMIT2_NAME = hashOfText('Permit2')

/** The last second at which Permit2 takes it; our own times are exclusive. */
export function deadlineOf({ validBefore }: Pick<Authorization, 'validBefore'>): bigint {
  return validBefore - 1n
}

/** The 32 bytes that a payer signs: EIP-712 over PermitWitnessTransferFrom in Permit2's domain. */
export function permitDigest(
  chainId: number,
  scheme: Scheme,
  authorization: Authorization,
  permit: Permit,
): Uint8Array {
  const { to, value, validAfter } = authorization
  const types = TYPES[scheme]
  const facilitator = permit.facilitator === null ? [] : [addressWord(permit.facilitator)]
  const witness = hashOf(
    ...[types.witness, addressWord(to), ...facilitator, integerWord(validAfter)],
  )
  const permitted = hashOf(PERMISSIONS_TYPE, addressWord(permit.token), integerWord(value))
  const message = hashOf(
    types.permit,
    permitted.toHex(),
    addressWord(permit.spender),
    integerWord(permit.nonce),
    integerWord(deadlineOf(authorization)),
    witness.toHex(),
  )
  return typedDigest(permit2Domain(chainId), message)
}

function permit2Domain(chainId: number): Uint8Array {
  return hashOf(PERMIT2_DOMAIN_TYPE, PERMIT2_NAME, integerWord(chainId), addressWord(PERMIT2))
}

/** The proxy's EIP2612Permit struct as the hub takes it: five words. */
export function sponsoredWords({ value, deadline }: SponsoredPermit, signed: EcdsaSignature): Hex {
  const { v, r, s } = signed
  const words = [integerWord(value), integerWord(deadline), bytesWord(r), bytesWord(s)]
  return `0x${words.join('')}${integerWord(v)}`
}

/** What such words hold. Throws a RangeError for others. */
export function approvalOf(words: Hex): {
  readonly deadline: bigint
  readonly signature: EcdsaSignature
} {
  const at = (word: number): Hex => `0x${words.slice(2 + word * 64, 2 + (word + 1) * 64)}`
  const v = BigInt(at(4))
  if (v !== 27n && v !== 28n) throw new RangeError(`not an approval: ${words}`)
  return { deadline: BigInt(at(1)), signature: { v: v === 27n ? 27 : 28, r: at(2), s: at(3) } }
}
