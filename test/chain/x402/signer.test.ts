import { expect, test } from 'bun:test'
import { recoverAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { inJavaScript, recoverSigner, recoveryEngine } from '../../../chain/x402/signer.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { type EcdsaSignature, parseSignature } from '../../../core/x402/signature.ts'

/** The order of secp256k1 and the size of its field. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const FIELD = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn
const EDGES = [0n, 1n, 2n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n, ORDER, FIELD, 2n ** 256n - 1n]

/** The full count is SIGNATURES=10000. */
const SIGNATURES = Number(process.env.SIGNATURES ?? 1_000)

test('the addon recovers keys where there is one for the machine', () => {
  const hasAddon = process.platform === 'linux' && process.arch === 'x64'
  expect(recoveryEngine).toBe(hasAddon ? 'native' : recoveryEngine)
})

test(`${SIGNATURES / 10} signatures name the account that made them, by both engines`, async () => {
  for (let i = 0; i < SIGNATURES / 10; i += 1) {
    const privateKey = generatePrivateKey()
    const digest = randomWord()
    const signature = parseSignature(await sign({ hash: digest, privateKey, to: 'hex' }))
    if (signature === null) throw new Error('viem signs with a low s')
    const signer = privateKeyToAddress(privateKey).toLowerCase()
    expect<string | null>(recoverSigner(bytes(digest), signature)).toBe(hex(signer))
    if (i % 10 === 0)
      expect<string | null>(recoverSigner(bytes(digest), signature, inJavaScript)).toBe(hex(signer))
    const twin = { ...signature, v: signature.v === 27 ? 28 : 27 } as const
    expect(recoverSigner(bytes(digest), twin)).not.toBe(hex(signer))
  }
})

test(`${SIGNATURES} random signatures mean what viem says`, async () => {
  let recovered = 0
  for (let i = 0; i < SIGNATURES; i += 1) {
    const digest = randomWord()
    const signature = { v: i % 2 === 0 ? 27 : 28, r: randomWord(), s: randomWord() } as const
    const expected = await byViem(digest, signature)
    if (expected !== null) recovered += 1
    expect<string | null>(recoverSigner(bytes(digest), signature)).toBe(expected)
  }
  // About half of all numbers are the x of a point on the curve.
  expect(recovered).toBeGreaterThan(0.4 * SIGNATURES)
  expect(recovered).toBeLessThan(0.6 * SIGNATURES)
}, 120_000)

test('numbers at the edges of the curve are judged alike by both engines and viem', async () => {
  const digest = randomWord()
  for (const r of EDGES) {
    for (const s of EDGES) {
      for (const v of [27, 28] as const) {
        const signature = { v, r: word(r), s: word(s) }
        const expected = await byViem(digest, signature)
        expect<string | null>(recoverSigner(bytes(digest), signature)).toBe(expected)
        expect<string | null>(recoverSigner(bytes(digest), signature, inJavaScript)).toBe(expected)
      }
    }
  }
})

test('numbers of another size belong to no one, and a digest of another size is a mistake', () => {
  const good = { v: 27, r: randomWord(), s: randomWord() } as const
  expect(recoverSigner(new Uint8Array(32), { ...good, s: '0x' })).toBeNull()
  expect(recoverSigner(new Uint8Array(32), { ...good, r: `${good.r}00` })).toBeNull()
  expect(() => recoverSigner(new Uint8Array(31), good)).toThrow(RangeError)
})

async function byViem(hash: Hex, { v, r, s }: EcdsaSignature): Promise<Hex | null> {
  try {
    return hex((await recoverAddress({ hash, signature: { r, s, yParity: v - 27 } })).toLowerCase())
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}

function randomWord(): Hex {
  return `0x${crypto.getRandomValues(new Uint8Array(32)).toHex()}`
}

function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

function bytes(value: Hex): Uint8Array {
  return Uint8Array.fromHex(value.slice(2))
}

function hex(text: string): Hex {
  return `0x${text.slice(2)}`
}
