import { findRefunded, isRefundSpent, type RefundedAt } from '../../chain/hub/refunds.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { View } from '../../chain/rpc/view.ts'
import type { OrderRow } from '../../store/refund/orders.ts'
import type { Found, Searches } from '../turns/searches.ts'

/** The number of its order was spent for another order, so that it can't be carried out. */
export interface SpentOtherwise {
  readonly type: 'other'
}

/**
 * Where a refund was carried out from the block `since` up to the view's, by any sender: the signature is
 * public once it was sent. 'nothing' when it was not, 'open' when the search for it takes another turn.
 * Numbers follow each other, so that one may be given twice when a commit was lost: only a payment out of
 * the same deposit of the same amount to the same receiver is this refund, and 'other' means that the hub
 * has spent the number for another. Throws when the hub has spent it and the node can't show where: it was
 * unspent when the order was signed, so that a block since then shows it.
 */
export async function carriedOut(
  { client, searches }: { readonly client: ChainClient; readonly searches: Searches },
  row: OrderRow,
  since: bigint,
  view: View,
): Promise<Found<RefundedAt> | SpentOtherwise> {
  const { rpc } = client
  const { orderNumber } = row
  if (orderNumber === null) return { type: 'nothing' }
  if (!(await isRefundSpent(rpc, row.hub, orderNumber, view))) return { type: 'nothing' }
  const name = `refund ${row.refundId} under ${orderNumber}`
  const search = await searches.find<RefundedAt>(name, since, view.number, (from, to) =>
    findRefunded(rpc, row.hub, orderNumber, from, to),
  )
  if (search.type !== 'open') searches.forget(name)
  if (search.type === 'nothing') throw new Error(`${name} is spent, and no block shows it`)
  return search.type === 'found' && !isOrderOf(row, search.value) ? { type: 'other' } : search
}

/** What the hub paid, compared with the request. */
export function isOrderOf(
  row: Pick<OrderRow, 'source' | 'token' | 'to' | 'amount'>,
  paid: Pick<RefundedAt, 'source' | 'token' | 'to' | 'amount'>,
): boolean {
  return (
    paid.source === row.source &&
    paid.token === row.token &&
    paid.to === row.to &&
    paid.amount === row.amount
  )
}
