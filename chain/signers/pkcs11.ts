import { Worker } from 'node:worker_threads'
import { bytesToBigInt, hexToBytes } from 'viem'
import type { Pkcs11Source } from '../../core/config/signers.ts'
import type { Answer, Question } from './pkcs11Thread.ts'
import { OPENING, type RetryLimits, SIGNING, withRetries } from './retries.ts'
import { addressOfPoint, type DigestSigner, finishSignature, SignerError } from './signer.ts'

/** A key on a token (a hardware security module, a smart card), reached by its PKCS#11 module. */

/** An uncompressed point in a DER OCTET STRING of 65 bytes. */
const OCTET_STRING = [0x04, 65]
const UNCOMPRESSED = 0x04
const COORDINATES_BYTES = 65

/**
 * Logs in, reads the public key, and answers with a signer.
 * @throws SignerError when the token is away or refuses.
 */
export async function openPkcs11Signer(
  source: Pkcs11Source,
  { opening = OPENING, signing = SIGNING }: { opening?: RetryLimits; signing?: RetryLimits } = {},
): Promise<DigestSigner> {
  const thread = openThread(source)
  const opened = withRetries(opening, async () => pointOf(await thread.request(null)))
  const point = await opened.catch((error: unknown) => {
    thread.close()
    throw error
  })
  return {
    address: addressOfPoint(point),
    store: 'pkcs11',
    isImmediate: false,
    close: () => thread.close(),
    sign: (digest) =>
      withRetries(signing, async () => {
        const bytes = await thread.request(hexToBytes(digest))
        if (bytes.length !== 64) throw new SignerError('refused', 'its answer is no signature')
        const [r, s] = [bytesToBigInt(bytes.slice(0, 32)), bytesToBigInt(bytes.slice(32))]
        return finishSignature({ r, s }, digest, point)
      }),
  }
}

/** CKA_EC_POINT is an OCTET STRING with the point in it; some modules leave the wrapping out. */
function pointOf(value: Uint8Array): Uint8Array {
  const isWrapped = OCTET_STRING.every((byte, i) => value[i] === byte)
  const point = isWrapped ? value.slice(OCTET_STRING.length) : value
  if (point.length !== COORDINATES_BYTES || point[0] !== UNCOMPRESSED) {
    throw new SignerError('refused', 'its key is none of secp256k1')
  }
  return point
}

/** One thread for each signer. A token that hangs keeps its thread waiting and nothing else. */
function openThread(source: Pkcs11Source) {
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
  let lastId = 0
  const worker = new Worker(new URL('./pkcs11Thread.ts', import.meta.url), { workerData: source })
  worker.unref()
  worker.on('message', (answer: Answer) => {
    const pending = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (answer.ok) pending?.resolve(answer.bytes)
    else pending?.reject(new SignerError(answer.kind, answer.message))
  })
  worker.on('error', (cause) => {
    const error = new SignerError('absent', 'the thread of the PKCS#11 module has ended', { cause })
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  })
  return {
    request(digest: Uint8Array | null): Promise<Uint8Array> {
      lastId += 1
      const pending = Promise.withResolvers<Uint8Array>()
      waiting.set(lastId, pending)
      worker.postMessage({ id: lastId, digest } satisfies Question)
      return pending.promise
    },
    close: () => void worker.terminate(),
  }
}
