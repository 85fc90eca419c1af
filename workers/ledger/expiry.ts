import type { Config } from '../../core/config.ts'
import type { Database } from '../../store/database.ts'
import {
  dueInvoices,
  expiredInvoices,
  lockInvoice,
  markExpiryAnnounced,
} from '../../store/ledger.ts'
import { advanceInvoice, storeEvents } from './advance.ts'
import { inParallel } from './projector.ts'

const ROWS_PER_TURN = 200

/**
 * Tells merchants of unpaid invoices whose deadline every listed chain has passed: nothing that came
 * in time can still turn up. Returns how many there were.
 */
export async function announceExpiries(
  database: Database,
  config: Config,
  now: Date,
): Promise<number> {
  const expired = await expiredInvoices(database, ROWS_PER_TURN)
  await inParallel(expired, async (invoiceId) => {
    await database.begin(async (sql) => {
      const locked = await lockInvoice(sql, invoiceId)
      const { status } = locked?.invoice ?? {}
      if (!locked || (status !== 'pending' && status !== 'partial')) return
      if (!(await markExpiryAnnounced(sql, invoiceId, now))) return
      await storeEvents(sql, config, locked, ['invoice.expired'], now)
    })
  })
  return expired.length
}

/** Looks again at paid invoices whose settlement only waited for a deeper block. */
export async function advanceDueInvoices(
  database: Database,
  config: Config,
  networkId: string,
  now: Date,
): Promise<number> {
  const due = await dueInvoices(database, networkId, ROWS_PER_TURN)
  await inParallel(due, (invoiceId) =>
    database.begin((sql) => advanceInvoice(sql, config, invoiceId, now)),
  )
  return due.length
}
