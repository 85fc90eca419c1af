import type { PaymentRequest } from '../../core/x402/terms.ts'

/** How long a caller of verify or settle waits at most. */

/** The longest wait for an outcome, in ms; `maxTimeoutSeconds` may be shorter. */
const WAIT_MS = 25_000

/** The deadline passed before there was a result. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** When a call that began at `startedAt` must be answered; both by performance.now(). */
export function deadlineOf({ requirements }: PaymentRequest, startedAt: number): number {
  return startedAt + Math.min(requirements.maxTimeoutSeconds * 1_000, WAIT_MS)
}

/**
 * The result of work that only reads. At the deadline its signal is aborted, and the rest of the
 * work is no longer awaited.
 * @throws DeadlinePassed at the deadline, by performance.now().
 */
export async function untilDeadline<T>(
  deadline: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const late = Promise.withResolvers<never>()
  const end = () => {
    controller.abort()
    late.reject(new DeadlinePassed('the call took too long'))
  }
  const timer = setTimeout(end, Math.max(0, deadline - performance.now()))
  try {
    return await Promise.race([work(controller.signal), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
