import { SignerError } from './signer.ts'

/** Retries of calls to a key store, which may be slow, busy or away: callers must not wait forever. */
export interface RetryLimits {
  /** How long one try may take, and all of them with their pauses, in ms. */
  readonly tryMs: number
  readonly totalMs: number
}

/** While a transaction is prepared: less than leases of relayers last. */
export const SIGNING: RetryLimits = { tryMs: 1_500, totalMs: 4_000 }
/** When a process starts. */
export const OPENING: RetryLimits = { tryMs: 5_000, totalMs: 30_000 }

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

/**
 * Retries until there is an answer, a refusal or no time left. `call` is aborted when its time is over.
 * @throws SignerError: what `call` throws as `refused`, or `absent` for everything else.
 */
export async function withRetries<T>(
  { tryMs, totalMs }: RetryLimits,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = performance.now() + totalMs
  for (let attempt = 0; ; attempt += 1) {
    const left = end - performance.now()
    try {
      return await within(Math.min(tryMs, left), call)
    } catch (error) {
      if (error instanceof SignerError && error.kind === 'refused') throw error
      // Half of the pause is random, so that callers who were throttled together don't retry together.
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
      const pause = longest * (0.5 + Math.random() / 2)
      if (performance.now() + pause >= end) {
        throw new SignerError('absent', messageOf(error), { cause: error })
      }
      await Bun.sleep(pause)
    }
  }
}

async function within<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new SignerError('absent', `it has not answered within ${Math.round(ms)} ms`)
    reject(error)
    abort.abort(error)
  }, ms)
  try {
    return await Promise.race([call(abort.signal), over])
  } finally {
    clearTimeout(timer)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : 'it does not answer'
}
