import type { View } from '../../chain/rpc/view.ts'
import { asRefundId } from '../../core/base/ids.ts'
import { endOrder } from '../../store/refund/transition.ts'
import {
  overdueX402Refunds,
  requestRefunds,
  type X402OrderRow,
  x402RefundsPaidOut,
} from '../../store/refund/x402Work.ts'
import { failWithWork } from '../../store/relayer/transition.ts'
import { lockItems, lockQueued } from '../../store/relayer/workItems.ts'
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
const REFUND = 'x402 refund'

/**
 * Ends refunds of x402 payments that relayers don't. One that was signed fails only when a confirmed block is
 * past its deadline and the hub had not spent it by then; one that another sender carried out is booked where
 * that happened. One that was never signed fails when the payment was paid out first, by the merchant itself or
 * by a transaction that was under way: the money is in the treasury.
 */
export async function endX402Refunds(
  context: LedgerContext,
  searches: Searches,
): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const without = work.others.waiting(REFUND).map(asRefundId)
  const paidOut = await x402RefundsPaidOut(database, networkId, without, ROWS_PER_TURN)
  const idOf = ({ refundId }: X402OrderRow) => refundId
  const failed = await work.others.each(REFUND, paidOut, idOf, (row) => endPaidOut(context, row))
  let changed = failed.filter(Boolean).length
  const overdue = await overdueX402Refunds(database, networkId, without, ROWS_PER_TURN)
  if (overdue.length === 0) return { changed, isFull: false }
  const view = await viewOf(context, await confirmedBlock(context))
  const ended = await work.others.each(REFUND, overdue, idOf, (row) =>
    endOverdue(context, searches, row, view),
  )
  changed += ended.filter(Boolean).length
  return { changed, isFull: overdue.length === ROWS_PER_TURN && changed > 0 }
}

async function endPaidOut(
  { database, config }: LedgerContext,
  { refundId, itemId }: X402OrderRow,
): Promise<boolean> {
  return database.begin(async (sql) => {
    // A relayer may just be signing it.
    const [item] = await lockQueued(sql, [itemId])
    if (item === undefined) return false
    const reason = 'the payment was paid out to your treasury before it could be sent back'
    const [left] = await sql`
      select from refund where id = ${refundId} and status = 'open' and deadline is null`
    if (left === undefined) return false
    const refunds = requestRefunds(config.registry)
    return (await failWithWork(sql, refunds, [{ id: refundId, reason }])).length > 0
  })
}

async function endOverdue(
  { database, config, client }: LedgerContext,
  searches: Searches,
  row: X402OrderRow,
  view: View,
): Promise<boolean> {
  const { itemId, itemState, paidBlock } = row
  const refunds = requestRefunds(config.registry)
  const search = await carriedOut({ client, searches }, row, paidBlock ?? 0n, view)
  if (search.type === 'open') return false
  const at = search.type === 'found' ? search.value : null
  // The relayer that holds the item books what its own transaction did.
  if (at !== null && itemState === 'assigned') return false
  return database.begin(async (sql) => {
    await lockItems(sql, [itemId])
    return endOrder(sql, refunds, row, at, search.type === 'other')
  })
}
