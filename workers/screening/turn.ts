import type { Logger } from 'pino'
import type { ScreeningSource } from '../../core/config/screening.ts'
import { shortMessage } from '../../core/telemetry/logging.ts'
import type { Database } from '../../store/database.ts'
import { releaseScreened } from '../../store/invoice/screened.ts'
import {
  type DueScreening,
  forgetScreenings,
  storeFault,
  storeVerdict,
  takeDue,
} from '../../store/screening/screenings.ts'
import type { AskAbout } from './ask.ts'

/** What a turn does at most, so that a service that hangs delays nothing but its own answers. */
const ASKED_AT_ONCE = 8
const RELEASED_AT_ONCE = 100
/** An answer is late long before; somebody else asks again when this process has died. */
const LEASE_MARGIN_MS = 10_000
const FORGET_EVERY_MS = 60 * 60_000
const KEPT_DAYS = 30
const FORGOTTEN_AT_ONCE = 1_000

export interface ScreeningTurn {
  readonly database: Database
  readonly source: ScreeningSource
  readonly ask: AskAbout
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/**
 * One pass: asks about the addresses that are due, stores each answer by itself, and has invoices looked at
 * again whose payers are cleared. Resolves to true when more may be due.
 */
export function createScreening(context: ScreeningTurn): () => Promise<boolean> {
  const { database, source } = context
  let forgetAt = 0
  return async () => {
    const due = await takeDue(database, ASKED_AT_ONCE, source.limitMs + LEASE_MARGIN_MS)
    await Promise.all(due.map((one) => askAbout(context, one)))
    const released = await releaseScreened(database, RELEASED_AT_ONCE)
    if (Date.now() >= forgetAt) {
      const forgotten = await forgetScreenings(database, KEPT_DAYS, FORGOTTEN_AT_ONCE)
      // As many as there can be new ones: while there are more, the next turn goes on.
      if (forgotten < FORGOTTEN_AT_ONCE) forgetAt = Date.now() + FORGET_EVERY_MS
    }
    return due.length === ASKED_AT_ONCE || released === RELEASED_AT_ONCE
  }
}

async function askAbout(
  { database, source, ask, log }: ScreeningTurn,
  due: DueScreening,
): Promise<void> {
  const { address } = due
  const answer = await ask(address)
  if (!answer.ok) {
    log.warn({ address, fault: answer.fault }, 'the screening service gave no answer')
    await storeFault(database, due, shortMessage(answer.fault))
    return
  }
  await storeVerdict(database, address, answer, source.keptMs)
  if (answer.verdict === 'hold') log.warn({ address }, 'the money of a payer is held')
}
