import type { MerchantId } from '../../base/ids.ts'
import { max } from '../../base/integers.ts'
import type { BaseUnits } from '../../base/money.ts'
import type { Address } from '../../chain/evm.ts'
import { tokenDomain } from '../digest.ts'
import type { X402Endpoint } from '../endpoint.ts'
import type { Facts } from '../facts.ts'
import type { Reason } from '../reasons.ts'
import type { Authorization, PaymentRequest } from '../terms.ts'
import { findPermitProblem } from './permitChecks.ts'
import { reasonFor } from './permitReasons.ts'

/** Whether a payment may be carried out: small checks, each with its own reason, in a fixed order. */

/** Why a request is refused: a code for programs and a sentence for developers. */
export interface Problem {
  readonly reason: Reason
  readonly message: string
}

/** What the ledger knows about a request. */
export interface KnownTerms {
  /** Whom `payTo` pays, by a forwarder or at its own address; null when it is unknown. */
  readonly payee: { readonly merchantId: MerchantId } | null
  /** The endpoint that the requirements name, or that of the resource; null when there is none. */
  readonly endpoint:
    | (Pick<X402Endpoint, 'id' | 'merchantId' | 'networkId' | 'asset' | 'amount' | 'active'> & {
        /** The amount was its price until a moment ago, and is payable still. */
        readonly isFormerPrice: boolean
      })
    | null
  /** Whose key came with the request; null without one. */
  readonly keyMerchantId: MerchantId | null
  /** The least payment on this chain, in base units. */
  readonly minAmount: BaseUnits
  /** The deployment's. */
  readonly hub: Address
  /** What only a settle request states: how much of an `upto` payment is to be paid. */
  readonly purpose: 'verify' | 'settle'
}

type TermsCheck = (request: PaymentRequest, known: KnownTerms) => Problem | null

const TERMS_CHECKS: readonly TermsCheck[] = [
  assetIsAccepted,
  domainIsTheTokens,
  payToIsKnown,
  merchantOwnsPayTo,
  keyOwnsPayTo,
  requirementsMatchEndpoint,
  (request, { hub }) => findPermitProblem(request, hub),
  recipientIsPayTo,
  valueIsTheAmount,
  merchantReducesTheAmount,
  amountIsWorthSettling,
]

/** The first thing wrong with the terms of a payment, or null when they are in order. */
export function findTermsProblem(request: PaymentRequest, known: KnownTerms): Problem | null {
  for (const check of TERMS_CHECKS) {
    const problem = check(request, known)
    if (problem !== null) return problem
  }
  return null
}

function assetIsAccepted({ chain, permit, requirements }: PaymentRequest): Problem | null {
  if (tokenDomain(chain, requirements.asset) !== null) return null
  const tokens = chain.tokens.map(({ address }) => address)
  if (permit !== null) {
    if (tokens.includes(requirements.asset)) return null
    return unacceptable(
      `asset ${requirements.asset} is none of ${chain.networkId}: ${tokens.join(', ')}`,
    )
  }
  const payable = chain.tokens.filter(({ address }) => tokenDomain(chain, address) !== null)
  const names = payable.map(({ symbol }) => symbol).join(' or ')
  return unacceptable(`asset ${requirements.asset} is not the ${names} of ${chain.networkId}`)
}

/** A payer who was given another domain has signed something that the token doesn't accept. */
function domainIsTheTokens({ chain, permit, requirements }: PaymentRequest): Problem | null {
  const domain = tokenDomain(chain, requirements.asset)
  const { name, version } = requirements
  // What Permit2 is given is signed in a domain of Permit2's.
  if (domain === null && permit !== null) return null
  if (name !== null && name !== domain?.name) {
    return unacceptable(`extra.name must be the token's EIP-712 name, "${domain?.name}"`)
  }
  if (version !== null && version !== domain?.version) {
    return unacceptable(`extra.version must be the token's EIP-712 version, "${domain?.version}"`)
  }
  return null
}

function payToIsKnown({ requirements }: PaymentRequest, known: KnownTerms): Problem | null {
  return known.payee === null ? notRegistered(requirements.payTo) : null
}

/** Why nothing is paid to an address that no merchant has registered. */
export function notRegistered(payTo: Address): Problem {
  return {
    reason: 'pay_to_not_registered',
    message: `payTo ${payTo} is no merchant's forwarder, and is not registered as an address of its own: register it by POST /v1/x402/addresses/${payTo}`,
  }
}

