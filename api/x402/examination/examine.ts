import type { AuthorizationUse } from '../../../chain/authorization/use.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { PRICES } from '../../../core/costs.ts'
import type { EndpointId, MerchantId, X402PaymentId } from '../../../core/ids.ts'
import { max } from '../../../core/integers.ts'
import { baseUnits } from '../../../core/money.ts'
import { codeToCome, type Deployment, listedFactory } from '../../../core/x402/payer/deployment.ts'
import {
  parseSignature,
  unwrapErc6492,
  type WrappedSignature,
} from '../../../core/x402/payer/signature.ts'
import { findWalletProblem, type WalletRefusal } from '../../../core/x402/payer/wallets.ts'
import { tokenDomain } from '../../../core/x402/payment/digest.ts'
import type { Facts } from '../../../core/x402/payment/facts.ts'
import { heldTerms } from '../../../core/x402/payment/heldTerms.ts'
import type { PaymentRequest } from '../../../core/x402/payment/terms.ts'
import { permitDigest } from '../../../core/x402/permit/signing.ts'
import type { Reason } from '../../../core/x402/reasons.ts'
import { checkFacts, checkTime, findTermsProblem } from '../../../core/x402/request/checks.ts'
import type { ClaimedPayment, FoundTerms, TermsQuery } from '../../../store/x402/claim/terms.ts'
import { spend } from '../../http/budget.ts'
import type { Exchange } from '../../http/exchange.ts'
import { answerEcho } from '../discovery/echo.ts'
import type { Facilitator, X402Dependencies } from '../facilitator/facilitator.ts'
import { APPROVAL_NOT_NEEDED, type ReadFacts, readPermit } from './permits.ts'

/** What verify and settle find out about a payment before either of them answers. */

export type Examined =
  | { readonly type: 'refused'; readonly reason: Reason; readonly message?: string | undefined }
  /** It was claimed before, by the same authorization. */
  | {
      readonly type: 'claimed'
      readonly payment: ClaimedPayment
      /** It is held, and nothing would stand in its way now. */
      readonly mayGoOn: boolean
    }
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
      /** A verify holds its amount already. */
      readonly isOnHold: boolean
    }

export type PaidUse = Extract<AuthorizationUse, { type: 'paid' }>

export interface Terms {
  readonly merchantId: MerchantId
  /** The merchant is paid at an address of its own. */
  readonly isDirect: boolean
  /** What is paid for: the endpoint that was named, or that of the resource. */
  readonly endpointId: EndpointId | null
  readonly isAlone: boolean
  /** What goes to the token: unwrapped, if it was wrapped according to ERC-6492. */
  readonly signature: Hex
  /** The failed payment by the same authorization, if there is one. */
  readonly failedPaymentId: X402PaymentId | null
  /** The call that creates the payer's code first (ERC-6492); null where there is some, or it needs none. */
  readonly deployment: Deployment | null
  /** The payer's approval of Permit2 that goes along, in the hub's words; null where none is needed. */
  readonly approval: Hex | null
}

/** The least time until validBefore, in addition to the chain's block time, in s. */
const MARGIN_S = 6n
/** Examines a payment: at most three requests to the node, whatever it is. */
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
  if (claimed !== null && claimed.status !== 'failed' && !claimed.isHeld) {
    // All but the signature is public once a payment is on-chain, so the signature must be right.
    const isSigned =
      claimed.signature === signature || (await isSignedByPayer(facilitator, request, signature))
    return isSigned
      ? { type: 'claimed', payment: claimed, mayGoOn: false }
      : refused('invalid_exact_evm_payload_signature')
  }

  const seconds = BigInt(Math.floor(deps.now().getTime() / 1000))
  const isSigned = await isSignedByPayer(facilitator, request, signature)
  const read =
    request.permit === null
      ? // Whoever signs with a key of its own has no wallet that is to be created.
        await readAuthorization(facilitator, request, signature, purpose, isSigned ? null : wrapped)
      : {
          ...(await readPermit(facilitator, request, request.permit, signature, seconds)),
          deployment: null,
        }
  const { facts, deployment } = read
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
  const margin = MARGIN_S + BigInt(Math.ceil(chain.blockTimeMs / 1000))
  const late = checkTime(authorization, facts.blockTime, seconds, margin)
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
 * A payment that is held is not claimed anew, and has not failed either: the chain may have carried it
 * out by now, or would do so, or it waits on.
 */
