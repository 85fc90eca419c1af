import { channelKind } from '../channels/kind.ts'
import { sweepKind } from '../invoice/sweep.ts'
import { configureKind } from '../merchant/configure.ts'
import { refundKind } from '../refund/invoiceRefund.ts'
import { x402RefundKind } from '../refund/x402Refund.ts'
import { deployKind } from '../x402/deployForwarder.ts'
import { distributeKind } from '../x402/distribute.ts'
import { x402Kind, x402WalletKind } from '../x402/payments.ts'
import type { Kinds } from './kind.ts'

/**
 * The one table of the kinds of work that relayers carry out, in the order in which they are served: callers wait for
 * the first ones, and none for the last. Each has its checks, batches, gas and ledger in a file of its own.
 */
export const KINDS = {
  x402: x402Kind,
  x402_wallet: x402WalletKind,
  x402_channel: channelKind,
  refund: refundKind,
  x402_refund: x402RefundKind,
  configure: configureKind,
  sweep: sweepKind,
  deploy: deployKind,
  distribute: distributeKind,
} satisfies Kinds

export type WorkKindName = keyof typeof KINDS
