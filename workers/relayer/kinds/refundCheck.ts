import { newestConfirmed } from '../../../core/chain/depth.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { RefundId } from '../../../core/ids.ts'
import { refundNeedsApproval } from '../../../core/merchant/approval.ts'
import { NO_APPROVAL, refundApprovals } from '../../../store/refund/approvals.ts'
import {
  type RefundOrderRow,
  type RefundSource,
  readRefundOrders,
  readRefundSources,
} from '../../../store/refund/work.ts'
import type { WorkItem } from '../../../store/relayer/workItems.ts'
import { clearedAmong, wantScreening } from '../../../store/screening/screenings.ts'
import { depositFault } from '../../evidence/deposits.ts'
import { arrivalOf } from '../../evidence/payments.ts'
import { type Examined, idsOf, type KindContext } from './kind.ts'
import { viewOrders } from './refundTerms.ts'

/**
 * What is looked at before a refund is signed. Its rows come from the API, and whoever has its credentials
 * may write some: what they say is held against the chain, and against what the operator has allowed.
 */

/** Examines the refunds of these items; what the chain doesn't show yet is left out. */
export async function examineRefunds(
  context: KindContext,
  items: readonly WorkItem[],
): Promise<ReadonlyMap<bigint, Examined>> {
  const orders = await readRefundOrders(context.database, idsOf(items))
  const sources = await readRefundSources(
    context.database,
    orders.map(({ refundId }) => refundId),
  )
  const unapproved = await unapprovedRefunds(context, orders)
  const uncleared = await unclearedReceivers(context, orders)
  const examined = new Map<bigint, Examined>()
  const good: RefundOrderRow[] = []
  await Promise.all(
    orders.map(async (order) => {
      // It waits, and is looked at again once somebody has approved it, or its receiver was let pass.
      if (unapproved.has(order.refundId) || uncleared.has(order.to)) return
      const own = sources.filter(({ refundId }) => refundId === order.refundId)
      const fault = await faultOf(context, order, own)
      if (fault === undefined) return
      if (fault === null) good.push(order)
      examined.set(order.itemId, { fault, order: orderText(order) })
    }),
  )
  for (const [itemId, view] of await viewOrders(context, good)) {
    const found = examined.get(itemId)
    if (found) examined.set(itemId, { ...found, view })
  }
  return examined
}

/** Those that a second person of the merchant's has to approve, and nobody has; whatever the API has stored. */
async function unapprovedRefunds(
  { database, config, client }: KindContext,
  orders: readonly RefundOrderRow[],
): Promise<ReadonlySet<RefundId>> {
  const { networkId } = client.chain
  const found = await refundApprovals(
    database,
    orders.map(({ refundId }) => refundId),
  )
  const held = orders.filter((order) => {
    const { isApproved, isAsked, refundsAbove } = found.get(order.refundId) ?? NO_APPROVAL
    if (isApproved) return false
    return isAsked || refundNeedsApproval(refundsAbove, { ...order, networkId }, config.registry)
  })
  return new Set(held.map(({ refundId }) => refundId))
}

/** Receivers whom the operator's service has not let pass; it is asked about them. */
async function unclearedReceivers(
  { database, config }: KindContext,
  orders: readonly RefundOrderRow[],
): Promise<ReadonlySet<Address>> {
  if (!config.isScreening) return new Set()
  const receivers = new Set(orders.map(({ to }) => to))
  const uncleared = receivers.difference(await clearedAmong(database, [...receivers]))
  await wantScreening(database, [...uncleared])
  return uncleared
}

/** What is signed, so that what was examined and what is signed can be compared. */
export function orderText({ hub, deposit, token, to, amount }: RefundOrderRow): string {
  return [hub, deposit, token, to, amount].join(' ')
}

/** Why a refund is not signed; null when it is as it should be, undefined when that can't be told yet. */
async function faultOf(
  context: KindContext,
  order: RefundOrderRow,
  sources: readonly RefundSource[],
): Promise<string | null | undefined> {
  const deposit = await depositFault(context.database, context.config, order)
  if (deposit !== null) return deposit
  const total = sources.reduce((sum, { amount }) => sum + amount, 0n)
  if (total !== order.amount) return 'its parts do not add up to its amount'
  const verdicts = await Promise.all(sources.map((source) => sourceFault(context, order, source)))
  return (
    verdicts.find((fault) => fault !== null) ?? (verdicts.includes(undefined) ? undefined : null)
  )
}

async function sourceFault(
  { client, head }: KindContext,
  order: RefundOrderRow,
  source: RefundSource,
): Promise<string | null | undefined> {
  const { chain, rpc } = client
  if (source.invoiceId !== order.invoiceId || source.networkId !== chain.networkId) {
    return 'it is taken from a payment of another invoice or chain'
  }
  const arrival = await arrivalOf(rpc, order.deposit, source)
  if (arrival === undefined) return undefined
  if (arrival === null) return `no receipt shows the payment in ${source.txHash} that it gives back`
  if (arrival.blockNumber > newestConfirmed(head.number, chain.confirmations)) return undefined
  if (arrival.token !== order.token) return `the payment in ${source.txHash} is in another token`
  if (arrival.from !== order.to && !source.refundsAny) {
    return `its receiver did not send the payment in ${source.txHash}`
  }
  if (source.promised > arrival.amount) {
    return `more is promised of the payment in ${source.txHash} than it has brought`
  }
  // What the deposit holds by now is somebody else's.
  if (source.isSwept) return `the payment in ${source.txHash} was remitted to the merchant`
  return null
}
