import { readBalances } from '../../chain/tokens/balances.ts'
import { distributionEvents } from '../../chain/x402/distributions.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import { forwarderAddress } from '../../core/hub/deposit.ts'
import { isHubNamed } from '../../store/hub/forwarders.ts'
import {
  readX402Orders,
  readX402Sources,
  type X402OrderRow,
  type X402Source,
} from '../../store/refund/x402Work.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'
import { ShownPayments } from '../invoice/shownPayments.ts'
import { type Examined, idsOf, type KindContext } from '../relayer/kind.ts'
import { examineOrders } from './examinedOrders.ts'

/**
 * Checks before a refund of an x402 payment is signed. Its rows are compared with the payment's receipt, and
 * the forwarder must still have its money: no payout has taken it, and none that was signed before the refund
 * was requested is in flight. Later ones don't touch the forwarder.
 */

/** Blocks whose payouts are read at once, where they are not booked yet; more are booked first. */
const UNBOOKED_MOST = 5_000n

export async function examineX402Refunds(
  context: KindContext,
  items: readonly WorkItem[],
): Promise<ReadonlyMap<bigint, Examined>> {
  const orders = await readX402Orders(context.database, idsOf(items))
  const sources = await readX402Sources(
    context.database,
    orders.map(({ refundId }) => refundId),
    context.head.number,
  )
  return examineOrders(
    context,
    orders,
    async (order) => {
      const source = sources.find(({ refundId }) => refundId === order.refundId)
      if (source === undefined) return 'its payment is missing'
      return (
        rowsFault(order, source) ??
        (await forwarderFault(context, order)) ??
        (await paymentFault(context, order, source))
      )
    },
    async ({ paidBlock }) => paidBlock ?? 0n,
  )
}

/** What is wrong by the rows alone. */
function rowsFault(order: X402OrderRow, source: X402Source): string | null {
  if (source.isOther) return `payment ${source.paymentId} did not come by an authorization`
  if (source.payTo !== order.source) return `payment ${source.paymentId} is not in the forwarder`
  if (source.token !== order.token) return `payment ${source.paymentId} is in another token`
  if (source.payer !== order.to && !source.refundsAny) {
    return `its receiver did not make payment ${source.paymentId}`
  }
  if (source.promised > source.amount) {
    return `more is promised of payment ${source.paymentId} than it has brought`
  }
  return null
}

async function forwarderFault(
  { database, config }: KindContext,
  { hub, source, merchantId }: X402OrderRow,
): Promise<string | null> {
  if (hub !== config.hub && !(await isHubNamed(database, hub))) {
    return `its hub ${hub} is none of this deployment's`
  }
  if (forwarderAddress(hub, merchantId) === source) return null
  return `its forwarder ${source} is not the one that its hub derives from its merchant`
}

/** What the chain shows: that the payment was received as recorded, and is still there. */
async function paymentFault(
  context: KindContext,
  order: X402OrderRow,
  source: X402Source,
): Promise<string | null | undefined> {
  const { rpc, chain } = context.client
  const { txHash, logIndex, blockHash, token, isConfirmed } = source
  if (!isConfirmed || txHash === null || logIndex === null || blockHash === null) return undefined
  const sought = { txHash, logIndex, blockHash, token, deposit: order.source }
  const received = await new ShownPayments(rpc, [sought]).find(sought)
  if (received === undefined) return undefined
  if (received === null) return `no receipt shows the payment in ${txHash} that it refunds`
  if (received.blockNumber > newestConfirmed(context.head.number, chain.confirmations)) {
    return undefined
  }
  const isAsRecorded =
    received.token === source.token &&
    received.from === source.payer &&
    received.amount === source.amount
  if (!isAsRecorded) return `the receipt of ${txHash} shows another payment than its row`
  return (await isStillThere(context, order, source)) ? null : undefined
}

/** Whether the forwarder has not been paid out since, and is not about to be. */
async function isStillThere(
  { client, head }: KindContext,
  { hub, source: forwarder, token, amount, merchantId }: X402OrderRow,
  { isPaidOut, isPayoutUnderWay, bookedBlock, blockNumber }: X402Source,
): Promise<boolean> {
  if (isPaidOut || isPayoutUnderWay || blockNumber === null) return false
  const from = bookedBlock === null || bookedBlock < blockNumber ? blockNumber : bookedBlock + 1n
  if (head.number - from > UNBOOKED_MOST) return false
  const [payouts, [held = 0n]] = await Promise.all([
    distributionEvents(client.rpc, [hub], from, head.number),
    readBalances(client.rpc, token, [forwarder], head),
  ])
  const isGone = payouts.some((one) => one.merchantId === merchantId && one.token === token)
  return !isGone && held >= amount
}
