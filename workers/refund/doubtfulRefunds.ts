import type { View } from '../../chain/rpc/view.ts'
import { asRefundId } from '../../core/base/ids.ts'
import { advanceLocked } from '../../store/invoice/advance.ts'
import { lockInvoiceRow } from '../../store/invoice/locking.ts'
import { firstPaymentBlock } from '../../store/invoice/sweeps.ts'
import { expireRequests, unapproved } from '../../store/refund/approvals.ts'
import { endOrder } from '../../store/refund/transition.ts'
import { type DoubtfulRefund, doubtfulRefunds, invoiceRefunds } from '../../store/refund/work.ts'
import { requestRefunds } from '../../store/refund/x402Work.ts'
import { failWithWork } from '../../store/relayer/transition.ts'
import { lockItems } from '../../store/relayer/workItems.ts'
import {
  confirmedBlock,
  type LedgerContext,
  type Progress,
  viewOf,
} from '../turns/ledgerContext.ts'
import type { Searches } from '../turns/searches.ts'
import { carriedOut } from './spentOrders.ts'

const ROWS_PER_TURN = 200
/** As things that may be quarantined. */
const UNAPPROVED = 'unapproved refund'

/**
 * Ends refunds whose time is over. One fails only when a confirmed block is past its deadline and the hub had
 * not spent it by then: no later block can carry it out. One that another sender carried out is booked where
 * that happened, before its time is over where a sweep has met its traces. One that has waited for the hub all
 * the time, or whose number the hub has spent for another order, is signed again.
 */
export async function endDoubtfulRefunds(
  context: LedgerContext,
  searches: Searches,
  now: Date,
): Promise<Progress> {
  const { database, client, work } = context
  const without = work.quarantined(now)
  const rows = await doubtfulRefunds(database, client.chain.networkId, without, ROWS_PER_TURN)
  if (rows.length === 0) return { changed: 0, isFull: false }
  const view = await viewOf(context, await confirmedBlock(context))
  let changed = 0
  await work.eachOf(rows, async (_invoiceId, refunds) => {
    for (const row of refunds)
      if (await endDoubtful(context, searches, row, view, now)) changed += 1
  })
  return { changed, isFull: rows.length === ROWS_PER_TURN && changed > 0 }
}

async function endDoubtful(
  { database, config, client }: LedgerContext,
  searches: Searches,
  row: DoubtfulRefund,
  view: View,
  now: Date,
): Promise<boolean> {
  const { invoiceId, itemState, isOverdue } = row
  const refunds = invoiceRefunds(config.registry)
  const since = (await firstPaymentBlock(database, invoiceId, client.chain.networkId)) ?? 0n
  const search = await carriedOut({ client, searches }, row, since, view)
  if (search.type === 'open') return false
  const at = search.type === 'found' ? search.value : null
  // The relayer that holds the item books what its own transaction did.
  if (at !== null && itemState === 'assigned') return false
  if (at === null && !isOverdue) return false
  return database.begin(async (sql) => {
    const invoice = await lockInvoiceRow(sql, invoiceId)
    if (!invoice) throw new Error(`there is no invoice ${invoiceId}`)
    if (!(await endOrder(sql, refunds, row, at, search.type === 'other'))) return false
    await advanceLocked(sql, config, invoice, now)
    return true
  })
}

/**
 * Ends the refunds that were refused or not approved in time: none of them was ever signed, so their money is
 * free again.
 */
export async function endUnapprovedRefunds(
  { database, config, client, work }: LedgerContext,
  now: Date,
): Promise<Progress> {
  await expireRequests(database)
  const without = work.others.waiting(UNAPPROVED).map(asRefundId)
  const rows = await unapproved(database, client.chain.networkId, without, ROWS_PER_TURN)
  const idOf = ({ refundId }: (typeof rows)[number]) => refundId
  const ended = await work.others.each(UNAPPROVED, rows, idOf, async (row) => {
    const { refundId, invoiceId, itemId, state } = row
    const reason =
      state === 'refused' ? 'it was refused by an approver' : 'it was not approved in time'
    await database.begin(async (sql) => {
      if (invoiceId === null) {
        await lockItems(sql, [itemId])
        const refunds = requestRefunds(config.registry)
        await failWithWork(sql, refunds, [{ id: refundId, reason }])
        return
      }
      const invoice = await lockInvoiceRow(sql, invoiceId)
      if (!invoice) throw new Error(`there is no invoice ${invoiceId}`)
      const refunds = invoiceRefunds(config.registry)
      const failed = await failWithWork(sql, refunds, [{ id: refundId, reason }])
      if (failed.length === 0) return
      await advanceLocked(sql, config, invoice, now)
    })
  })
  return { changed: ended.length, isFull: rows.length === ROWS_PER_TURN && ended.length > 0 }
}
