import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, keccak256, numberToHex, recoverAddress } from 'viem'
import { generatePrivateKey, sign } from 'viem/accounts'
import { openKmsSigner } from '../../../chain/signers/awsKms.ts'
import { openSigner } from '../../../chain/signers/open.ts'
import { type DigestSigner, SignerError } from '../../../chain/signers/signer.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { parseSignerUrl } from '../../../core/config/signers.ts'
import { AWS_VARIABLES, type FakeKms, startFakeKms } from '../../support/signers/kms.ts'

/** Keys in AWS KMS, whose protocol a server of the test speaks. */

const QUICK = { signing: { tryMs: 200, totalMs: 1_500 } }
const HALF = secp256k1.Point.Fn.ORDER / 2n

/** The full count is SIGNATURES=1000. */
const SIGNATURES = Number(process.env.SIGNATURES ?? 100)

let kms: FakeKms
let signer: DigestSigner

beforeAll(async () => {
  Object.assign(process.env, AWS_VARIABLES)
  kms = startFakeKms(generatePrivateKey())
  signer = await openKmsSigner(kms.source, QUICK)
})
beforeEach(() => kms.behave('signs'))
afterAll(() => kms.close())

const digestOf = (i: number): Hex => keccak256(numberToHex(i, { size: 32 }))

test('its address is that of the public key', () => {
  expect(signer).toMatchObject({ address: kms.address, store: 'awskms', isImmediate: false })
})

test(`${SIGNATURES} signatures are what viem verifies, each with the lower s`, async () => {
  for (let i = 0; i < SIGNATURES; i += 1) {
    const signature = await signer.sign(digestOf(i))
    expect(BigInt(signature.s)).toBeLessThanOrEqual(HALF)
    const recovered = await recoverAddress({ hash: digestOf(i), signature })
    expect(recovered.toLowerCase()).toBe(kms.address)
  }
}, 60_000)

test('a signature is that of the key in the process, to the byte', async () => {
  const privateKey = generatePrivateKey()
  const same = startFakeKms(privateKey)
  const there = await openKmsSigner(same.source)
  for (let i = 0; i < 20; i += 1) {
    const { r, s, yParity } = await sign({ hash: digestOf(i), privateKey })
    const here = { r: BigInt(r), s: BigInt(s), yParity: Number(yParity) }
    const signature = await there.sign(digestOf(i))
    expect({ ...signature, r: BigInt(signature.r), s: BigInt(signature.s) }).toMatchObject(here)
  }
  await same.close()
})

describe('a store that is busy or away', () => {
  test('is asked again when it throttles', async () => {
    kms.behave('throttles')
    const before = kms.asked
    for (let i = 0; i < 5; i += 1) await signer.sign(digestOf(i))
    expect(kms.asked - before).toBeGreaterThan(5)
  })

  test.each(['hangs', 'fails'] as const)('is given up after a while when it %s', async (how) => {
    kms.behave(how)
    const before = kms.asked
    const error = await signer.sign(digestOf(1)).catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(SignerError)
    expect(error).toMatchObject({ kind: 'absent' })
    expect(kms.asked - before).toBeGreaterThan(1)
    kms.behave('signs')
    await signer.sign(digestOf(1))
  })
})

describe('an answer that is of no use', () => {
  test.each([
    ['refuses', 'AccessDeniedException'],
    ['other_key', 'another key'],
    ['nonsense', 'no signature'],
  ] as const)('is refused at once: it %s', async (how, message) => {
    kms.behave(how)
    const before = kms.asked
    const error = await signer.sign(digestOf(1)).catch((fault: unknown) => fault)
    expect(error).toMatchObject({ kind: 'refused', message: expect.stringContaining(message) })
    expect(kms.asked - before).toBe(1)
  })
})

describe('the URL of a signer', () => {
  test('opens it', async () => {
    const parsed = parseSignerUrl(kms.url)
    if (!parsed.ok) throw new Error(parsed.message)
    expect((await openSigner(parsed.source)).address).toBe(kms.address)
  })

  test('may name a file with a key', async () => {
    const key = bytesToHex(secp256k1.utils.randomSecretKey())
    const path = `${process.env.TMPDIR ?? '/tmp'}/signer-${process.pid}.key`
    await Bun.write(path, `${key}\n`)
    const signer = await openSigner({ type: 'file', path })
    const signature = await signer.sign(digestOf(1))
    const recovered = await recoverAddress({ hash: digestOf(1), signature })
    expect(recovered.toLowerCase()).toBe(signer.address)
    await Bun.file(path).delete()
    await expect(openSigner({ type: 'file', path })).rejects.toThrow("can't be read")
  })
})