function merchantOwnsPayTo({ requirements }: PaymentRequest, known: KnownTerms): Problem | null {
  const { merchantId } = requirements
  if (merchantId === null || merchantId === known.payee?.merchantId) return null
  return unacceptable('payTo is not of the merchant in extra.merchantId')
}

function keyOwnsPayTo(_: PaymentRequest, { keyMerchantId, payee }: KnownTerms): Problem | null {
  if (keyMerchantId === null || keyMerchantId === payee?.merchantId) return null
  return unacceptable('payTo is not of the merchant whose key was sent')
}

/** Without an endpoint `payTo` alone names the payee, so that stock x402 middleware works. */
function requirementsMatchEndpoint(
  { authorization, chain, requirements, scheme }: PaymentRequest,
  { endpoint, payee }: KnownTerms,
): Problem | null {
  if (requirements.endpointId === null) return null
  if (endpoint === null || endpoint.id !== requirements.endpointId) {
    return unacceptable('extra.endpointId names no endpoint')
  }
  if (endpoint.merchantId !== payee?.merchantId) {
    return unacceptable('payTo is not of the merchant of extra.endpointId')
  }
  if (!endpoint.active) return unacceptable('the endpoint in extra.endpointId is not active')
  if (endpoint.networkId !== chain.networkId) {
    return unacceptable(`the endpoint requires a payment on ${endpoint.networkId}`)
  }
  if (endpoint.asset !== requirements.asset) {
    return unacceptable(`the endpoint requires a payment in ${endpoint.asset}`)
  }
  // Its price is its maximum.
  const amount = scheme === 'upto' ? authorization.value : requirements.amount
  if (endpoint.amount !== amount && !endpoint.isFormerPrice) {
    return unacceptable(`the endpoint requires ${endpoint.amount} base units`)
  }
  return null
}

function amountIsWorthSettling(
  { chain, requirements, scheme }: PaymentRequest,
  { minAmount, purpose }: KnownTerms,
): Problem | null {
  const isNothing = scheme === 'upto' && purpose === 'settle' && requirements.amount === 0n
  if (requirements.amount >= minAmount || isNothing) return null
  return unacceptable(`the least payment on ${chain.networkId} is ${minAmount} base units`)
}

function recipientIsPayTo({ authorization, permit, requirements }: PaymentRequest): Problem | null {
  if (authorization.to === requirements.payTo) return null
  return {
    reason: reasonFor({ permit }, 'invalid_exact_evm_payload_recipient_mismatch'),
    message: `the authorization pays ${authorization.to}, not payTo ${requirements.payTo}`,
  }
}

/** All that was signed for is the price; of `upto`, the merchant's server names the amount due at settle. */
function valueIsTheAmount(
  { authorization, permit, requirements: { amount }, scheme }: PaymentRequest,
  { purpose }: KnownTerms,
): Problem | null {
  const { value } = authorization
  if (scheme === 'upto' && purpose === 'settle' && value > 0n) {
    if (amount <= value) return null
    return {
      reason: 'invalid_upto_evm_payload_settlement_exceeds_amount',
      message: `the payer has signed for at most ${value} base units, and ${amount} are to be settled`,
    }
  }
  if (value === amount && value > 0n) return null
  return {
    reason: reasonFor({ permit }, 'invalid_exact_evm_payload_authorization_value_mismatch'),
    message: `the authorization is over ${value} base units, the price is ${amount}`,
  }
}

/**
 * Only the merchant may settle less than the maximum: the payer has all that settle needs,
 * and would name the least payment.
 */
function merchantReducesTheAmount(
  { authorization: { value }, requirements: { amount }, scheme }: PaymentRequest,
  { keyMerchantId, purpose }: KnownTerms,
): Problem | null {
  if (scheme !== 'upto' || purpose !== 'settle' || keyMerchantId !== null) return null
  if (amount === value) return null
  return {
    reason: 'upto_key_required',
    message: `${amount} of ${value} base units are to be settled: less than the maximum needs the merchant's secret key, as the header X-Service-Key`,
  }
}

function unacceptable(message: string): Problem {
  return { reason: 'invalid_payment_requirements', message }
}

/** The time that a transaction may take to get into a block, in addition to the chain's block time, in s. */
const MARGIN_S = 6n

