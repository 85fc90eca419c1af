import { encodeRescue } from '../../chain/hub/refunds.ts'
import { baseUnits } from '../../core/base/money.ts'
import { refunds } from '../../store/refund/transition.ts'
import { readX402Orders, type X402OrderRow } from '../../store/refund/x402Work.ts'
import { signedOrders } from './signedOrders.ts'
import { examineX402Refunds } from './x402Check.ts'

/** Refunds of x402 payments, out of the merchants' forwarders. No invoice changes by them. */
export const x402RefundKind = signedOrders<X402OrderRow>({
  read: readX402Orders,
  examine: examineX402Refunds,
  // A forwarder has no fee of its own that could be left.
  feesLeft: async (_context, _sql, rows) =>
    new Map(rows.map(({ refundId }) => [refundId, baseUnits(0n)])),
  encode: encodeRescue,
  since: async (_sql, { paidBlock }) => paidBlock ?? 0n,

  ledger: (registry) => refunds(registry, false),
})
