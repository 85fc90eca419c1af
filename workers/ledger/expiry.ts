import { newestConfirmed } from '../../core/chain/depth.ts'
import { readChainState } from '../../store/chain/state.ts'
import { advanceInvoice, storeEvents } from '../../store/invoice/advance.ts'
import {
  dueInvoices,
  expiredInvoices,
  lockInvoice,
  markExpiryAnnounced,
} from '../../store/invoice/ledger.ts'
import type { Progress, Projection } from './projector.ts'

const ROWS_PER_TURN = 200

/**
 * Tells merchants of unpaid invoices whose deadline every listed chain has passed: nothing that came
 * in time can still turn up.
 */
export async function announceExpiries(context: Projection, now: Date): Promise<Progress> {
  const { database, config, work } = context
  const expired = await expiredInvoices(database, work.putAside(now), ROWS_PER_TURN)
  await work.each(
    expired,
    (invoiceId) => invoiceId,
    async (invoiceId) => {
      await database.begin(async (sql) => {
        const locked = await lockInvoice(sql, invoiceId)
        const { status } = locked?.invoice ?? {}
        if (!locked || (status !== 'pending' && status !== 'partial')) return
        if (locked.invoice.pendingAmount > 0n) return
        if (!(await markExpiryAnnounced(sql, invoiceId, now))) return
        await storeEvents(sql, config, locked, ['invoice.expired'], now)
      })
    },
  )
  return { changed: expired.length, isFull: expired.length === ROWS_PER_TURN }
}

/** Looks again at paid invoices whose settlement waited for something that may have come. */
export async function advanceDueInvoices(context: Projection, now: Date): Promise<Progress> {
  const { database, config, client, work } = context
  const { networkId, settlementConfirmations } = client.chain
  const state = await readChainState(database, networkId)
  if (!state) return { changed: 0, isFull: false }
  const settleable = newestConfirmed(state.head, settlementConfirmations)
  const aside = work.putAside(now)
  const due = await dueInvoices(database, networkId, settleable, aside, ROWS_PER_TURN)
  await work.each(
    due,
    (invoiceId) => invoiceId,
    (invoiceId) => database.begin((sql) => advanceInvoice(sql, config, invoiceId, now)),
  )
  return { changed: due.length, isFull: due.length === ROWS_PER_TURN }
}
