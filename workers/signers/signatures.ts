import { type DigestSignature, type DigestSigner, SignerError } from '../../chain/signers/signer.ts'
import type { Hex } from '../../core/chain/evm.ts'

/**
 * Signatures that are made outside of database transactions. A store of keys may take seconds, in which no row
 * may stay locked. So a preparation runs twice: the first run finds out what is to be signed and is rolled
 * back; once that is signed, the second run finds the signatures and is committed. When rows have changed
 * meanwhile the second run needs other signatures, and those of the first are never used. A signature that was
 * made and not stored has never left this process.
 */

/** Returns the signature of a digest, or throws to roll the run back when it is yet to be made. */
export type Sign = (signer: DigestSigner, digest: Hex) => Promise<DigestSignature>

/** One call to a store of keys. */
export interface Signing {
  readonly store: DigestSigner['store']
  readonly outcome: 'signed' | SignerError['kind']
  readonly seconds: number
}

export type ObserveSigning = (signing: Signing) => void

/** What could not be signed, and by whom. Nothing has changed by it; the next turn tries again. */
export class SigningError extends Error {
  override readonly name = 'SigningError'

  constructor(
    readonly signer: DigestSigner,
    options: { readonly cause: SignerError },
  ) {
    super(`${signer.address} (${signer.store}): ${options.cause.message}`, options)
  }
}

/** Undoes a run that lacked signatures. */
class Unsigned extends Error {}

/** Runs before it is given up that rows hold still: each is undone by what others have committed. */
const RUNS_MAX = 5
/** Calls to one store at a time. */
const LANES = 8
/** The pause after a store has failed, which doubles up to the longest one, in ms. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** Signatures are used within a turn: older ones are of digests that are no longer needed. */
const KEPT_MAX = 2_000

/**
 * How many things a transaction may hold that this signer signs one by one: a slow store must not take longer
 * over a batch than a worker's leases last.
 */
export function mostSignedBy({ isImmediate }: DigestSigner): number {
  return isImmediate ? Number.POSITIVE_INFINITY : 2 * LANES
}

interface Absence {
  readonly failures: number
  /** When it is tried again, by performance.now(). */
  readonly until: number
  readonly cause: SignerError
}

export class Signatures {
  private readonly made = new Map<string, DigestSignature>()
  private readonly absent = new Map<DigestSigner, Absence>()

  constructor(private readonly observe: ObserveSigning = () => {}) {}

  /**
   * Runs what prepares something within a database transaction, and signs between its runs. Null when the rows
   * were others in each of them.
   * @throws SigningError when something can't be signed now.
   */
  async around<T>(run: (sign: Sign) => Promise<T>): Promise<T | null> {
    for (let runs = 1; runs <= RUNS_MAX; runs += 1) {
      const wanted = new Map<string, { readonly signer: DigestSigner; readonly digest: Hex }>()
      try {
        return await run(async (signer, digest) => {
          if (signer.isImmediate) return signer.sign(digest)
          const name = nameOf(signer, digest)
          const signature = this.made.get(name)
          if (signature !== undefined) return signature
          wanted.set(name, { signer, digest })
          throw new Unsigned()
        })
      } catch (error) {
        if (!(error instanceof Unsigned)) throw error
      }
      if (this.made.size > KEPT_MAX) this.made.clear()
      const left = [...wanted.values()]
      const lanes = Array.from({ length: Math.min(LANES, left.length) }, async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          this.made.set(nameOf(next.signer, next.digest), await this.make(next.signer, next.digest))
        }
      })
      await Promise.all(lanes)
    }
    return null
  }

  /** A store that has failed is left alone for a while, so that it doesn't hold up turn after turn. */
  private async make(signer: DigestSigner, digest: Hex): Promise<DigestSignature> {
    const before = this.absent.get(signer)
    if (before !== undefined && performance.now() < before.until) {
      throw new SigningError(signer, before)
    }
    const start = performance.now()
    const note = (outcome: Signing['outcome']) =>
      this.observe({ store: signer.store, outcome, seconds: (performance.now() - start) / 1_000 })
    try {
      const signature = await signer.sign(digest)
      this.absent.delete(signer)
      note('signed')
      return signature
    } catch (cause) {
      if (!(cause instanceof SignerError)) throw cause
      const failures = (before?.failures ?? 0) + 1
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
      this.absent.set(signer, { failures, until: performance.now() + pause, cause })
      note(cause.kind)
      throw new SigningError(signer, { cause })
    }
  }
}

function nameOf(signer: DigestSigner, digest: Hex): string {
  return `${signer.address} ${digest}`
}
