import type { Address, Hex } from '../chain/evm.ts'
import { keccak256 } from '../chain/keccak.ts'
import type { Chain } from '../chain/registry.ts'
import { addressWord, bytesWord, integerWord } from '../chain/words.ts'
import type { Authorization, SponsoredPermit } from './terms.ts'

/** The EIP-712 domain of a token. */
export interface TokenDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Address
}

const ASCII = new TextEncoder()
const DOMAIN_TYPE = hashOfText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
/** EIP-3009. */
const AUTHORIZATION_TYPE = hashOfText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

/**
 * The EIP-712 domain of a token that takes EIP-3009 authorizations: as the registry has it, or as it was
 * read from the contract of one that is offered (core/chain/offered.ts). Null for any other.
 */
export function tokenDomain(chain: Chain, asset: Address): TokenDomain | null {
  const token = chain.tokens.find(({ address }) => address === asset)
  if (token?.eip712 === undefined) return null
  return { ...token.eip712, chainId: chain.chainId, verifyingContract: asset }
}

/** 0x19 0x01, the domain separator and the hash of the message: EIP-712. Refilled for each digest. */
const envelope = new Uint8Array(66)
envelope.set([0x19, 0x01])

/**
 * The 32 bytes that a payer signs: EIP-712 over TransferWithAuthorization of EIP-3009. The words are put
 * together by hand, since viem's encoder takes many times as long as the hashing.
 */
export function authorizationDigest(domain: TokenDomain, a: Authorization): Uint8Array {
  const message = hashOf(
    AUTHORIZATION_TYPE,
    addressWord(a.from),
    addressWord(a.to),
    integerWord(a.value),
    integerWord(a.validAfter),
    integerWord(a.validBefore),
    bytesWord(a.nonce),
  )
  return typedDigest(domainSeparator(domain), message)
}

/** EIP-2612. */
const PERMIT_TYPE = hashOfText(
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
)

/** The 32 bytes by which an owner approves a spender: EIP-712 over Permit of EIP-2612. */
export function approvalDigest(
  domain: TokenDomain,
  approval: Pick<SponsoredPermit, 'owner' | 'spender' | 'value' | 'nonce' | 'deadline'>,
): Uint8Array {
  const { owner, spender, value, nonce, deadline } = approval
  const message = hashOf(
    PERMIT_TYPE,
    addressWord(owner),
    addressWord(spender),
    integerWord(value),
    integerWord(nonce),
    integerWord(deadline),
  )
  return typedDigest(domainSeparator(domain), message)
}

/** EIP-712: the digest of a message, which is hashed already, in a domain. */
export function typedDigest(separator: Uint8Array, message: Uint8Array): Uint8Array {
  envelope.set(separator, 2)
  envelope.set(message, 34)
  return keccak256(envelope)
}

/** The separator of a domain, as a contract's DOMAIN_SEPARATOR() answers it. */
export function separatorOf(domain: TokenDomain): Hex {
  return `0x${domainSeparator(domain).toHex()}`
}

const separators = new Map<string, Uint8Array>()
const SEPARATORS_KEPT = 100

/** The registry has few tokens, and each payment needs one of them. */
function domainSeparator(domain: TokenDomain): Uint8Array {
  const key = JSON.stringify([
    domain.name,
    domain.version,
    domain.chainId,
    domain.verifyingContract,
  ])
  const known = separators.get(key)
  if (known) return known
  const separator = hashOf(
    DOMAIN_TYPE,
    hashOfText(domain.name),
    hashOfText(domain.version),
    integerWord(domain.chainId),
    addressWord(domain.verifyingContract),
  )
  if (separators.size >= SEPARATORS_KEPT) separators.clear()
  separators.set(key, separator)
  return separator
}

/** The hash of words, each as 64 hexadecimal digits. */
export function hashOf(...words: readonly string[]): Uint8Array {
  return keccak256(Uint8Array.fromHex(words.join('')))
}

/** The hash of a text, as 64 hexadecimal digits. */
export function hashOfText(text: string): string {
  return keccak256(ASCII.encode(text)).toHex()
}
