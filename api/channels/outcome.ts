import { readChannel } from '../../chain/channels/read.ts'
import { asX402PaymentId, type ChannelActionId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { ChannelOutcome } from '../../core/channels/answers.ts'
import { isReason } from '../../core/x402/reasons.ts'
import {
  type ActionOutcome,
  endAnswer,
  leaseAnswer,
  readAction,
} from '../../store/channels/actions.ts'
import { newestAttempt } from '../../store/relayer/attempts.ts'
import { withdraw } from '../../store/x402/outcomes.ts'
import { guardDatabase } from '../http/backends.ts'
import { channelDeadline, NOTHING_BEGUN, untilEnd } from '../x402/waiting.ts'
import { type ChannelCall, payerOf } from './call.ts'
import { clientOf } from './examine.ts'

/** How settle waits for the outcome of an action and reports it. */

/** Waits until an action is decided, or until the deadline. */
export async function awaitAction(call: ChannelCall, id: ChannelActionId): Promise<ChannelOutcome> {
  const { deps, exchange, action } = call
  const { signal } = exchange.request
  const paymentId = asX402PaymentId(id)
  const end = await untilEnd<ActionOutcome>({
    signal,
    deadline: channelDeadline(exchange.startedAt),
    since: exchange.startedAt,
    readsFirst: true,
    async read() {
      const outcome = await guardDatabase(deps, (sql) => readAction(sql, id))
      return outcome.status === 'pending' ? 'pending' : outcome
    },
    wait: (since, ms) => deps.facilitator.waitForDecision({ paymentId, since, ms, signal }),
    attempt: () => guardDatabase(deps, (sql) => newestAttempt(sql, id)),
    withdraw: () => guardDatabase(deps, (sql) => withdraw(sql, id)),
  })
  if (end.type === 'decided') return decided(call, end.outcome)
  const payer = payerOf(action)
  if (end.type === 'withdrawn') return nothingBegun(payer)
  return { ok: false, reason: 'settlement_pending', payer, transaction: end.transaction }
}

/** The wait for another caller's action ends this long before our own deadline, to leave time to respond; in ms. */
const ANSWER_MS = 1_000
const POLL_MS = 2_000

/** Waits until another caller's action is decided; null at the deadline. Never withdraws it. */
export async function awaitOther(
  { deps, exchange }: ChannelCall,
  id: ChannelActionId,
): Promise<ActionOutcome | null> {
  const { signal } = exchange.request
  const deadline = channelDeadline(exchange.startedAt) - ANSWER_MS
  const paymentId = asX402PaymentId(id)
  for (;;) {
    const since = performance.now()
    const outcome = await guardDatabase(deps, (sql) => readAction(sql, id))
    if (outcome.status !== 'pending') return outcome
    const ms = Math.min(deadline - performance.now(), POLL_MS)
    if (ms <= 0 || signal.aborted) return null
    await deps.facilitator.waitForDecision({ paymentId, since, ms, signal })
  }
}

/** Nothing is signed, now or later. */
export function nothingBegun(payer: Address | null): ChannelOutcome {
  return { ok: false, reason: 'unexpected_settle_error', message: NOTHING_BEGUN, payer }
}

async function decided(call: ChannelCall, outcome: ActionOutcome): Promise<ChannelOutcome> {
  const { terms, action, deps } = call
  const payer = payerOf(action)
  const { txHash: transaction, moved, blockNumber, reason } = outcome
  if (outcome.status === 'failed' && reason === 'unexpected_settle_error')
    return nothingBegun(payer)
  if (outcome.status === 'failed' || transaction === null || blockNumber === null) {
    const known = reason !== null && isReason(reason) ? reason : 'invalid_transaction_state'
    return { ok: false, reason: known, payer }
  }
  // Its payer can sign another amount with the same nonce and have that executed first.
  if (action.type === 'deposit' && moved !== action.deposit.amount) {
    return { ok: false, reason: 'duplicate_settlement', payer, transaction }
  }
  const done = { ok: true, transaction, payer, amount: moved ?? 0n } as const
  if (action.type === 'claim' || action.type === 'settle') return { ...done, after: null }
  const channelId = action.type === 'deposit' ? action.voucher.channelId : action.channelId
  const { rpc } = clientOf(deps, terms)
  const query = { receiver: terms.payTo, token: terms.asset, channelId, payer: action.config.payer }
  const facts = await readChannel(rpc, { ...query, calldata: null })
  // A node behind the action's block would return the channel's previous state.
  if (facts.block < blockNumber)
    return { ok: false, reason: 'settlement_pending', payer, transaction }
  const after = { channelId, state: facts.channel }
  if (action.type === 'deposit' && !(await isGranted(call, outcome))) {
    return { ok: false, reason: 'duplicate_settlement', payer, transaction }
  }
  return { ...done, after }
}

/** A deposit pays for a request, so its success must be reported only once. */
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
