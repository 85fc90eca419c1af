import type { View } from '../../chain/rpc/view.ts'
import { asRefundId, type InvoiceId, type RefundId } from '../../core/base/ids.ts'
import type { Transaction } from '../../store/database/database.ts'
import { advanceLocked } from '../../store/invoice/advance.ts'
import { lockInvoiceRow } from '../../store/invoice/locking.ts'
import { firstPaymentBlock } from '../../store/invoice/sweeps.ts'
import { expireRequests, unapproved } from '../../store/refund/approvals.ts'
import { isUnsigned, type OrderRow } from '../../store/refund/orders.ts'
import { endOrder, refunds } from '../../store/refund/transition.ts'
import { doubtfulRefunds } from '../../store/refund/work.ts'
import { x402RefundsToEnd } from '../../store/refund/x402Work.ts'
import { advanceWithWork, type Ledger } from '../../store/relayer/transition.ts'
import { lockItems } from '../../store/relayer/workItems.ts'
import {
  confirmedBlock,
  type LedgerContext,
  type Progress,
  viewOf,
} from '../turns/ledgerContext.ts'
import type { Searches } from '../turns/searches.ts'
import { carriedOut } from './spentOrders.ts'

/**
 * The ends of refunds that relayers don't end. One that was signed fails only when a confirmed block is past its
 * deadline and the hub had not spent it by then: no later block can carry it out. One that another sender carried out
 * is booked where that happened. One that has waited for the hub all the time, or whose number the hub has spent for
 * another order, is signed again.
 */

const ROWS_PER_TURN = 200
/** As things that may be quarantined. */
const UNAPPROVED = 'unapproved refund'
const X402 = 'x402 refund'
const PAID_OUT = 'the payment was paid out to your treasury before it could be sent back'

interface Refund {
  readonly refundId: RefundId
  /** Null for a refund of an x402 payment. */
  readonly invoiceId: InvoiceId | null
  readonly itemId: bigint
}

const idOf = ({ refundId }: Refund) => refundId

/** Ends refunds of invoices whose time is over, and before that where a sweep has met traces of another sender. */
export async function endDoubtfulRefunds(
  context: LedgerContext,
  searches: Searches,
  now: Date,
): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const without = work.quarantined(now)
  const rows = await doubtfulRefunds(database, networkId, without, ROWS_PER_TURN)
  if (rows.length === 0) return progress(rows, [])
  const view = await confirmedView(context)
  const ended: boolean[] = []
  await work.eachOf(rows, async (invoiceId, some) => {
    const since = (await firstPaymentBlock(database, invoiceId, networkId)) ?? 0n
    for (const row of some) ended.push(await endSigned(context, searches, row, since, view, now))
  })
  return progress(rows, ended)
}

/**
 * Ends refunds of x402 payments. One that was never signed fails when the payment was paid out first, by the merchant
 * itself or by a transaction that was under way: the money is in the treasury.
 */
export async function endX402Refunds(
  context: LedgerContext,
  searches: Searches,
): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const now = new Date()
  const without = work.others.waiting(X402).map(asRefundId)
  const rows = await x402RefundsToEnd(database, networkId, without, ROWS_PER_TURN)
  if (rows.length === 0) return progress(rows, [])
  const view = await confirmedView(context)
  const ended = await work.others.each(X402, rows, idOf, (row) => {
    if (row.deadline === null) return failUnsigned(context, row, PAID_OUT, now)
    const since = row.paidBlock ?? 0n
    return endSigned(context, searches, { ...row, isOverdue: true }, since, view, now)
  })
  return progress(rows, ended)
}

/** Ends the refunds that were refused or not approved in time: their money is free again. */
export async function endUnapprovedRefunds(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, client, work } = context
  await expireRequests(database)
  const without = work.others.waiting(UNAPPROVED).map(asRefundId)
  const rows = await unapproved(database, client.chain.networkId, without, ROWS_PER_TURN)
  const ended = await work.others.each(UNAPPROVED, rows, idOf, (row) => {
    const isRefused = row.state === 'refused'
    const reason = isRefused ? 'it was refused by an approver' : 'it was not approved in time'
    return failUnsigned(context, row, reason, now)
  })
  return progress(rows, ended)
}

async function confirmedView(context: LedgerContext): Promise<View> {
  return viewOf(context, await confirmedBlock(context))
}

function progress(rows: readonly Refund[], ended: readonly boolean[]): Progress {
  const changed = ended.filter(Boolean).length
  return { changed, isFull: rows.length === ROWS_PER_TURN && changed > 0 }
}

/** Ends a refund that was signed, by what the hub shows from the block `since` up to the view's. */
async function endSigned(
  context: LedgerContext,
  searches: Searches,
  row: OrderRow & { readonly isOverdue: boolean },
  since: bigint,
  view: View,
  now: Date,
): Promise<boolean> {
  const search = await carriedOut({ client: context.client, searches }, row, since, view)
  if (search.type === 'open') return false
  const at = search.type === 'found' ? search.value : null
  // The relayer that holds the item books what its own transaction did.
  if (at === null ? !row.isOverdue : row.itemState === 'assigned') return false
  return endLocked(context, row, now, (sql, ledger) => {
    return endOrder(sql, ledger, row, at, search.type === 'other')
  })
}

/** Fails a refund, unless a relayer has signed it meanwhile. */
function failUnsigned(
  context: LedgerContext,
  refund: Refund,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { refundId: id } = refund
  return endLocked(context, refund, now, async (sql, ledger) => {
    if (!(await isUnsigned(sql, id))) return false
    return (await advanceWithWork(sql, ledger, 'failed', [{ id, reason }])).length > 0
  })
}

/** Ends a refund under the lock of its invoice, which is recalculated when it has ended, or of its work. */
function endLocked(
  { database, config }: LedgerContext,
  { invoiceId, itemId }: Refund,
  now: Date,
  end: (sql: Transaction, ledger: Ledger) => Promise<boolean>,
): Promise<boolean> {
  return database.begin(async (sql) => {
    const ledger = refunds(config.registry, invoiceId !== null)
    if (invoiceId === null) {
      await lockItems(sql, [itemId])
      return end(sql, ledger)
    }
    const invoice = await lockInvoiceRow(sql, invoiceId)
    if (!invoice) throw new Error(`there is no invoice ${invoiceId}`)
    if (!(await end(sql, ledger))) return false
    await advanceLocked(sql, config, [{ invoice, changes: [] }], now)
    return true
  })
}
