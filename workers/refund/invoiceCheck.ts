import { newestConfirmed } from '../../core/chain/depth.ts'
import { firstPaymentBlock } from '../../store/invoice/sweeps.ts'
import {
  type RefundOrderRow,
  type RefundSource,
  readRefundOrders,
  readRefundSources,
} from '../../store/refund/work.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'
import { depositFault } from '../invoice/depositFault.ts'
import { ShownPayments, type Sought } from '../invoice/shownPayments.ts'
import { type Examined, idsOf, type KindContext } from '../relayer/kind.ts'
import { examineOrders } from './examinedOrders.ts'

/**
 * Checks before a refund is signed. Its rows come from the API, whose stolen credentials could write some: they
 * are compared with the chain, and with what the operator has allowed.
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
  const byRefund = Map.groupBy(sources, ({ refundId }) => refundId)
  return examineOrders(
    context,
    orders,
    (order) => faultOf(context, order, byRefund.get(order.refundId) ?? []),
    async ({ invoiceId }) =>
      (await firstPaymentBlock(context.database, invoiceId, context.client.chain.networkId)) ?? 0n,
  )
}

/** Of a refund's payments so many are read from the chain at once. */
const SOURCES_AT_ONCE = 50

/** Why a refund is not signed; null when it is as it should be, undefined when unknown yet. */
async function faultOf(
  context: KindContext,
  order: RefundOrderRow,
  sources: readonly RefundSource[],
): Promise<string | null | undefined> {
  const deposit = await depositFault(context.database, context.config, {
    ...order,
    deposit: order.source,
  })
  if (deposit !== null) return deposit
  const total = sources.reduce((sum, { amount }) => sum + amount, 0n)
  if (total !== order.amount) return 'its parts do not add up to its amount'
  let isOpen = false
  const sought = sources.map((source) => soughtIn(order, source))
  const shown = new ShownPayments(context.client.rpc, sought)
  for (let i = 0; i < sources.length; i += SOURCES_AT_ONCE) {
    const some = sources.slice(i, i + SOURCES_AT_ONCE)
    const verdicts = await Promise.all(
      some.map((source) => sourceFault(context, shown, order, source)),
    )
    const fault = verdicts.find((one) => typeof one === 'string')
    if (fault !== undefined) return fault
    isOpen ||= verdicts.includes(undefined)
  }
  return isOpen ? undefined : null
}

function soughtIn({ source: deposit }: RefundOrderRow, source: RefundSource): Sought {
  const { isConfirmed, brought: amount, blockNumber } = source
  return { ...source, deposit, confirmed: isConfirmed ? { amount, blockNumber } : null }
}

async function sourceFault(
  { client: { chain }, head }: KindContext,
  shown: ShownPayments,
  order: RefundOrderRow,
  source: RefundSource,
): Promise<string | null | undefined> {
  if (source.invoiceId !== order.invoiceId || source.networkId !== chain.networkId) {
    return 'it is taken from a payment of another invoice or chain'
  }
  const received = await shown.find(soughtIn(order, source))
  if (received === undefined) return undefined
  if (received === null) return `no receipt shows the payment in ${source.txHash} that it refunds`
  if (received.blockNumber > newestConfirmed(head.number, chain.confirmations)) return undefined
  if (received.token !== order.token) return `the payment in ${source.txHash} is in another token`
  if (received.from !== order.to && !source.refundsAny) {
    return `its receiver did not send the payment in ${source.txHash}`
  }
  if (source.promised > received.amount) {
    return `more is promised of the payment in ${source.txHash} than it has brought`
  }
  // The deposit's current money belongs to other payments.
  if (source.isSwept) return `the payment in ${source.txHash} was remitted to the merchant`
  return null
}
