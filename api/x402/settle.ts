import { PRICES } from '../../core/access/costs.ts'
import { AppError } from '../../core/base/errors.ts'
import type { X402PaymentId } from '../../core/base/ids.ts'
import { hasConfirmations } from '../../core/chain/depth.ts'
import { directFee } from '../../core/x402/directFee.ts'
import { isReason, type Reason } from '../../core/x402/reasons.ts'
import type { SettleOutcome } from '../../core/x402/request/answers.ts'
import { reasonFor } from '../../core/x402/request/permitReasons.ts'
import { newestAttempt } from '../../store/relayer/attempts.ts'
import { type PaymentOutcome, withdraw } from '../../store/x402/outcomes.ts'
import { bookPaidByOthers } from '../../store/x402/settles.ts'
import type { ClaimedPayment } from '../../store/x402/terms.ts'
import { resumeHeld } from '../../store/x402/wallets.ts'
import { guardDatabase } from '../http/backends.ts'
import { spend } from '../http/budget.ts'
import { isOurFault } from '../http/errors.ts'
import { carryTrace } from '../http/tracing.ts'
import type { Call, Examined } from './call.ts'
import { findClaim, isSameClaim, termsQuery } from './claimed.ts'
import { examine } from './verify.ts'
import { DeadlinePassed, NOTHING_BEGUN, untilDeadline, untilEnd } from './waiting.ts'

/**
 * Settle, in the order of its steps: it examines a payment like verify, claims it, wakes the workers, waits
 * until the payment is decided, and returns its success exactly once.
 */

/** Polling interval while another call holds the lease on the success, in ms. */
const ANSWERED_WITHIN_MS = 50

/**
 * Executes a payment, or waits for another call that does, until it is decided or the deadline passes. `isAgain`
 * is true on the second attempt, after a claim failed because of new reservations.
 */
export async function settle(call: Call, isAgain = false): Promise<SettleOutcome> {
  const { deps, exchange } = call
  let examined: Examined | null = null
  try {
    examined = await untilDeadline(call.deadline, () => examine(call))
  } catch (error) {
    // Nothing was claimed, so the caller may safely retry.
    if (isOurFault(error)) throw error
    exchange.about = { err: error }
    if (!(error instanceof DeadlinePassed)) return refusal(call, 'unexpected_settle_error')
  }
  try {
    return await (examined === null ? followClaim(call) : carryOut(call, examined, isAgain))
  } catch (error) {
    if (isOurFault(error)) throw error
    // The payment may be claimed and executed, so this must not be reported as its failure.
    deps.log.error({ traceId: exchange.traceId, err: error }, 'a settle was aborted')
    throw new AppError('service_unavailable', [], { cause: error })
  }
}

/** An examination that times out starts nothing, but an earlier call may have. */
async function followClaim(call: Call): Promise<SettleOutcome> {
  const claimed = await findClaim(call.deps.facilitator, call.request)
  return claimed === null
    ? refusal(call, 'unexpected_settle_error', NOTHING_BEGUN)
    : awaitOutcome(call, claimed.id, true)
}

async function carryOut(call: Call, examined: Examined, isAgain: boolean): Promise<SettleOutcome> {
  switch (examined.type) {
    case 'refused':
      return refusal(call, examined.reason, examined.message)
    case 'claimed':
      if (examined.mayContinue) await resumeIfHeld(call, examined.payment)
      return awaitOutcome(call, examined.payment.id, true)
    case 'carried_out':
      return acceptSettledByOthers(call, examined)
    case 'good':
      return call.request.requirements.amount === 0n
        ? takeNothing(call)
        : claim(call, examined, isAgain)
  }
}

/**
 * An `upto` payment of zero: there is nothing to execute or to record. The payer's signature is
 * not consumed.
 */
async function takeNothing({ deps, request }: Call): Promise<SettleOutcome> {
  const { authorization, chain, network, requirements } = request
  const { asset, amount } = requirements
  await deps.facilitator.holds?.end({ networkId: chain.networkId, asset, authorization })
  return { success: true, network, payer: authorization.from, asset, amount }
}

/** A wallet's payment that failed on-chain once is retried on request, after a pause. */
async function resumeIfHeld({ deps, request }: Call, payment: ClaimedPayment): Promise<void> {
  const isResumed = await guardDatabase(deps, (sql) => resumeHeld(sql, payment.id))
  if (isResumed) deps.wake([request.chain.networkId], { type: 'work_queued' })
}

async function claim(
  call: Call,
  { facts, terms, usedNonces }: Extract<Examined, { type: 'good' }>,
  isAgain: boolean,
): Promise<SettleOutcome> {
  const { deps, exchange, request } = call
  if (terms.deployment !== null) await spend(deps, exchange, PRICES.deployWallet)
  else if (facts.payerCodeHash !== null) await spend(deps, exchange, PRICES.settleWallet)
  const result = await deps.facilitator.claims.claim({
    ...paymentOf(call, { facts, terms }),
    balance: facts.balance,
    block: facts.blockNumber,
    usedNonces,
    isAlone: terms.isAlone,
  })
  if (result.type === 'claimed') {
    carryTrace(deps, exchange, result.paymentId)
    return awaitOutcome(call, result.paymentId, false)
  }
  if (result.type === 'too_many') return refusal(call, 'unexpected_settle_error', TOO_MANY)
  if (result.type === 'insufficient_funds') {
    // Other payments were claimed since the examination, and may be executed by now.
    return isAgain ? refusal(call, 'insufficient_funds') : settle(call, true)
  }
  // Another call claimed the same nonce first. With the same terms, its outcome applies here too.
  const { payment, endpoint } = await deps.facilitator.findTerms(termsQuery(request))
  if (payment === null) return refusal(call, 'unexpected_settle_error', NOTHING_BEGUN)
  return isSameClaim(request, payment, endpoint?.id ?? null)
    ? awaitOutcome(call, payment.id, true)
    : refusal(call, 'authorization_used')
}

