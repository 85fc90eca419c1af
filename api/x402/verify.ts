import { PRICES } from '../../core/access/costs.ts'
import type { X402PaymentId } from '../../core/base/ids.ts'
import { heldTerms } from '../../core/x402/heldTerms.ts'
import type { VerifyOutcome } from '../../core/x402/request/answers.ts'
import { checkFacts, checkTime, findTermsProblem } from '../../core/x402/request/checks.ts'
import { reasonFor } from '../../core/x402/request/permitReasons.ts'
import { findWalletProblem } from '../../core/x402/wallets.ts'
import type { FoundTerms } from '../../store/x402/terms.ts'
import { spend } from '../http/budget.ts'
import { isOurFault } from '../http/errors.ts'
import { type Call, type Examined, type Refused, refused, type Terms } from './call.ts'
import { type ChainReading, readChain } from './chainReads.ts'
import { checkCarriedOut, checkClaim, termsQuery } from './claimed.ts'
import { answerEcho } from './endpoints/echo.ts'
import type { X402Dependencies } from './facilitator.ts'
import { screenPayers } from './screening.ts'
import { untilDeadline } from './waiting.ts'

/** Verify, in the order of its steps. Settle begins with the same examination (settle.ts). */

/** Returns whether a payment could be settled now, and reserves its amount if so. */
export async function verify(call: Call): Promise<VerifyOutcome> {
  const { deps, exchange, request } = call
  const payer = request.authorization.from
  try {
    const examined = await untilDeadline(call.deadline, () => examineAndHold(call))
    switch (examined.type) {
      case 'refused':
        return refusedBy(request, examined)
      case 'claimed':
        if (examined.obstacle !== null) return refusedBy(request, examined.obstacle)
        // A caller may repeat a payment if its success was never sent.
        return (await wasWritten(deps, examined.payment.id))
          ? { isValid: false, reason: 'duplicate_settlement', payer }
          : { isValid: true, payer }
      default:
        return { isValid: true, payer }
    }
  } catch (error) {
    if (isOurFault(error)) throw error
    exchange.about = { err: error }
    return { isValid: false, reason: 'unexpected_verify_error', payer }
  }
}

function refusedBy(request: Call['request'], refusal: Refused): VerifyOutcome {
  const payer = request.authorization.from
  return { isValid: false, payer, ...refusal, reason: reasonFor(request, refusal.reason) }
}

/**
 * Its signature was already checked, by key or by the wallet's contract: only the payer can reserve a balance.
 * Conflicting payments may have been executed since the balance was read, so a second read decides.
 */
async function examineAndHold(call: Call): Promise<Examined> {
  for (const isAgain of [false, true]) {
    const examined = await examine(call)
    if (examined.type !== 'good' || (await isHeld(call, examined))) return examined
    if (isAgain) break
  }
  return refused('insufficient_funds', HELD)
}

/**
 * Examines a payment in steps, with at most four requests to the node; the first deciding step ends it.
 */
export async function examine(call: Call): Promise<Examined> {
  const { deps, exchange, request } = call
  // The ledger: the merchant, the endpoint, and earlier claims.
  const found = await deps.facilitator.findTerms(termsQuery(request))
  answerEcho(exchange, request, found.endpoint)
  const known = checkTerms(call, found) ?? (await checkClaim(call, found))
  return known ?? examineOnChain(call, found)
}

/** The same for a payment whose terms are known to be right. */
export async function examineOnChain(call: Call, found: FoundTerms): Promise<Examined> {
  const { deps, exchange } = call
  // The chain.
  const read = await readChain(call)
  const unsigned = checkSignature(read)
  if (unsigned !== null) return unsigned
  if (read.facts.payerCodeHash !== null) await spend(deps, exchange, PRICES.tryWallet)
  const terms = termsOf(found, read)
  const wallet = checkWallet(call, read, found)
  const examined =
    (await checkCarriedOut(call, read, terms, found.payment, wallet)) ??
    checkApproval(read) ??
    checkValidity(call, read) ??
    wallet ??
    (await checkFunds(call, read, terms, found))

  // The screening of its payer, whose signature and balance are checked by now.
  return (await checkPayer(call, examined)) ?? examined
}

function checkTerms(call: Call, { payee, endpoint }: FoundTerms): Refused | null {
  const { deps, keyMerchantId, purpose, request } = call
  const { minX402Amount: minAmount } = request.chain
  const { hub } = deps.config
  const known = { payee, endpoint, keyMerchantId, minAmount, hub, purpose }
  const problem = findTermsProblem(request, known)
  return problem && refused(problem.reason, problem.message)
}

