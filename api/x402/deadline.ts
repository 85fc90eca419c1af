import type { PaymentRequest } from '../../core/x402/terms.ts'

/** How long a caller of verify or settle waits at most. */

/** The longest wait for an outcome, in ms; `maxTimeoutSeconds` may be shorter. */
const WAIT_MS = 25_000

/** The deadline passed before there was a result. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** The same for actions of channels, whose requirements may name a timeout of 0. */
export function channelDeadline(startedAt: number): number {
  return startedAt + WAIT_MS
}

/** When a call that began at `startedAt` must be answered; both by performance.now(). */
export function deadlineOf({ requirements }: PaymentRequest, startedAt: number): number {
  return startedAt + Math.min(requirements.maxTimeoutSeconds * 1_000, WAIT_MS)
}

/**
 * The result of work that only reads. At the deadline the rest of it is no longer awaited.
 * @throws DeadlinePassed at the deadline, by performance.now().
 */
export async function untilDeadline<T>(deadline: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const end = () => late.reject(new DeadlinePassed('the call took too long'))
  const timer = setTimeout(end, Math.max(0, deadline - performance.now()))
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
