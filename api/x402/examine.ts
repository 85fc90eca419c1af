import { PRICES } from '../../core/access/costs.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Facts } from '../../core/x402/facts.ts'
import { heldTerms } from '../../core/x402/heldTerms.ts'
import {
  checkFacts,
  checkTime,
  findTermsProblem,
  isTooEarly,
  timingOf,
} from '../../core/x402/request/checks.ts'
import { unwrapErc6492 } from '../../core/x402/signature.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import { findWalletProblem, type WalletRefusal } from '../../core/x402/wallets.ts'
import type { ClaimedPayment, FoundTerms } from '../../store/x402/terms.ts'
import { spend } from '../http/budget.ts'
import type { Exchange } from '../http/exchange.ts'
import { checkSignature, isSignedByPayer, readAuthorization } from './authorizations.ts'
import { examineHeld, examineUse, isSameClaim, termsQuery } from './claimed.ts'
import { answerEcho } from './endpoints/echo.ts'
import { type Examined, refused, type Terms } from './examined.ts'
import type { Facilitator, FactsQuery, X402Dependencies } from './facilitator.ts'
import { readPermit } from './permits.ts'

/** Examines a payment: at most four requests to the node, whatever it is. */
export async function examine(
  deps: X402Dependencies,
  exchange: Exchange,
  request: PaymentRequest,
  keyMerchantId: MerchantId | null,
  purpose: 'verify' | 'settle',
): Promise<Examined> {
  const { facilitator } = deps
  const { authorization, chain } = request
  const found = await facilitator.findTerms(termsQuery(request))
  answerEcho(exchange, request, found.endpoint)
  const problem = findTermsProblem(request, {
    payee: found.payee,
    endpoint: found.endpoint,
    keyMerchantId,
    minAmount: chain.minX402Amount,
    hub: deps.config.hub,
    purpose,
  })
  if (problem !== null) return refused(problem.reason, problem.message)
  if (found.payee === null) throw new Error('payTo was accepted without its merchant')
  const wrapped = unwrapErc6492(request.signature)
  const signature = wrapped?.signature ?? request.signature
  const claimed = found.payment
  const endpointId = found.endpoint?.id ?? null
  if (claimed !== null && !isSameClaim(request, claimed, endpointId))
    return refused('authorization_used')
  // What failed for the merchant that had the address before is not taken up again for the one that has it now.
  if (claimed?.status === 'failed' && claimed.merchantId !== found.payee.merchantId)
    return refused('authorization_used')
  if (claimed !== null && claimed.status !== 'failed' && !claimed.isHeld) {
    return (await isSignedFor(facilitator, request, claimed))
      ? { type: 'claimed', payment: claimed, mayContinue: false }
      : refused('invalid_exact_evm_payload_signature')
  }

  const seconds = BigInt(Math.floor(deps.now().getTime() / 1000))
  const isSigned = await isSignedByPayer(facilitator, request, signature)
  const read =
    request.permit === null
      ? // Whoever signs with a key of its own has no wallet that is to be created.
        await readAuthorization(facilitator, request, signature, purpose, isSigned ? null : wrapped)
      : {
          ...(await readPermit(facilitator, request, request.permit, signature, {
            now: seconds,
            margin: timingOf(0n, seconds, chain.blockTimeMs).margin,
          })),
          deployment: null,
        }
  const { deployment } = read
  const { earliest, margin } = timingOf(read.facts.blockTime, seconds, chain.blockTimeMs)
  const facts = await triedInTime(facilitator, request, read, earliest)
  const unsigned = checkSignature(facts, isSigned, wrapped !== null)
  if (unsigned !== null) return refused(unsigned)
  const terms: Terms = {
    merchantId: found.payee.merchantId,
    isDirect: found.payee.isDirect,
    endpointId,
    isAlone: found.endpoint?.ownTransaction ?? false,
    signature,
    failedPaymentId: claimed?.id ?? null,
    deployment,
    approval: read.approval.ok ? read.approval.words : null,
  }
  if (facts.payerCodeHash !== null) await spend(deps, exchange, PRICES.tryWallet)
  if (claimed?.isHeld) return examineHeld(deps, exchange, request, facts, terms, claimed)
  if (facts.isUsed) return examineUse(deps, exchange, request, facts, terms, seconds)
  if (!read.approval.ok) return refused(read.approval.reason, read.approval.message)
  const late = checkTime(authorization, facts.blockTime, seconds, margin, earliest)
  if (late !== null) return refused(late)
  const wallet = walletProblem(deps, found, facts)
  if (wallet !== null) return refused(wallet.reason, wallet.message)
  const amount = amountTaken(request, purpose)
  const reason = checkFacts(request, facts, found.reserved, amount)
  const isOnHold = found.heldTerms === heldTerms(authorization)
  if (reason === null) return { type: 'good', facts, terms, usedNonces: [], isOnHold }
  const isReserved = reason === 'insufficient_funds' && facts.balance >= amount
  if (!isReserved) return refused(reason)
  await spend(deps, exchange, PRICES.readFunds)
  return examineFunds(facilitator, request, { facts, terms, isOnHold }, amount)
}

