import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Address } from '../../core/chain/evm.ts'
import { gather } from '../../store/database/gather.ts'
import { decodeAnswers, encodeQuestions, recover, type Signed } from './signerThread.ts'

/**
 * Recovery of signers. It takes a third of the time of verifying a payment, so
 * a second thread does it in batches. It starts with the first payment.
 */
export interface Signers {
  /** The signer's account; null if the signature is invalid for every key. */
  signerOf(signed: Signed): Promise<Address | null>
  close(): void
}

type Signer = { readonly address: Address | null }

export function openSigners(log: Logger): Signers {
  let thread: ReturnType<typeof openThread> | null = null
  const recover = gather<Signed, Signer>({
    work(signed) {
      thread ??= openThread(log)
      return thread.recover(signed)
    },
    isItemError: () => false,
    timeoutMs: Number.POSITIVE_INFINITY,
    lanes: 1,
  })
  return {
    signerOf: async (signed) => (await recover(signed)).address,
    close: () => thread?.close(),
  }
}

/** Recovers on the calling thread, synchronously. */
export function openSignersHere(): Signers {
  return { signerOf: async (signed) => recover(signed), close() {} }
}

/** A crashed thread is not restarted: signers are recovered here, more slowly, and an error is logged. */
function openThread(log: Logger) {
  const waiting = new Map<number, { signed: readonly Signed[]; resolve(all: Signer[]): void }>()
  let hasCrashed = false
  let lastId = 0
  const worker = new Worker(new URL('./signerThread.ts', import.meta.url))
  worker.unref()
  worker.on('message', (text: string) => {
    const { id, signers } = decodeAnswers(text)
    waiting.get(id)?.resolve(signers.map((address) => ({ address })))
    waiting.delete(id)
  })
  worker.on('error', (error) => {
    hasCrashed = true
    log.error({ err: error }, 'the thread that recovers signers crashed')
    for (const { signed, resolve } of waiting.values()) resolve(signed.map(recoverHere))
    waiting.clear()
  })
  return {
    recover(signed: readonly Signed[]): Promise<Signer[]> {
      if (hasCrashed) return Promise.resolve(signed.map(recoverHere))
      lastId += 1
      const id = lastId
      return new Promise((resolve) => {
        waiting.set(id, { signed, resolve })
        worker.postMessage(encodeQuestions(id, signed))
      })
    },
    close: () => void worker.terminate(),
  }
}

function recoverHere(signed: Signed): Signer {
  return { address: recover(signed) }
}
