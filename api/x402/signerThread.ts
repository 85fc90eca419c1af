import { parentPort } from 'node:worker_threads'
import { recoverSigner } from '../../chain/x402/signer.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { EcdsaSignature } from '../../core/x402/signature.ts'

/**
 * The thread that recovers signers. It responds in the order of its input. Messages are texts, which the runtime
 * passes on without copying them field by field: that takes as long as recovering a signer.
 */

/** The digest of a signed message, and the alleged signature of its payer. */
export interface Signed {
  readonly digest: Uint8Array
  readonly signature: EcdsaSignature
}

/** Digest, r, s and v of one signature: 32 bytes each, and one, in hexadecimal digits. */
const DIGITS = 3 * 64 + 2

export function encodeQuestions(id: number, all: readonly Signed[]): string {
  const texts = all.map(({ digest, signature: { v, r, s } }) => {
    return digest.toHex() + r.slice(2) + s.slice(2) + v.toString(16)
  })
  return `${id} ${texts.join('')}`
}

export interface Answers {
  readonly id: number
  readonly signers: readonly (Address | null)[]
}

export function decodeAnswers(text: string): Answers {
  const [id, ...signers] = text.split(' ')
  return {
    id: Number(id),
    signers: signers.map((one) => (one === '' ? null : lowerCaseAddress(one))),
  }
}

/** The signer's account; null if the signature is invalid for every key. */
export function recover({ digest, signature }: Signed): Address | null {
  return recoverSigner(digest, signature)
}

function answer(text: string): string {
  const [id = '', digits = ''] = text.split(' ')
  const signers: string[] = []
  for (let at = 0; at < digits.length; at += DIGITS) {
    const word = (index: number) => digits.slice(at + 64 * index, at + 64 * (index + 1))
    const hex = (index: number): Hex => `0x${word(index)}`
    const v = digits.slice(at + 192, at + 194) === '1b' ? 27 : 28
    const digest = Uint8Array.fromHex(word(0))
    signers.push(recover({ digest, signature: { v, r: hex(1), s: hex(2) } }) ?? '')
  }
  return [id, ...signers].join(' ')
}

parentPort?.on('message', (text: string) => parentPort?.postMessage(answer(text)))