async function examineHeld(
  deps: X402Dependencies,
  exchange: Exchange,
  request: PaymentRequest,
  facts: Facts,
  terms: Terms,
  payment: ClaimedPayment,
): Promise<Examined> {
  const held = { type: 'claimed', payment, mayGoOn: false } as const
  // What it has itself promised is no obstacle to it.
  if (!facts.isUsed) {
    return { ...held, mayGoOn: checkFacts(request, facts, 0n, payment.amount) === null }
  }
  const now = BigInt(Math.floor(deps.now().getTime() / 1000))
  const used = await examineUse(deps, exchange, request, facts, terms, now)
  return used.type === 'carried_out' ? used : held
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

/**
 * A used authorization is accepted if it paid what it should, and the call is in time. One look decides,
 * as far back as it reaches. Nothing is recorded of what it doesn't find: a later call looks again, and a
 * payment that was claimed is found by the chain's actor, which searches all blocks since the claim.
 */
async function examineUse(
  deps: X402Dependencies,
  exchange: Exchange,
  request: PaymentRequest,
  facts: Facts,
  terms: Terms,
  now: bigint,
): Promise<Examined> {
  const { authorization, chain, requirements } = request
  const { from: payer, nonce, validAfter, validBefore } = authorization
  const time = facts.blockTime > now ? facts.blockTime : now
  if (time >= validBefore) return refused('payment_expired')
  // Permit2 logs nothing. What was claimed is followed by the chain's actor; of anything else nobody tells.
  if (request.permit !== null) return refused('authorization_used')
  // Before it was valid it can't have been carried out.
  const blocks = ((facts.blockTime - validAfter) * 1000n) / BigInt(chain.blockTimeMs) + 64n
  const fromBlock = max(facts.blockNumber - max(blocks, 0n), 0n)
  const query = { token: requirements.asset, payer, nonce, fromBlock, head: facts.blockNumber }
  const looks = deps.facilitator.useLooks(chain.networkId)
  if (looks.known(query) === undefined) await spend(deps, exchange, PRICES.lookForUse)
  const use = await looks.look(query)
  if (use?.type === 'cancelled') return refused('authorization_cancelled')
  const isRight =
    use?.type === 'paid' && use.to === authorization.to && use.value === authorization.value
  return isRight ? { type: 'carried_out', use, facts, terms } : refused('authorization_used')
}

/** For a payer with code the simulated transfer has checked the signature (ERC-1271). */
function checkSignature(facts: Facts, isSigned: boolean, isWrapped: boolean): Reason | null {
  if (facts.payerCodeHash !== null) return null
  if (isWrapped) return 'invalid_exact_evm_payload_undeployed_smart_wallet'
  return isSigned ? null : 'invalid_exact_evm_payload_signature'
}

/**
 * What the chain says, with the creation of the payer's code before the trial where a listed factory is to do that
 * and there is none. Such a payer is treated as one with code in all that follows.
 */
async function readAuthorization(
  { isFactory, readFacts }: Facilitator,
  { authorization, chain, requirements }: PaymentRequest,
  signature: Hex,
  purpose: 'verify' | 'settle',
  wrapped: WrappedSignature | null,
): Promise<ReadFacts & { readonly deployment: Deployment | null }> {
  const listed = wrapped && listedFactory(chain.walletFactories, wrapped)
  const factory = listed && (await isFactory(chain.networkId, listed)) ? listed : null
  const deployment =
    wrapped && factory ? { factory: factory.address, data: wrapped.factoryCalldata } : null
  const facts = await readFacts(chain.networkId, {
    token: requirements.asset,
    authorization,
    signature,
    walletGas: chain.gas.walletAuthorization,
    preparation: deployment && { to: deployment.factory, data: deployment.data },
    isTried: purpose === 'settle',
  })
  const read = { approval: APPROVAL_NOT_NEEDED }
  if (factory === null || facts.payerCodeHash !== null) return { ...read, facts, deployment: null }
  return { ...read, facts: { ...facts, payerCodeHash: codeToCome(factory) }, deployment }
}

/** What a payment takes of the balance: of `upto` it is known at settle, and the most before. */
function amountTaken(
  { authorization, requirements, scheme }: PaymentRequest,
  purpose: 'verify' | 'settle',
): bigint {
  return scheme === 'upto' && purpose === 'settle' ? requirements.amount : authorization.value
}

/** Whether the payer's own key made the signature, over EIP-712: EIP-3009, or for Permit2. */
async function isSignedByPayer(
  { signers }: Facilitator,
  { authorization, chain, permit, requirements, scheme }: PaymentRequest,
  signature: Hex,
): Promise<boolean> {
  const parts = parseSignature(signature)
  if (parts === null) return false
  if (permit !== null) {
    const digest = permitDigest(chain.chainId, scheme, authorization, permit)
    return (await signers.signerOf({ digest, signature: parts })) === authorization.from
  }
  const domain = tokenDomain(chain, requirements.asset)
  if (domain === null) return false
  const signer = await signers.signerOf({ domain, authorization, signature: parts })
  return signer === authorization.from
}

/**
 * Whether a payment was claimed on the same terms: a payer can sign one nonce many times. A caller
 * with other terms learns nothing about the payment.
 */
export function isSameClaim(
  { authorization, permit, scheme }: PaymentRequest,
  claim: ClaimedPayment,
  endpointId: EndpointId | null,
): boolean {
  return (
    claim.payTo === authorization.to &&
    claim.scheme === scheme &&
    (claim.permitted === null) === (permit === null) &&
    (claim.permitted ?? claim.amount) === authorization.value &&
    claim.validAfter === authorization.validAfter &&
    claim.validBefore === authorization.validBefore &&
    claim.endpointId === endpointId
  )
}

export function termsQuery({
  authorization,
  chain,
  requirements,
  resource,
  scheme,
}: PaymentRequest): TermsQuery {
  return {
    networkId: chain.networkId,
    asset: requirements.asset,
    payer: authorization.from,
    authorizationNonce: authorization.nonce,
    payTo: requirements.payTo,
    endpointId: requirements.endpointId,
    // The price of an `upto` payment is the most that may be paid.
    amount: scheme === 'upto' ? baseUnits(authorization.value) : requirements.amount,
    resource,
  }
}

function refused(reason: Reason, message?: string): Examined {
  return { type: 'refused', reason, message }
}
