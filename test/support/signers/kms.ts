import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, hexToBytes } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { KmsSource } from '../../../core/config/signers.ts'

/**
 * What speaks the protocol of AWS KMS (JSON 1.1 over HTTP, operations GetPublicKey, Sign and Decrypt) on
 * this machine. Every other signature has the higher s, as real ones may.
 */
export interface FakeKms {
  readonly source: KmsSource
  /** The same as the URL that an operator would write. */
  readonly url: string
  readonly address: Address
  /** How many signatures and decryptions were asked for, and the digests that were signed. */
  readonly asked: number
  readonly signed: readonly Hex[]
  /** From now on the answer to these, until the next change. */
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

/**
 * `throttles`: every second request. `hangs`: no answer. `refuses`: access denied. `other_key`: signs with
 * another key. `nonsense`: bytes that are no signature.
 */
export type Behaviour =
  | 'signs'
  | 'throttles'
  | 'hangs'
  | 'refuses'
  | 'fails'
  | 'other_key'
  | 'nonsense'

const SPKI = hexToBytes('0x3056301006072a8648ce3d020106052b8104000a034200')
const ORDER = secp256k1.Point.Fn.ORDER

export function startFakeKms(privateKey: Hex): FakeKms {
  const key = hexToBytes(privateKey)
  const other = secp256k1.utils.randomSecretKey()
  const signed: Hex[] = []
  let behaviour: Behaviour = 'signs'
  let asked = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const operation = request.headers.get('x-amz-target')
      const text = await request.text()
      // A caller that has given up meanwhile sends no body.
      if (text === '') return refusal('SerializationException')
      const body: unknown = JSON.parse(text)
      if (operation === 'TrentService.GetPublicKey') {
        const point = secp256k1.getPublicKey(key, false)
        return answer({
          KeyUsage: 'SIGN_VERIFY',
          KeySpec: 'ECC_SECG_P256K1',
          PublicKey: base64(concatBytes([SPKI, point])),
        })
      }
      if (operation === 'TrentService.Decrypt') {
        asked += 1
        if (behaviour === 'hangs') return await new Promise<Response>(() => {})
        if (behaviour === 'throttles' && asked % 2 === 1) return refusal('ThrottlingException')
        if (behaviour === 'refuses') return refusal('AccessDeniedException')
        const plain = unwrapped(body)
        return plain === null ? refusal('InvalidCiphertextException') : answer({ Plaintext: plain })
      }
      if (operation !== 'TrentService.Sign') return refusal('UnknownOperationException')
      asked += 1
      if (behaviour === 'hangs') return await new Promise<Response>(() => {})
      if (behaviour === 'fails') return new Response('bad gateway', { status: 502 })
      if (behaviour === 'refuses') return refusal('AccessDeniedException')
      if (behaviour === 'throttles' && asked % 2 === 1) return refusal('ThrottlingException')
      if (behaviour === 'nonsense') return answer({ Signature: base64(new Uint8Array([48, 2, 1])) })
      const digest = digestIn(body)
      const used = behaviour === 'other_key' ? other : key
      signed.push(bytesToHex(digest))
      return answer({ Signature: base64(derOf(digest, used, signed.length % 2 === 0)) })
    },
  })
  const endpoint = `http://127.0.0.1:${server.port}`
  const keyId = 'alias/remit'
  return {
    source: { type: 'awskms', keyId, region: 'eu-central-1', endpoint },
    url: `awskms:///${keyId}?region=eu-central-1&endpoint=${endpoint}`,
    address: lowerCaseAddress(privateKeyToAddress(privateKey)),
    signed,
    get asked() {
      return asked
    },
    behave(next) {
      behaviour = next
    },
    close: () => server.stop(true),
  }
}

/** Credentials that AWS' client wants to find, and that no one checks here. */
export const AWS_VARIABLES = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
}

function derOf(digest: Uint8Array, key: Uint8Array, isHigh: boolean): Uint8Array {
  const options = { prehash: false, lowS: true } as const
  const { r, s } = secp256k1.Signature.fromBytes(secp256k1.sign(digest, key, options))
  return new secp256k1.Signature(r, isHigh ? ORDER - s : s).toBytes('der')
}

/** What this KMS would give as the ciphertext of a data key: readable here, and bound to its context. */
export function wrapped(key: Uint8Array, context: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify({ key: base64(key), context })).toString('base64')
}

function unwrapped(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('CiphertextBlob' in body)) return null
  const { key, context } = JSON.parse(Buffer.from(String(body.CiphertextBlob), 'base64').toString())
  const given = 'EncryptionContext' in body ? body.EncryptionContext : {}
  return JSON.stringify(given) === JSON.stringify(context) ? key : null
}

function digestIn(body: unknown): Uint8Array {
  if (typeof body !== 'object' || body === null) throw new Error('a request without a body')
  if (!('MessageType' in body) || body.MessageType !== 'DIGEST') throw new Error('no digest')
  if (!('SigningAlgorithm' in body) || body.SigningAlgorithm !== 'ECDSA_SHA_256') {
    throw new Error('another algorithm')
  }
  if (!('Message' in body) || typeof body.Message !== 'string') throw new Error('no message')
  return new Uint8Array(Buffer.from(body.Message, 'base64'))
}

function answer(body: unknown): Response {
  return Response.json(body, { headers: { 'content-type': 'application/x-amz-json-1.1' } })
}

function refusal(name: string): Response {
  const headers = { 'content-type': 'application/x-amz-json-1.1' }
  return Response.json({ __type: name, message: `${name} of the test` }, { status: 400, headers })
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