/** For a payer with code, the simulated transfer has checked the signature (ERC-1271). */
function checkSignature({ facts, isSigned, isWrapped }: ChainReading): Refused | null {
  if (facts.payerCodeHash !== null) return null
  if (isWrapped) return refused('invalid_exact_evm_payload_undeployed_smart_wallet')
  return isSigned ? null : refused('invalid_exact_evm_payload_signature')
}

function termsOf({ payee, endpoint, payment }: FoundTerms, read: ChainReading): Terms {
  if (payee === null) throw new Error('payTo was accepted without its merchant')
  return {
    merchantId: payee.merchantId,
    isDirect: payee.isDirect,
    endpointId: endpoint?.id ?? null,
    isAlone: endpoint?.ownTransaction ?? false,
    signature: read.signature,
    failedPaymentId: payment?.id ?? null,
    deployment: read.deployment,
    approval: read.approval.ok ? read.approval.words : null,
  }
}

function checkApproval({ approval }: ChainReading): Refused | null {
  return approval.ok ? null : refused(approval.reason, approval.message)
}

function checkValidity({ request }: Call, read: ChainReading): Refused | null {
  const { facts, now, margin, earliest } = read
  const late = checkTime(request.authorization, facts.blockTime, now, margin, earliest)
  return late && refused(late)
}

function checkWallet(
  { deps: { config } }: Call,
  { facts }: ChainReading,
  { endpoint, pausedUntil }: FoundTerms,
): Refused | null {
  const problem = findWalletProblem({
    hasCode: facts.payerCodeHash !== null,
    deploymentTakesThem: config.takesWallets,
    endpointTakesThem: endpoint?.acceptsWallets ?? true,
    pausedUntil,
  })
  return problem && refused(problem.reason, problem.message)
}

/** Whether the chain would execute it, given the reservations of the payer's other payments. */
async function checkFunds(
  { deps, exchange, purpose, request, freed = 0n }: Call,
  { facts }: ChainReading,
  terms: Terms,
  found: FoundTerms,
): Promise<Examined> {
  const { authorization, requirements, scheme } = request
  // For `upto`, settle knows the amount, verify only the maximum.
  const isLess = scheme === 'upto' && purpose === 'settle'
  const amount = isLess ? requirements.amount : authorization.value
  const isOnHold = found.heldTerms === heldTerms(authorization)
  const reason = checkFacts(request, facts, found.reserved - freed, amount)
  if (reason === null) return { type: 'good', facts, terms, usedNonces: [], isOnHold }
  if (reason !== 'insufficient_funds' || facts.balance < amount) return refused(reason)
  // Reservations exceed the balance, but the chain may have executed some of them already.
  await spend(deps, exchange, PRICES.readFunds)
  const { balance, block, reserved, usedNonces } = await deps.facilitator.readFunds(request)
  const newest = { ...facts, balance, blockNumber: block }
  const lack = checkFacts(request, newest, reserved - freed, amount)
  if (lack !== null) return refused(lack)
  return { type: 'good', facts: newest, terms, usedNonces, isOnHold }
}

async function checkPayer({ deps, purpose, request }: Call, examined: Examined) {
  if (examined.type !== 'good' && examined.type !== 'carried_out') return null
  const refusal = await screenPayers(deps, [request.authorization.from], purpose)
  return refusal && refused(refusal.reason, refusal.message)
}

async function isHeld(
  { deps: { facilitator }, request: { authorization, chain, requirements } }: Call,
  { facts, usedNonces, isOnHold }: Extract<Examined, { type: 'good' }>,
): Promise<boolean> {
  if (facilitator.holds === null || isOnHold) return true
  return facilitator.holds.hold({
    networkId: chain.networkId,
    asset: requirements.asset,
    authorization,
    balance: facts.balance,
    block: facts.blockNumber,
    usedNonces,
  })
}

const HELD =
  "the payer's balance is reserved for other payments that were verified or are being settled; try again in a minute"

/** Whether the success was sent, including successes that the database has not recorded yet. */
async function wasWritten(
  { facilitator }: X402Dependencies,
  paymentId: X402PaymentId,
): Promise<boolean> {
  const { answeredAt } = await facilitator.successes.readOutcome({ paymentId, owner: null })
  return answeredAt !== null
}
