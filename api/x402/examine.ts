import { type AuthorizationUse, findAuthorizationUse } from '../../chain/authorization/use.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { MerchantId, X402PaymentId } from '../../core/ids.ts'
import { checkFacts, checkTime, findTermsProblem } from '../../core/x402/checks.ts'
import { tokenDomain } from '../../core/x402/digest.ts'
import type { Facts } from '../../core/x402/facts.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import { parseSignature, unwrapErc6492 } from '../../core/x402/signature.ts'
import { type PaymentRequest, WALLET_GAS } from '../../core/x402/terms.ts'
import type { ClaimedPayment, TermsQuery } from '../../store/x402/terms.ts'
import type { Facilitator } from './facilitator.ts'

/** What verify and settle find out about a payment before either of them answers. */

export type Examined =
  | { readonly type: 'refused'; readonly reason: Reason; readonly message?: string | undefined }
  /** It was claimed before, by the same authorization. */
  | { readonly type: 'claimed'; readonly payment: ClaimedPayment }
  /** Somebody else has carried the authorization out, to the right address. */
  | {
      readonly type: 'carried_out'
      readonly use: PaidUse
      readonly facts: Facts
      readonly terms: Terms
    }
  | {
      readonly type: 'good'
      readonly facts: Facts
      readonly terms: Terms
      /** The nonces of the payer's pending payments that were used by the block of the facts. */
      readonly usedNonces: readonly Hex[]
    }

export type PaidUse = Extract<AuthorizationUse, { type: 'paid' }>

export interface Terms {
  readonly merchantId: MerchantId
  readonly isAlone: boolean
  /** What goes to the token: unwrapped, if it was wrapped according to ERC-6492. */
  readonly signature: Hex
  /** The failed payment by the same authorization, if there is one. */
  readonly failedPaymentId: X402PaymentId | null
}

/** The least time until validBefore, in addition to the chain's block time, in s. */
const MARGIN_S = 6n
/** How far back the use of an authorization is searched for. */
const LOOK_BACK_BLOCKS = 20_000n
/** How many times it is searched for, and the pause in between, in ms. */
const LOOKS = 4
const LOOK_AGAIN_MS = 250

/** Examines a payment, until the signal is aborted. */
export async function examine(
  facilitator: Facilitator,
  request: PaymentRequest,
  keyMerchantId: MerchantId | null,
  now: Date,
  purpose: 'verify' | 'settle',
  signal: AbortSignal,
): Promise<Examined> {
  const { authorization, chain, requirements } = request
  const found = await facilitator.findTerms(termsQuery(request))
  const problem = findTermsProblem(request, {
    forwarder: found.forwarder,
    endpoint: found.endpoint,
    keyMerchantId,
    minAmount: chain.minX402Amount,
  })
  if (problem !== null) return refused(problem.reason, problem.message)
  if (found.forwarder === null) throw new Error('payTo was accepted without its forwarder')
  const wrapped = unwrapErc6492(request.signature)
  const signature = wrapped?.signature ?? request.signature
  const claimed = found.payment
  if (claimed !== null && !isSameClaim(request, claimed)) return refused('authorization_used')
  if (claimed !== null && claimed.status !== 'failed') {
    // All but the signature is public once a payment is on-chain, so the signature must be right.
    const isSigned =
      claimed.signature === signature || (await isSignedByPayer(facilitator, request, signature))
    return isSigned
      ? { type: 'claimed', payment: claimed }
      : refused('invalid_exact_evm_payload_signature')
  }

  const [facts, isSigned] = await Promise.all([
    facilitator.readFacts(chain.networkId, {
      token: requirements.asset,
      authorization,
      signature,
      walletGas: WALLET_GAS,
      preparation: null,
      isTried: purpose === 'settle',
    }),
    isSignedByPayer(facilitator, request, signature),
  ])
  const unsigned = checkSignature(facts, isSigned, wrapped !== null)
  if (unsigned !== null) return refused(unsigned)
  const terms: Terms = {
    merchantId: found.forwarder.merchantId,
    isAlone: found.endpoint?.ownTransaction ?? false,
    signature,
    failedPaymentId: claimed?.id ?? null,
  }
  const seconds = BigInt(Math.floor(now.getTime() / 1000))
  if (facts.isUsed) return examineUse(facilitator, request, facts, terms, seconds, signal)
  const margin = MARGIN_S + BigInt(Math.ceil(chain.blockTimeMs / 1000))
  const late = checkTime(authorization, facts.blockTime, seconds, margin)
  if (late !== null) return refused(late)
  const reason = checkFacts(request, facts, found.reserved)
  if (reason === null) return { type: 'good', facts, terms, usedNonces: [] }
  const isReserved = reason === 'insufficient_funds' && facts.balance >= authorization.value
  return isReserved ? examineFunds(facilitator, request, facts, terms) : refused(reason)
}

