import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hashTypedData, keccak256 as viemKeccak256 } from 'viem'
import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { keccak256 } from '../../../core/chain/keccak.ts'
import { authorizationDigest, type TokenDomain, tokenDomain } from '../../../core/x402/digest.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import { AUTHORIZATION, BASE_SEPOLIA, SEPOLIA, USDC } from '../../support/core/x402Requests.ts'
import { TRANSFER_WITH_AUTHORIZATION } from '../../support/x402/authorizations.ts'

/** The digest is put together by hand for speed; viem's encoder is the independent witness. */

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes): Hex => `0x${bytes.toHex()}`)
const addresses = hex(20).map(lowerCaseAddress)
const numbers = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const authorizations: fc.Arbitrary<Authorization> = fc.record({
  from: addresses,
  to: addresses,
  value: numbers,
  validAfter: numbers,
  validBefore: numbers,
  nonce: hex(32),
})
const domains: fc.Arbitrary<TokenDomain> = fc.record({
  // viem leaves an empty version out of the domain's type.
  name: fc.string({ minLength: 1 }),
  version: fc.string({ minLength: 1 }),
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
  verifyingContract: addresses,
})

function viemDigest(domain: TokenDomain, message: Authorization): string {
  return hashTypedData({
    domain,
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: 'TransferWithAuthorization',
    message,
  }).slice(2)
}

function domainOn(chain: typeof BASE_SEPOLIA): TokenDomain {
  const asset = chain.tokens.find(({ symbol }) => symbol === 'USDC')?.address ?? USDC
  const domain = tokenDomain(chain, asset)
  if (!domain) throw new Error(`${chain.networkId} has no USDC`)
  return domain
}

describe('the digest of an authorization', () => {
  test('is that of EIP-712, for any authorization and any domain', () => {
    fc.assert(
      fc.property(domains, authorizations, (domain, authorization) => {
        const digest = authorizationDigest(domain, authorization).toHex()
        return digest === viemDigest(domain, authorization)
      }),
      { numRuns: 500 },
    )
  })

  test('is that of EIP-712 for many payments in the same token', () => {
    const domain = domainOn(BASE_SEPOLIA)
    fc.assert(
      fc.property(authorizations, (authorization) => {
        const digest = authorizationDigest(domain, authorization).toHex()
        return digest === viemDigest(domain, authorization)
      }),
      { numRuns: 500 },
    )
  })

  test('is a different one on every chain', () => {
    const here = authorizationDigest(domainOn(BASE_SEPOLIA), AUTHORIZATION).toHex()
    expect(authorizationDigest(domainOn(SEPOLIA), AUTHORIZATION).toHex()).not.toBe(here)
  })

  test('does not change when the next one is made', () => {
    const first = authorizationDigest(domainOn(BASE_SEPOLIA), AUTHORIZATION)
    const before = first.toHex()
    authorizationDigest(domainOn(BASE_SEPOLIA), { ...AUTHORIZATION, value: 1n })
    expect(first.toHex()).toBe(before)
  })
})

describe('the domain of a token', () => {
  test('is what the registry says of the USDC of a chain', () => {
    expect(tokenDomain(BASE_SEPOLIA, USDC)).toEqual({
      name: 'USDC',
      version: '2',
      chainId: 84_532,
      verifyingContract: USDC,
    })
  })

  test('is none for other tokens, and for the USDC of another chain', () => {
    const usdt = BASE_SEPOLIA.tokens.find(({ symbol }) => symbol === 'USDT')?.address
    expect(usdt && tokenDomain(BASE_SEPOLIA, usdt)).toBeNull()
    expect(tokenDomain(SEPOLIA, USDC)).toBeNull()
  })
})

test('keccak256 agrees with a second implementation for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      return keccak256(bytes).toHex() === viemKeccak256(bytes).slice(2)
    }),
  )
})
