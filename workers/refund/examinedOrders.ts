import type { RefundId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import { refundNeedsApproval } from '../../core/merchant/approval.ts'
import { NO_APPROVAL, refundApprovals } from '../../store/refund/approvals.ts'
import type { OrderRow } from '../../store/refund/orders.ts'
import { clearedAmong, wantScreening } from '../../store/screening/screenings.ts'
import { chainTime, type Examined, type KindContext } from '../relayer/kind.ts'
import { heldByLostOrders } from './lostOrders.ts'
import { viewOrders } from './orderTerms.ts'
import { isOver, orderText } from './signedOrders.ts'

/**
 * Checks before any refund is signed: whether it needs an approval, whether its receiver may be paid, the hub's
 * state of its order, and whether it may be one that was paid and lost. `faultOf` returns what is wrong with one
 * of its kind: null for nothing, undefined when unknown yet; `sinceOf` names a block before which it can't have
 * been carried out.
 */
export async function examineOrders<Row extends OrderRow>(
  context: KindContext,
  orders: readonly Row[],
  faultOf: (order: Row) => Promise<string | null | undefined>,
  sinceOf: (order: Row) => Promise<bigint>,
): Promise<ReadonlyMap<bigint, Examined>> {
  const unapproved = await unapprovedRefunds(context, orders)
  const uncleared = await unclearedReceivers(context, orders)
  const examined = new Map<bigint, Examined>()
  const good: Row[] = []
  const time = chainTime(context.head)
  await Promise.all(
    orders.map(async (order) => {
      // Nothing is signed for it any more, whatever the chain shows of its payments.
      if (isOver(order, time)) {
        examined.set(order.itemId, { fault: null, order: orderText(order) })
        return
      }
      // It waits, and is checked again once it is approved, or its receiver is cleared.
      if (unapproved.has(order.refundId) || uncleared.has(order.to)) return
      const fault = await faultOf(order)
      if (fault === undefined) return
      if (fault === null) good.push(order)
      examined.set(order.itemId, { fault, order: orderText(order) })
    }),
  )
  const views = await viewOrders(context, good)
  const lost = await heldByLostOrders(context, good, views, sinceOf)
  for (const [itemId, view] of views) {
    const found = examined.get(itemId)
    const held = lost.get(itemId)
    if (found) examined.set(itemId, { ...found, view, ...(held && { held }) })
  }
  return examined
}

/** Those that need an approval and have none, regardless of what the API has stored. */
async function unapprovedRefunds(
  { database, config, client }: KindContext,
  orders: readonly OrderRow[],
): Promise<ReadonlySet<RefundId>> {
  const { networkId } = client.chain
  const found = await refundApprovals(
    database,
    orders.map(({ refundId }) => refundId),
  )
  const held = orders.filter((order) => {
    const { isApproved, isAsked, refundsAbove, before } = found.get(order.refundId) ?? NO_APPROVAL
    if (isApproved) return false
    const refund = { ...order, networkId }
    return isAsked || refundNeedsApproval(refundsAbove, refund, config.registry, before)
  })
  return new Set(held.map(({ refundId }) => refundId))
}

/** Receivers whom the operator's service has not cleared; they are screened. */
async function unclearedReceivers(
  { database, config }: KindContext,
  orders: readonly OrderRow[],
): Promise<ReadonlySet<Address>> {
  if (!config.isScreening) return new Set()
  const receivers = new Set(orders.map(({ to }) => to))
  const uncleared = receivers.difference(await clearedAmong(database, [...receivers]))
  await wantScreening(database, [...uncleared])
  return uncleared
}
