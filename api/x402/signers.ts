import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { recoverSigner } from '../../chain/recovery.ts'
import type { Address } from '../../core/evm.ts'
import type { EcdsaSignature } from '../../core/x402/signature.ts'
import { gather } from '../../store/gather.ts'
import type { Answers, Questions, SignedDigest } from './signerThread.ts'

/**
 * Who signed digests. Recovering a key takes a third of all that it takes to verify a payment, so a
 * thread beside the one that answers requests does it, for many at a time.
 */
export interface Signers {
  /** The account whose key made the signature over these 32 bytes; null when no key can have. */
  signerOf(digest: Uint8Array, signature: EcdsaSignature): Promise<Address | null>
  close(): void
}

type Signer = { readonly address: Address | null }

export function openSigners(log: Logger): Signers {
  const thread = openThread(log)
  const recover = gather<SignedDigest, Signer>({
    work: (signed) => thread.recover(signed),
    isOfOne: () => false,
    patienceMs: Number.POSITIVE_INFINITY,
  })
  return {
    async signerOf(digest, signature) {
      return (await recover({ digest: digest.toHex(), ...signature })).address
    },
    close: () => thread.close(),
  }
}

/** A thread that broke is not started again: its work is done here, more slowly, and the log says so. */
function openThread(log: Logger) {
  const waiting = new Map<
    number,
    { signed: readonly SignedDigest[]; resolve(all: Signer[]): void }
  >()
  let isBroken = false
  let lastId = 0
  const worker = new Worker(new URL('./signerThread.ts', import.meta.url))
  worker.unref()
  worker.on('message', ({ id, signers }: Answers) => {
    waiting.get(id)?.resolve(signers.map((address) => ({ address })))
    waiting.delete(id)
  })
  worker.on('error', (error) => {
    isBroken = true
    log.error({ err: error }, 'the thread that recovers signers broke')
    for (const { signed, resolve } of waiting.values()) resolve(signed.map(recoverHere))
    waiting.clear()
  })
  return {
    recover(signed: readonly SignedDigest[]): Promise<Signer[]> {
      if (isBroken) return Promise.resolve(signed.map(recoverHere))
      lastId += 1
      const questions: Questions = { id: lastId, signed }
      return new Promise((resolve) => {
        waiting.set(questions.id, { signed, resolve })
        worker.postMessage(questions)
      })
    },
    close: () => void worker.terminate(),
  }
}

function recoverHere({ digest, ...signature }: SignedDigest): Signer {
  return { address: recoverSigner(Uint8Array.fromHex(digest), signature) }
}
