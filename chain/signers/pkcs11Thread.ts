import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Pkcs11Source } from '../../core/config/signers.ts'
import { Pkcs11Module, WrongPinError } from './pkcs11Module.ts'
import { SignerError } from './signer.ts'

/** The thread that talks to a token, because that takes as long as the token likes. */

/** `digest` null requests the public key. */
export interface Question {
  readonly id: number
  readonly digest: Uint8Array | null
}

export type Answer =
  | { readonly id: number; readonly ok: true; readonly bytes: Uint8Array }
  | {
      readonly id: number
      readonly ok: false
      readonly kind: SignerError['kind']
      readonly message: string
    }

interface OpenKey {
  readonly session: bigint
  readonly key: bigint
}

const PIN_WAS_WRONG = 'the PIN in its file was wrong, and is not tried again until the file changes'

function serve(source: Pkcs11Source): void {
  let token: Pkcs11Module | null = null
  let open: OpenKey | null = null
  /** Tokens lock a PIN after a few wrong ones, so that one that was wrong is not tried again. */
  let wrongPin: string | null = null

  function login(module: Pkcs11Module): bigint {
    const pin = readFileSync(source.pinFile, 'utf8').trim()
    if (pin === wrongPin) throw new SignerError('refused', PIN_WAS_WRONG)
    try {
      return module.login(source.token, pin)
    } catch (error) {
      if (error instanceof WrongPinError) wrongPin = pin
      throw error
    }
  }

  function answer(digest: Uint8Array | null): Uint8Array {
    token ??= new Pkcs11Module(source.module)
    if (open === null) {
      const session = login(token)
      open = { session, key: token.privateKey(session, source.object) }
    }
    const { session, key } = open
    return digest === null
      ? token.publicPoint(session, source.object)
      : token.sign(session, key, digest)
  }

  parentPort?.on('message', ({ id, digest }: Question) => {
    try {
      parentPort?.postMessage({ id, ok: true, bytes: answer(digest) } satisfies Answer)
    } catch (error) {
      // After any error the next call opens a new session.
      if (token !== null && open !== null) closeQuietly(token, open.session)
      open = null
      const kind = error instanceof SignerError ? error.kind : 'absent'
      const message = error instanceof Error ? error.message : 'the module failed'
      parentPort?.postMessage({ id, ok: false, kind, message } satisfies Answer)
    }
  })
}

function closeQuietly(token: Pkcs11Module, session: bigint): void {
  try {
    token.logout(session)
  } catch {
    // A session that is gone can't be closed.
  }
}

serve(workerData)