/** Reservations are in the way. Checks whether the chain has carried some of them out already. */
async function examineFunds(
  facilitator: Facilitator,
  request: PaymentRequest,
  before: Facts,
  terms: Terms,
): Promise<Examined> {
  const { balance, block, reserved, usedNonces } = await facilitator.readFunds(request)
  const facts = { ...before, balance, blockNumber: block }
  const reason = checkFacts(request, facts, reserved)
  return reason === null ? { type: 'good', facts, terms, usedNonces } : refused(reason)
}

/** A used authorization is accepted if it paid what it should, and the call is in time. */
async function examineUse(
  facilitator: Facilitator,
  request: PaymentRequest,
  facts: Facts,
  terms: Terms,
  now: bigint,
  signal: AbortSignal,
): Promise<Examined> {
  const { authorization, chain, requirements } = request
  const { from: payer, nonce, validAfter, validBefore } = authorization
  const time = facts.blockTime > now ? facts.blockTime : now
  if (time >= validBefore) return refused('payment_expired')
  const blocks = ((facts.blockTime - validAfter) * 1000n) / BigInt(chain.blockTimeMs) + 64n
  const back = blocks < LOOK_BACK_BLOCKS && blocks > 0n ? blocks : LOOK_BACK_BLOCKS
  const from = facts.blockNumber > back ? facts.blockNumber - back : 0n
  const { rpc } = facilitator.client(chain.networkId)
  const { asset } = requirements
  const use = await findUse(() =>
    findAuthorizationUse(rpc, asset, { payer, nonce }, from, facts.blockNumber, signal),
  )
  if (use?.type === 'cancelled') return refused('authorization_cancelled')
  const isRight =
    use?.type === 'paid' && use.to === authorization.to && use.value === authorization.value
  return isRight ? { type: 'carried_out', use, facts, terms } : refused('authorization_used')
}

/**
 * A node that lags behind the one that reported the use can't find it yet. Only after several
 * searches is the authorization taken to have been used long ago.
 */
async function findUse(
  look: () => Promise<AuthorizationUse | null>,
): Promise<AuthorizationUse | null> {
  for (let left = LOOKS; ; left -= 1) {
    const use = await look()
    if (use !== null || left === 1) return use
    await Bun.sleep(LOOK_AGAIN_MS)
  }
}

/** For a payer with code the simulated transfer has checked the signature (ERC-1271). */
function checkSignature(facts: Facts, isSigned: boolean, isWrapped: boolean): Reason | null {
  if (facts.payerCodeSize > 0) return null
  if (isWrapped) return 'invalid_exact_evm_payload_undeployed_smart_wallet'
  return isSigned ? null : 'invalid_exact_evm_payload_signature'
}

/** Whether the payer's own key made the signature: EIP-3009 over EIP-712. */
async function isSignedByPayer(
  { signers }: Facilitator,
  { authorization, chain, requirements }: PaymentRequest,
  signature: Hex,
): Promise<boolean> {
  const parts = parseSignature(signature)
  const domain = tokenDomain(chain, requirements.asset)
  if (parts === null || domain === null) return false
  const signer = await signers.signerOf({ domain, authorization, signature: parts })
  return signer === authorization.from
}

/**
 * Whether a payment was claimed on the same terms: a payer can sign one nonce many times. A caller
 * with other terms learns nothing about the payment.
 */
export function isSameClaim(
  { authorization, requirements }: PaymentRequest,
  claim: ClaimedPayment,
): boolean {
  return (
    claim.payTo === authorization.to &&
    claim.amount === authorization.value &&
    claim.validAfter === authorization.validAfter &&
    claim.validBefore === authorization.validBefore &&
    claim.endpointId === requirements.endpointId
  )
}

export function termsQuery({ authorization, chain, requirements }: PaymentRequest): TermsQuery {
  return {
    networkId: chain.networkId,
    asset: requirements.asset,
    payer: authorization.from,
    authorizationNonce: authorization.nonce,
    payTo: requirements.payTo,
    endpointId: requirements.endpointId,
  }
}

function refused(reason: Reason, message?: string): Examined {
  return { type: 'refused', reason, message }
}
