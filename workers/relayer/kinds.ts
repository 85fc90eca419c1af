import type { WorkerConfig } from '../../core/config/worker.ts'
import type { WorkKindName } from '../../store/relayer/workItems.ts'
import { channelKind } from '../channels/kind.ts'
import { sweepKind } from '../invoice/sweep.ts'
import { configureKind } from '../merchant/configure.ts'
import { refundKind } from '../refund/invoiceRefund.ts'
import { x402RefundKind } from '../refund/x402Refund.ts'
import { deployKind } from '../x402/deployForwarder.ts'
import { distributeKind } from '../x402/distribute.ts'
import { x402Kind, x402WalletKind } from '../x402/payments.ts'
import type { WorkKind } from './kind.ts'

/** The one table of the kinds of work that relayers carry out. */
const KINDS: Partial<Record<WorkKindName, WorkKind>> = {
  configure: configureKind,
  sweep: sweepKind,
  deploy: deployKind,
  distribute: distributeKind,
  x402: x402Kind,
  x402_wallet: x402WalletKind,
  x402_channel: channelKind,
  refund: refundKind,
  x402_refund: x402RefundKind,
}

/** Throws for a kind that this version doesn't know yet. */
export function kindOf(name: WorkKindName): WorkKind {
  const kind = KINDS[name]
  if (kind === undefined) throw new Error(`no relayer knows the work kind ${name}`)
  return kind
}

export function isKnownKind(name: WorkKindName): boolean {
  return KINDS[name] !== undefined
}

/** How many items of a kind may share a transaction, and how long they wait to be batched, in ms. */
export function batching(
  config: WorkerConfig,
  flushMs: number,
  name: WorkKindName,
): { readonly batchMax: number; readonly flushMs: number } {
  if (name === 'x402' || name === 'x402_channel') return config.x402
  return { batchMax: config.relayer.batchMax, flushMs }
}
