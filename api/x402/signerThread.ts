import { parentPort } from 'node:worker_threads'
import { recoverSigner } from '../../chain/recovery.ts'
import type { Address, Hex } from '../../core/evm.ts'

/** The thread that recovers signers: what it is sent, and what it answers in the same order. */

export interface SignedDigest {
  /** 32 bytes. */
  readonly digest: string
  readonly v: 27 | 28
  readonly r: Hex
  readonly s: Hex
}

export interface Questions {
  readonly id: number
  readonly signed: readonly SignedDigest[]
}

export interface Answers {
  readonly id: number
  readonly signers: readonly (Address | null)[]
}

parentPort?.on('message', ({ id, signed }: Questions) => {
  const signers = signed.map(({ digest, ...signature }) =>
    recoverSigner(Uint8Array.fromHex(digest), signature),
  )
  parentPort?.postMessage({ id, signers } satisfies Answers)
})