const TOO_MANY =
  'too many payments of this payer are pending; nothing was started, try again when some are decided'

/** Records a transfer that another sender made with this authorization, once. */
async function acceptSettledByOthers(
  call: Call,
  { use, facts, terms }: Extract<Examined, { type: 'carried_out' }>,
): Promise<SettleOutcome> {
  const { deps, request } = call
  if (!hasConfirmations(use.block, facts.blockNumber, request.chain.x402Confirmations)) {
    return { ...refusal(call, 'settlement_pending'), transaction: use.txHash }
  }
  const payment = { ...paymentOf(call, { facts, terms }), claimedBlock: facts.blockNumber }
  const paymentId = await guardDatabase(deps, (sql) => bookPaidByOthers(sql, payment, use))
  return paymentId === null
    ? refusal(call, 'authorization_used')
    : awaitOutcome(call, paymentId, true)
}

/** The stored payment. */
function paymentOf(
  { deps: { config }, request: { authorization, chain, permit, requirements, scheme } }: Call,
  { facts, terms }: Pick<Extract<Examined, { type: 'good' }>, 'facts' | 'terms'>,
) {
  return {
    merchantId: terms.merchantId,
    endpointId: terms.endpointId,
    networkId: chain.networkId,
    asset: requirements.asset,
    authorization,
    permit:
      permit === null
        ? undefined
        : {
            scheme,
            amount: requirements.amount,
            nonce: permit.nonce,
            hub: config.hub,
            approval: terms.approval,
          },
    signature: terms.signature,
    deployment: terms.deployment,
    isWallet: facts.payerCodeHash !== null,
    payerCode: facts.payerCodeHash,
    feeOwed: terms.isDirect ? directFee(requirements.amount, config) : 0n,
  }
}

/** Waits until the payment is decided, or until there is a safe response for the caller. */
async function awaitOutcome(
  call: Call,
  paymentId: X402PaymentId,
  readsFirst: boolean,
): Promise<SettleOutcome> {
  const { deps, deadline, exchange, request } = call
  const { signal } = exchange.request
  const owner = crypto.randomUUID()
  const end = await untilEnd<PaymentOutcome>({
    ...{ signal, deadline, readsFirst },
    // A payment that this call claimed can't have been decided before the call began.
    since: exchange.startedAt,
    read: () => readOutcome(call, paymentId, owner),
    wait: (since, ms) => deps.facilitator.waitForDecision({ paymentId, since, ms, signal }),
    attempt: () => guardDatabase(deps, (sql) => newestAttempt(sql, paymentId)),
    withdraw: () => guardDatabase(deps, (sql) => withdraw(sql, paymentId)),
  })
  if (end.type === 'decided') return decided(call, end.outcome)
  if (end.type === 'withdrawn') return refusal(call, 'unexpected_settle_error', NOTHING_BEGUN)
  const { asset, amount } = request.requirements
  const { transaction } = end
  return { ...refusal(call, 'settlement_pending'), paymentId, transaction, asset, amount }
}

/** The outcome, with the lease on the success once no other call holds it. */
async function readOutcome(
  call: Call,
  paymentId: X402PaymentId,
  owner: string,
): Promise<PaymentOutcome | 'pending' | 'withdrawn'> {
  const { successes } = call.deps.facilitator
  for (;;) {
    // The success must not be granted to a caller that has disconnected.
    const isGone = call.exchange.request.signal.aborted
    const outcome = await successes.readOutcome({ paymentId, owner: isGone ? null : owner })
    if (outcome.isGranted) recordAnswer(call, paymentId, owner)
    const { status } = outcome
    if (status === 'pending' || status === 'withdrawn') return status
    const mayWait = isBeingAnswered(call, outcome) && performance.now() < call.deadline
    if (!mayWait) return outcome
    await Bun.sleep(ANSWERED_WITHIN_MS)
  }
}

/** Whether another call holds the lease on the success, which it uses or loses soon. */
function isBeingAnswered(call: Call, outcome: PaymentOutcome): boolean {
  const isHeld = outcome.status === 'settled' && outcome.answeredAt === null && !outcome.isGranted
  return isHeld && !call.exchange.request.signal.aborted
}

/** The success counts as sent once the response was written to a connected caller. */
function recordAnswer({ deps, exchange }: Call, paymentId: X402PaymentId, owner: string): void {
  exchange.onSent = () => {
    const wasWritten = !exchange.request.signal.aborted
    deps.facilitator.successes.endAnswer({ paymentId, owner, wasWritten })
  }
}

function decided(call: Call, outcome: PaymentOutcome): SettleOutcome {
  const { requirements, authorization, network } = call.request
  const { paymentId, txHash, settledAt, reason } = outcome
  if (outcome.status === 'failed' || txHash === null || settledAt === null) {
    const known = reason !== null && isReason(reason) ? reason : 'invalid_transaction_state'
    const message = known === 'unexpected_settle_error' ? NOTHING_BEGUN : undefined
    return { ...refusal(call, known, message), paymentId }
  }
  const facts = {
    paymentId,
    network,
    payer: authorization.from,
    asset: requirements.asset,
    amount: outcome.amount,
    transaction: txHash,
    settledAt,
  }
  return outcome.isGranted
    ? { success: true, ...facts }
    : { success: false, reason: 'duplicate_settlement', ...facts }
}

function refusal(
  { request }: Call,
  reason: Reason,
  message?: string,
): SettleOutcome & { success: false } {
  return {
    success: false,
    reason: reasonFor(request, reason),
    message,
    network: request.network,
    payer: request.authorization.from,
  }
}
