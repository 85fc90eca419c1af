import { readChannel } from '../../../chain/channels/read.ts'
import { asX402PaymentId, type ChannelActionId } from '../../../core/ids.ts'
import type { ChannelOutcome } from '../../../core/x402/channels/answers.ts'
import { isReason } from '../../../core/x402/reasons.ts'
import {
  type ActionOutcome,
  endAnswer,
  leaseAnswer,
  newestActionAttempt,
  readAction,
} from '../../../store/x402/channels/actions.ts'
import { guardDatabase } from '../../http/backends.ts'
import { type ChannelCall, payerOf } from './call.ts'
import { clientOf } from './examine.ts'

/** How settle learns what became of an action, and what it answers. */

/** The longest wait, in ms; servers' requirements for themselves name a timeout of 0. */
const WAIT_MS = 25_000
/** How often the outcome is read while no notification comes, in ms. */
const LOOK_EVERY_MS = 2_000

/** Waits until an action is decided, or for as long as callers are prepared to. */
export async function awaitAction(call: ChannelCall, id: ChannelActionId): Promise<ChannelOutcome> {
  const { deps, exchange, action } = call
  const { signal } = exchange.request
  const deadline = exchange.startedAt + WAIT_MS
  for (;;) {
    const since = performance.now()
    const outcome = await guardDatabase(deps, (sql) => readAction(sql, id))
    if (outcome.status !== 'pending') return decided(call, outcome)
    const ms = Math.min(deadline - performance.now(), LOOK_EVERY_MS)
    if (ms <= 0 || signal.aborted) {
      const transaction = await guardDatabase(deps, (sql) => newestActionAttempt(sql, id))
      return { ok: false, reason: 'settlement_pending', payer: payerOf(action), transaction }
    }
    const paymentId = asX402PaymentId(id)
    await deps.facilitator.waitForDecision({ paymentId, since, ms, signal })
  }
}

async function decided(call: ChannelCall, outcome: ActionOutcome): Promise<ChannelOutcome> {
  const { terms, action, deps } = call
  const payer = payerOf(action)
  const { txHash: transaction, moved, blockNumber, reason } = outcome
  if (outcome.status === 'failed' || transaction === null || blockNumber === null) {
    const known = reason !== null && isReason(reason) ? reason : 'invalid_transaction_state'
    return { ok: false, reason: known, payer }
  }
  // Its payer can sign for another amount by the same nonce, and have that carried out first.
  if (action.type === 'deposit' && moved !== action.deposit.amount) {
    return { ok: false, reason: 'duplicate_settlement', payer, transaction }
  }
  const done = { ok: true, transaction, payer, amount: moved ?? 0n } as const
  if (action.type === 'claim' || action.type === 'settle') return { ...done, after: null }
  const channelId = action.type === 'deposit' ? action.voucher.channelId : action.channelId
  const { rpc } = clientOf(deps, terms)
  const query = { receiver: terms.payTo, token: terms.asset, channelId, payer: action.config.payer }
  const facts = await readChannel(rpc, { ...query, calldata: null })
  // A node that has not seen its block yet would answer with the channel as it was before.
  if (facts.block < blockNumber)
    return { ok: false, reason: 'settlement_pending', payer, transaction }
  const after = { channelId, state: facts.channel }
  if (action.type === 'deposit' && !(await isGranted(call, outcome))) {
    return { ok: false, reason: 'duplicate_settlement', payer, transaction }
  }
  return { ...done, after }
}

/** A deposit comes with a request that it pays for, so that its success is written out once. */
async function isGranted({ deps, exchange }: ChannelCall, { id }: ActionOutcome): Promise<boolean> {
  const owner = crypto.randomUUID()
  if (exchange.request.signal.aborted) return false
  if (!(await guardDatabase(deps, (sql) => leaseAnswer(sql, id, owner)))) return false
  exchange.onSent = () => {
    const wasWritten = !exchange.request.signal.aborted
    endAnswer(deps.database, id, owner, wasWritten).catch((error: unknown) => {
      deps.log.warn({ err: error, action: id }, 'a written success was not recorded')
    })
  }
  return true
}