/**
 * The claim of an earlier call on the same terms, by the same payer, that has not failed; null for none. Asks no
 * node.
 */
export async function findClaim(
  facilitator: Facilitator,
  request: PaymentRequest,
): Promise<ClaimedPayment | null> {
  const { payment, endpoint } = await facilitator.findTerms(termsQuery(request))
  if (payment === null || payment.status === 'failed') return null
  if (!isSameClaim(request, payment, endpoint?.id ?? null)) return null
  return (await isSignedFor(facilitator, request, payment)) ? payment : null
}

/**
 * The facts, with the trial made again at the time of the earliest block where the newest one is too old for it: only
 * the trial shows whether the signature of a payer with code is good.
 */
async function triedInTime(
  facilitator: Facilitator,
  { authorization, chain }: PaymentRequest,
  {
    facts,
    query,
  }: Pick<Awaited<ReturnType<typeof readAuthorization>>, 'facts'> & {
    readonly query?: FactsQuery
  },
  earliest: bigint,
): Promise<Facts> {
  const isEarly = facts.trial.ok === false && isTooEarly(facts.trial.error)
  const isHelped = facts.payerCodeHash !== null && authorization.validAfter < earliest
  if (query === undefined || !isHelped || !isEarly) return facts
  const { trial } = await facilitator.readFactsAt(chain.networkId, query, earliest)
  return { ...facts, trial }
}

/** All but the signature is public once a payment is on-chain, so the signature must be right. */
async function isSignedFor(
  facilitator: Facilitator,
  request: PaymentRequest,
  claimed: ClaimedPayment,
): Promise<boolean> {
  const signature = unwrapErc6492(request.signature)?.signature ?? request.signature
  return claimed.signature === signature || isSignedByPayer(facilitator, request, signature)
}

function walletProblem(
  { config }: X402Dependencies,
  { endpoint, pausedUntil }: FoundTerms,
  { payerCodeHash }: Facts,
): WalletRefusal | null {
  return findWalletProblem({
    hasCode: payerCodeHash !== null,
    deploymentTakesThem: config.takesWallets,
    endpointTakesThem: endpoint?.acceptsWallets ?? true,
    pausedUntil,
  })
}

/** Reservations are in the way. Checks whether the chain has carried some of them out already. */
async function examineFunds(
  facilitator: Facilitator,
  request: PaymentRequest,
  good: Omit<Extract<Examined, { type: 'good' }>, 'type' | 'usedNonces'>,
  amount: bigint,
): Promise<Examined> {
  const { balance, block, reserved, usedNonces } = await facilitator.readFunds(request)
  const facts = { ...good.facts, balance, blockNumber: block }
  const reason = checkFacts(request, facts, reserved, amount)
  return reason === null ? { type: 'good', ...good, facts, usedNonces } : refused(reason)
}

/** What a payment takes of the balance: of `upto` it is known at settle, and the most before. */
function amountTaken(
  { authorization, requirements, scheme }: PaymentRequest,
  purpose: 'verify' | 'settle',
): bigint {
  return scheme === 'upto' && purpose === 'settle' ? requirements.amount : authorization.value
}
