import { describe, expect, test } from 'bun:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { serializeErc6492Signature } from 'viem'
import type { Hex } from '../../../core/chain/evm.ts'
import { type EcdsaSignature, parseSignature, unwrapErc6492 } from '../../../core/x402/signature.ts'

/** Signatures in all the forms in which wallets write them. */

const ORDER = secp256k1.Point.Fn.ORDER
const scalars = fc.bigInt({ min: 1n, max: ORDER - 1n })
const lowScalars = fc.bigInt({ min: 1n, max: ORDER / 2n })
const parities = fc.constantFrom<0 | 1>(0, 1)
const bytes = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array): Hex => `0x${array.toHex()}`)
const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((array): Hex => `0x${array.toHex()}`)

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

function joined(r: bigint, s: bigint, v: number): Hex {
  return `0x${word(r)}${word(s)}${v.toString(16).padStart(2, '0')}`
}

describe('a signature', () => {
  test('of 65 bytes is r, s and v, and a v of 0 or 1 means 27 or 28', () => {
    fc.assert(
      fc.property(scalars, lowScalars, parities, (r, s, parity) => {
        const v = parity === 0 ? 27 : 28
        const expected: EcdsaSignature = { v, r: `0x${word(r)}`, s: `0x${word(s)}` }
        expect(parseSignature(joined(r, s, v))).toEqual(expected)
        expect(parseSignature(joined(r, s, parity))).toEqual(expected)
      }),
    )
  })

  test('of 64 bytes keeps the parity in the highest bit of s', () => {
    fc.assert(
      fc.property(scalars, lowScalars, parities, (r, s, yParity) => {
        const compact: Hex = `0x${word(r)}${word(s + (BigInt(yParity) << 255n))}`
        expect(parseSignature(compact)).toEqual({
          v: yParity === 0 ? 27 : 28,
          r: `0x${word(r)}`,
          s: `0x${word(s)}`,
        })
      }),
    )
  })

  test('of EIP-2098 reads as in the examples of the EIP', () => {
    expect(
      parseSignature(
        '0x68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b907e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064',
      ),
    ).toEqual({
      v: 27,
      r: '0x68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b90',
      s: '0x7e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064',
    })
    expect(
      parseSignature(
        '0x9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793',
      ),
    ).toEqual({
      v: 28,
      r: '0x9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76',
      s: '0x139c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793',
    })
  })

  test('with an s in the upper half of the order is refused, in both forms', () => {
    fc.assert(
      fc.property(scalars, fc.bigInt({ min: ORDER / 2n + 1n, max: ORDER - 1n }), (r, s) => {
        expect(parseSignature(joined(r, s, 27))).toBeNull()
      }),
    )
    expect(parseSignature(joined(1n, ORDER / 2n, 27))).not.toBeNull()
    expect(parseSignature(joined(1n, ORDER / 2n + 1n, 27))).toBeNull()
    expect(parseSignature(`0x${word(1n)}${word(ORDER / 2n + 1n)}`)).toBeNull()
  })

  test.each([
    ['a zero r', joined(0n, 1n, 27)],
    ['a zero s', joined(1n, 0n, 27)],
    ['an r of the order', joined(ORDER, 1n, 27)],
    ['a v of 2', joined(1n, 1n, 2)],
    ['a v of 26', joined(1n, 1n, 26)],
    ['a v of 29', joined(1n, 1n, 29)],
    ['a v of a signed transaction', joined(1n, 1n, 37)],
    ['no bytes', '0x'],
    ['63 bytes', `0x${'11'.repeat(63)}`],
    ['66 bytes', `0x${'11'.repeat(66)}`],
    ['half a byte more', `0x${'11'.repeat(65)}1`],
    ['other letters', `0x${'zz'.repeat(65)}`],
  ] satisfies [string, Hex][])('with %s is refused', (_, signature) => {
    expect(parseSignature(signature)).toBeNull()
  })
})

describe('a signature of ERC-6492', () => {
  test('is unwrapped to factory, call data and signature', () => {
    fc.assert(
      fc.property(addresses, bytes(200), bytes(100), (factory, factoryCalldata, signature) => {
        const wrapped = serializeErc6492Signature({
          address: factory,
          data: factoryCalldata,
          signature,
        })
        expect<unknown>(unwrapErc6492(wrapped)).toEqual({ factory, factoryCalldata, signature })
      }),
    )
  })

  test('is recognised by its last 32 bytes alone', () => {
    expect(unwrapErc6492(joined(1n, 1n, 27))).toBeNull()
    expect(unwrapErc6492('0x')).toBeNull()
  })

  test('of any other encoding before the magic bytes is none, and never an exception', () => {
    const magic = '6492'.repeat(16)
    expect(unwrapErc6492(`0x${magic}`)).toBeNull()
    fc.assert(
      fc.property(bytes(400), (prefix) => {
        const unwrapped = unwrapErc6492(`${prefix}${magic}`)
        return unwrapped === null || unwrapped.signature.length <= prefix.length
      }),
    )
  })

  test('whose lengths point beyond its end is none', () => {
    const whole = serializeErc6492Signature({
      address: `0x${'11'.repeat(20)}`,
      data: '0x1234',
      signature: `0x${'22'.repeat(65)}`,
    })
    const magic = '6492'.repeat(16)
    const encoded = whole.slice(2, -magic.length)
    for (let digits = 0; digits < encoded.length - 64; digits += 2) {
      expect(unwrapErc6492(`0x${encoded.slice(0, digits)}${magic}`)).toBeNull()
    }
    const dirty = `ff${encoded.slice(2)}`
    expect(unwrapErc6492(`0x${dirty}${magic}`)).toBeNull()
  })
})
