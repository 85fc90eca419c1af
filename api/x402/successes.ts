import type { Logger } from 'pino'
import { DatabaseUnavailable } from '../../store/availability.ts'
import type { endAnswers, Outcome, OutcomeQuery } from '../../store/x402/outcomes.ts'

/**
 * The one success of each payment, as far as this process has written it out. Until the database knows
 * of it, the process remembers it, tells it again, and gives nobody else the right to it.
 */
export interface Successes {
  /** Reads what became of a payment. Rejects when the database can't be asked, or told. */
  readOutcome(query: OutcomeQuery): Promise<Outcome>
  /** Ends the right to write out a success; never fails, and is never waited for. */
  endAnswer(answer: Answer): void
  close(): void
}

export type Answer = Parameters<typeof endAnswers>[1][number]

export interface SuccessesOptions {
  read(query: OutcomeQuery): Promise<Outcome>
  end(answer: Answer): Promise<unknown>
  readonly log: Logger
}

/** Pauses between tries to tell the database, in ms. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** With so many untold no more is written out: a database that takes none of them is as good as away. */
const MOST_UNTOLD = 10_000

export function openSuccesses({ read, end, log }: SuccessesOptions): Successes {
  /** When each success was written that the database doesn't know of, by payment. */
  const untold = new Map<string, Date>()
  let isClosed = false

  async function tell(answer: Answer): Promise<void> {
    const { paymentId, wasWritten } = answer
    if (wasWritten) untold.set(paymentId, new Date())
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        await end(answer)
        break
      } catch (error) {
        if (pause === FIRST_PAUSE_MS) {
          log.warn({ err: error, ...answer }, 'the end of an answer could not be noted yet')
        }
        // A right that was not used falls to the next caller by itself.
        if (!wasWritten || isClosed) break
        await Bun.sleep(pause)
      }
    }
    if (wasWritten) untold.delete(paymentId)
  }

  return {
    async readOutcome(query) {
      const before = untold.get(query.paymentId)
      const isFull = query.owner !== null && untold.size >= MOST_UNTOLD
      if (isFull) throw new DatabaseUnavailable('too many successes could not be noted')
      const outcome = await read(before === undefined ? query : { ...query, owner: null })
      const writtenAt = before ?? untold.get(query.paymentId)
      if (writtenAt === undefined) return outcome
      return { ...outcome, isGranted: false, answeredAt: outcome.answeredAt ?? writtenAt }
    },
    endAnswer(answer) {
      void tell(answer)
    },
    close() {
      isClosed = true
    },
  }
}
