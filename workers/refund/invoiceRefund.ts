import { encodeRefund } from '../../chain/hub/refunds.ts'
import { feeLeftAfter } from '../../core/refund/order.ts'
import { firstPaymentBlock } from '../../store/invoice/sweeps.ts'
import { invoicesWithRows } from '../../store/refund/orders.ts'
import { refunds } from '../../store/refund/transition.ts'
import { type RefundOrderRow, readRefundOrders } from '../../store/refund/work.ts'
import { examineRefunds } from './invoiceCheck.ts'
import { signedOrders } from './signedOrders.ts'

/** Refunds of invoices, out of their deposits. */
export const refundKind = signedOrders<RefundOrderRow>({
  read: readRefundOrders,
  examine: examineRefunds,

  async feesLeft({ client, head }, sql, rows) {
    const ids = rows.map(({ invoiceId }) => invoiceId)
    const invoices = await invoicesWithRows(sql, ids)
    return new Map(
      rows.flatMap(({ refundId, invoiceId }) => {
        const found = invoices.get(invoiceId)
        if (found === undefined) return []
        return [[refundId, feeLeftAfter(found.invoice, found, client.chain, head.time)] as const]
      }),
    )
  },

  encode: encodeRefund,
  async since(sql, { invoiceId }, networkId) {
    return (await firstPaymentBlock(sql, invoiceId, networkId)) ?? 0n
  },

  ledger: (registry) => refunds(registry, true),
})
