import type { Logger } from 'pino'
import { asInvoiceId } from '../../core/base/ids.ts'
import { shortMessage } from '../../core/base/logging.ts'
import { lowerCaseAddress } from '../../core/chain/evm.ts'
import type { ScreeningSource } from '../../core/config/screening.ts'
import type { Database } from '../../store/database/database.ts'
import { clearedInvoices, releaseScreened } from '../../store/invoice/screened.ts'
import {
  type DueScreening,
  dueAddresses,
  forgetScreenings,
  storeFault,
  storeVerdict,
  takeDue,
} from '../../store/screening/screenings.ts'
import { Isolation } from '../turns/isolation.ts'
import { databaseProbe } from '../turns/probe.ts'
import type { ScreenAddress } from './client.ts'

/** What a turn does at most, so that a service that hangs delays nothing but its own answers. */
const BATCH_SIZE = 8
const RELEASED_AT_ONCE = 100
/** An answer is late long before; another process retries when this one has died. */
const LEASE_MARGIN_MS = 10_000
const FORGET_EVERY_MS = 60 * 60_000
const KEPT_DAYS = 30
const FORGOTTEN_AT_ONCE = 1_000

export interface ScreeningTurn {
  readonly database: Database
  readonly source: ScreeningSource
  readonly screen: ScreenAddress
  readonly log: Logger
}

/**
 * One pass: screens the addresses that are due, stores each answer on its own, and queues the invoices whose
 * payers are cleared. What fails is quarantined and stops no other. Resolves to true when more may be due.
 */
export function createScreening(context: ScreeningTurn): () => Promise<boolean> {
  const { database, source, log } = context
  const work = new Isolation(log, { probe: databaseProbe(database) })
  const leaseMs = source.limitMs + LEASE_MARGIN_MS
  let forgetAt = 0
  return async () => {
    const taken = await work.found(
      'due payer',
      lowerCaseAddress,
      (without) => dueAddresses(database, BATCH_SIZE, without),
      (scope) => takeDue(database, BATCH_SIZE, leaseMs, scope),
    )
    const due = taken.flat()
    const nameOf = ({ address }: DueScreening) => address
    await work.each('payer', due, nameOf, (one) => screenPayer(context, one), BATCH_SIZE)
    const released = await work.found(
      'invoice',
      asInvoiceId,
      (without) => clearedInvoices(database, RELEASED_AT_ONCE, without),
      (scope) => releaseScreened(database, RELEASED_AT_ONCE, scope),
    )
    if (Date.now() >= forgetAt) {
      // What fails is no reason to begin again at once.
      forgetAt = Date.now() + FORGET_EVERY_MS
      const forgotten = await work.alone('step', 'forgetting payers', () =>
        forgetScreenings(database, KEPT_DAYS, FORGOTTEN_AT_ONCE),
      )
      // As many as there can be new ones: while there are more, the next turn continues.
      if (forgotten === FORGOTTEN_AT_ONCE) forgetAt = 0
    }
    return due.length === BATCH_SIZE || released.includes(RELEASED_AT_ONCE)
  }
}

async function screenPayer(
  { database, source, screen, log }: ScreeningTurn,
  due: DueScreening,
): Promise<void> {
  const { address } = due
  const answer = await screen(address)
  if (!answer.ok) {
    log.warn({ address, fault: answer.fault }, 'the screening service gave no answer')
    await storeFault(database, due, shortMessage(answer.fault))
    return
  }
  await storeVerdict(database, address, answer, source.keptMs)
  if (answer.verdict === 'hold') log.warn({ address }, 'the money of a payer is held')
}
