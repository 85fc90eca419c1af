import type { Logger } from 'pino'
import { DatabaseUnavailable } from '../../store/database/availability.ts'
import type { endAnswers, OutcomeQuery, PaymentOutcome } from '../../store/x402/outcomes.ts'

/**
 * Successes that this process has sent, one per payment. Until the database has
 * recorded one, the process keeps it, retries to record it, and grants the success to no
 * other call.
 */
export interface Successes {
  /** Reads the outcome of a payment. Rejects if the database can't be read or written. */
  readOutcome(query: OutcomeQuery): Promise<PaymentOutcome>
  /** Ends the lease on a success. Never fails and is never awaited. */
  endAnswer(answer: Answer): void
  close(): void
}

export type Answer = Parameters<typeof endAnswers>[1][number]

export interface SuccessesOptions {
  read(query: OutcomeQuery): Promise<PaymentOutcome>
  end(answer: Answer): Promise<unknown>
  readonly log: Logger
}

/** Pauses between attempts to record a success, in ms. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** Above this number of unrecorded successes no more are granted: the database counts as down. */
const MAX_UNRECORDED = 10_000

export function openSuccesses({ read, end, log }: SuccessesOptions): Successes {
  /** When each unrecorded success was sent, by payment. */
  const unrecorded = new Map<string, Date>()
  let isClosed = false

  async function record(answer: Answer): Promise<void> {
    const { paymentId, wasWritten } = answer
    if (wasWritten) unrecorded.set(paymentId, new Date())
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        await end(answer)
        break
      } catch (error) {
        if (pause === FIRST_PAUSE_MS) {
          log.warn({ err: error, ...answer }, 'the end of a response could not be recorded yet')
        }
        // An unused lease expires and passes to the next caller.
        if (!wasWritten || isClosed) break
        await Bun.sleep(pause)
      }
    }
    if (wasWritten) unrecorded.delete(paymentId)
  }

  return {
    async readOutcome(query) {
      const before = unrecorded.get(query.paymentId)
      const isFull = query.owner !== null && unrecorded.size >= MAX_UNRECORDED
      if (isFull) throw new DatabaseUnavailable('too many successes could not be recorded')
      const outcome = await read(before === undefined ? query : { ...query, owner: null })
      const writtenAt = before ?? unrecorded.get(query.paymentId)
      if (writtenAt === undefined) return outcome
      return { ...outcome, isGranted: false, answeredAt: outcome.answeredAt ?? writtenAt }
    },
    endAnswer(answer) {
      void record(answer)
    },
    close() {
      isClosed = true
    },
  }
}
