import { asInvoiceId, type InvoiceId } from '../../core/base/ids.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import { insertEvents } from '../../store/events/outbox.ts'
import { advanceInvoices } from '../../store/invoice/advance.ts'
import { changedInvoices } from '../../store/invoice/changes.ts'
import {
  dueInvoices,
  expiredInvoices,
  failedInvoices,
  markExpiryAnnounced,
} from '../../store/invoice/due.ts'
import { eventsOf } from '../../store/invoice/events.ts'
import { lockInvoiceRow, readLocked } from '../../store/invoice/locking.ts'
import { chainState, type LedgerContext, type Progress } from '../turns/ledgerContext.ts'

const ROWS_PER_TURN = 200
/** Failed settlements that one turn reads, whether their pause is over or not. */
const FAILED_PER_TURN = 20
/** Invoices whose expiry is announced at the same time. */
const ANNOUNCED_AT_ONCE = 8
/**
 * As things that may be quarantined, by another name than invoices themselves: of an invoice that is quarantined no
 * leader announces the expiry, since its payments may be unread, and so this would never be tried again.
 */
const EXPIRY = 'expiry of invoice'

/**
 * Announces the expiry of unpaid invoices once every listed chain that is followed has passed their
 * deadline: no payment that was received in time can still appear.
 */
export async function announceExpiries(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, config, work } = context
  const configured = config.chains.map(({ networkId }) => networkId)
  const without = [...work.quarantined(now), ...work.others.waiting(EXPIRY).map(asInvoiceId)]
  const expired = await expiredInvoices(database, configured, without, now, ROWS_PER_TURN)
  const announce = (invoiceId: InvoiceId) =>
    database.begin(async (sql) => {
      const invoice = await lockInvoiceRow(sql, invoiceId)
      if (invoice?.status !== 'pending' && invoice?.status !== 'partial') return
      if (invoice.pendingAmount > 0n) return
      if (!(await markExpiryAnnounced(sql, invoiceId, now))) return
      const rows = await readLocked(sql, { ...invoice, version: invoice.version + 1 })
      await insertEvents(sql, eventsOf(config, rows, ['invoice.expired'], now))
    })
  await work.others.each(EXPIRY, expired, String, announce, ANNOUNCED_AT_ONCE)
  return { changed: expired.length, isFull: expired.length === ROWS_PER_TURN }
}

/** Derives invoices about which the API has stored something. */
export async function advanceChangedInvoices(
  { database, config, work }: LedgerContext,
  now: Date,
): Promise<Progress> {
  const changed = await changedInvoices(database, work.quarantined(now), ROWS_PER_TURN)
  await work.together(changed, async (invoiceIds) => {
    await database.begin((sql) => advanceInvoices(sql, config, invoiceIds, now))
  })
  return { changed: changed.length, isFull: changed.length === ROWS_PER_TURN }
}

/** Advances paid invoices whose settlement waited for something that may have happened since. */
export async function advanceDueInvoices(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, config, client, work } = context
  const { networkId, settlementConfirmations } = client.chain
  const { head } = await chainState(context)
  const settleable = newestConfirmed(head, settlementConfirmations)
  const without = work.quarantined(now)
  const waited = await dueInvoices(database, networkId, settleable, without, ROWS_PER_TURN)
  const after = work.failedAfter
  const failed = await failedInvoices(database, networkId, settleable, after, FAILED_PER_TURN)
  work.failedAfter = failed.next
  const due = [...waited, ...failed.rested.filter((id) => !without.includes(id))]
  await work.together(due, async (invoiceIds) => {
    await database.begin((sql) => advanceInvoices(sql, config, invoiceIds, now))
  })
  return { changed: due.length, isFull: waited.length === ROWS_PER_TURN }
}