/** When a payment would be carried out, in Unix seconds. */
export interface Timing {
  /** Of the earliest block that can carry it: the next one, which is made after what is known by now. */
  readonly earliest: bigint
  /** How much must be left before an authorization ends, in s. */
  readonly margin: bigint
}

/** `blockTime` is that of the newest block, `now` the clock's, both in Unix seconds. */
export function timingOf(blockTime: bigint, now: bigint, blockTimeMs: number): Timing {
  const [atLeast, atMost] = [Math.floor(blockTimeMs / 1000), Math.ceil(blockTimeMs / 1000)]
  return {
    earliest: max(blockTime + max(BigInt(atLeast), 1n), now + 1n),
    margin: MARGIN_S + BigInt(atMost),
  }
}

/**
 * Whether an authorization can still be carried out in time: the token wants a block time strictly above
 * validAfter and strictly below validBefore (EIP-3009), and the transaction takes `marginSeconds` to
 * get there. All times are Unix seconds; for a chain that was idle, the clock's time counts. `earliest` is the
 * time of the first block that can carry it.
 */
export function checkTime(
  { validAfter, validBefore }: Authorization,
  blockTime: bigint,
  now: bigint,
  marginSeconds: bigint,
  earliest: bigint = max(blockTime, now),
): Reason | null {
  const time = blockTime > now ? blockTime : now
  if (time >= validBefore) return 'payment_expired'
  if (earliest <= validAfter) return 'invalid_exact_evm_payload_authorization_valid_after'
  if (validBefore - time < marginSeconds) {
    return 'invalid_exact_evm_payload_authorization_valid_before'
  }
  return null
}

/**
 * Why the chain would not carry out a payment; `reserved` of the balance is taken, in base units. The payer
 * must have all that was signed for, unless it is known that less is to be paid.
 */
export function checkFacts(
  { authorization }: Pick<PaymentRequest, 'authorization'>,
  facts: Facts,
  reserved: bigint,
  amount: bigint = authorization.value,
): Reason | null {
  if (!facts.tokenHasCode) return 'asset_not_deployed'
  if (facts.isUsed) return 'authorization_used'
  if (facts.isPaused === true) return 'token_paused'
  if (facts.isPayerBlacklisted === true) return 'payer_blacklisted'
  if (facts.isPayeeBlacklisted === true) return 'payee_blacklisted'
  if (facts.balance - reserved < amount) return 'insufficient_funds'
  return checkTrial(facts)
}

/** Whether a trial failed only because the block that it was made after is too old. */
export function isTooEarly(error: string): boolean {
  return reasonOfRevert(error) === TOO_EARLY
}

function checkTrial({ trial, payerCodeHash }: Facts): Reason | null {
  if (trial.ok !== false) return null
  const reason = reasonOfRevert(trial.error)
  const isWallet = payerCodeHash !== null
  // A trial runs at the time of the last block, which on a quiet chain is long ago; checkTime knows
  // better. Only a wallet's signature is still unknown then, since the token checks the time first.
  if (reason === TOO_EARLY && !isWallet) return null
  if (reason !== null) return reason
  return isWallet ? 'invalid_exact_evm_payload_signature' : 'invalid_transaction_state'
}

const TOO_EARLY = 'invalid_exact_evm_payload_authorization_valid_after'

/** Reverts of Circle's FiatToken, v2.2, and of the library with which it recovers signers. */
const REVERTS: readonly (readonly [text: string, reason: Reason])[] = [
  ['FiatTokenV2: authorization is used or canceled', 'authorization_used'],
  ['FiatTokenV2: authorization is not yet valid', TOO_EARLY],
  ['FiatTokenV2: authorization is expired', 'payment_expired'],
  ['FiatTokenV2: invalid signature', 'invalid_exact_evm_payload_signature'],
  ['ECRecover: invalid signature', 'invalid_exact_evm_payload_signature'],
  ['Blacklistable: account is blacklisted', 'payer_blacklisted'],
  ['FiatTokenV2_2: Account is blacklisted', 'payer_blacklisted'],
  ['Pausable: paused', 'token_paused'],
  ['ERC20: transfer amount exceeds balance', 'insufficient_funds'],
]

/** The reason behind the text with which the token reverted; null for a text that isn't the token's. */
export function reasonOfRevert(text: string): Reason | null {
  return REVERTS.find(([known]) => text.includes(known))?.[1] ?? null
}
