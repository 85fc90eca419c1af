import { PRICES } from '../../core/access/costs.ts'
import type { X402PaymentId } from '../../core/base/ids.ts'
import { baseUnits, sum } from '../../core/base/money.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import {
  costOfSignature,
  findSignatureProblem,
  type InvoiceAuthorization,
  isWorthGas,
  SIGNATURE_S,
  type SignatureMethod,
  type SignatureRefusal,
  signableToken,
} from '../../core/invoice/signature.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import { unwrapErc6492 } from '../../core/x402/signature.ts'
import type { Authorization, PaymentRequest } from '../../core/x402/terms.ts'
import {
  besides,
  claimForInvoice,
  findAuthorization,
  readAuthorization,
  readAuthorizations,
} from '../../store/x402/invoiceClaims.ts'
import { withdraw } from '../../store/x402/outcomes.ts'
import type { FoundTerms } from '../../store/x402/terms.ts'
import { guardDatabase } from '../http/backends.ts'
import { spend } from '../http/budget.ts'
import { networksOfExchange } from '../http/clientAddress.ts'
import { isOurFault } from '../http/errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Call, type Examined, refused } from './call.ts'
import { isSignedByPayer } from './chainReads.ts'
import { termsQuery } from './claimed.ts'
import type { X402Dependencies } from './facilitator.ts'
import { examineOnChain } from './verify.ts'
import { type End, NOTHING_BEGUN, untilDeadline, untilEnd } from './waiting.ts'

/**
 * An invoice paid by a signature: examined as verify examines an x402 payment, then claimed. The transfer to the deposit
 * address is an ordinary payment of the ledger; the facilitator's own verify and settle refuse that address.
 */

export interface InvoicePayment {
  readonly deps: X402Dependencies
  readonly exchange: Exchange
  /** As it was read just now; it is read again under its lock. */
  readonly invoice: Invoice
  readonly chain: ActiveChain
  readonly method: SignatureMethod
  readonly authorization: Authorization
  /** In lower case. */
  readonly signature: Hex
  /** By performance.now(). */
  readonly deadline: number
}

export type InvoicePaymentResult =
  /** A relayer carries it out, or has done so: `awaitInvoicePayment` tells. */
  | { readonly type: 'claimed'; readonly id: X402PaymentId; readonly isNew: boolean }
  /** The chain shows it already, in a transaction of another sender, which the ledger counts. */
  | { readonly type: 'paid'; readonly transaction: Hex }
  /** Nothing was begun. */
  | {
      readonly type: 'refused'
      readonly reason: SignatureRefusal | Reason
      readonly message?: string | undefined
    }

/** Claims an authorization for an invoice; the same one again continues. */
export async function payInvoice(payment: InvoicePayment): Promise<InvoicePaymentResult> {
  const { invoice, authorization } = payment
  const request = requestOf(payment)
  if (request === null) return { type: 'refused', reason: 'not_offered' }
  if (authorization.to !== invoice.depositAddress) {
    return { type: 'refused', reason: 'invalid_exact_evm_payload_recipient_mismatch' }
  }
  const known = await repeated(payment, request)
  if (known !== null) return known
  const result = await payOnce(payment, request)
  // Another call may have claimed the same one in the meantime: its outcome applies here too.
  const isRaced = result.type === 'refused' && RACED.includes(result.reason)
  return isRaced ? ((await repeated(payment, request)) ?? result) : result
}

/** Why an authorization is refused that was claimed a moment ago. */
const RACED: readonly string[] = ['in_flight', 'not_payable', 'authorization_used']

async function payOnce(
  payment: InvoicePayment,
  request: PaymentRequest,
): Promise<InvoicePaymentResult> {
  const { deps, exchange, invoice, chain, authorization } = payment
  const others = await guardDatabase(deps, (sql) => readAuthorizations(sql, [invoice.id]))
  const { others: claimed, own } = besides(others, payment)
  const problem = findSignatureProblem(invoice, claimed, authorization, deps.now())
  if (problem !== null) return { type: 'refused', reason: problem }
  await spend(deps, exchange, PRICES.trySignature)
  // What it replaces, if that was not sent yet, doesn't lessen what the payer has.
  const replaced = others.filter(({ id, networkId }) => {
    return own.includes(id) && networkId === chain.networkId
  })
  const freed = sum(replaced.map(({ amount }) => amount))
  const examine = () => examineAndClaim(payment, request, freed)
  const first = await examine()
  // Other payments were claimed since the examination, and may be carried out by now.
  const isLate = first.type === 'refused' && first.reason === 'insufficient_funds'
  return isLate ? examine() : first
}

/** Null where the invoice can't be paid by signature on this chain. */
function requestOf(payment: InvoicePayment): PaymentRequest | null {
  const { invoice, chain, authorization, signature } = payment
  const token = signableToken(chain, invoice)
  if (token === null || !isWorthGas(chain, authorization.value, token.decimals)) return null
  return {
    ...{ dialect: 'remit', network: chain.caip2, chain, scheme: 'exact', permit: null },
    ...{ authorization, signature, resource: null, echo: null },
    requirements: {
      amount: baseUnits(authorization.value),
      asset: token.address,
      payTo: invoice.depositAddress,
      maxTimeoutSeconds: SIGNATURE_S,
      ...{ name: null, version: null, merchantId: invoice.merchantId, endpointId: null },
    },
  }
}

/**
 * What was claimed before by this authorization; null if nothing, or if it has failed. Everything but the signature is
 * public once it is on-chain, so the signature must match as well.
 */
async function repeated(
  { deps, invoice, chain, authorization }: InvoicePayment,
  request: PaymentRequest,
): Promise<InvoicePaymentResult | null> {
  const { asset } = request.requirements
  const known = await guardDatabase(deps, (sql) =>
    findAuthorization(sql, chain.networkId, asset, authorization),
  )
  if (known === null || known.status === 'failed') return null
  const signature = unwrapErc6492(request.signature)?.signature ?? request.signature
  const isSame =
    known.invoiceId === invoice.id &&
    known.status !== 'replaced' &&
    known.amount === authorization.value &&
    known.validAfter === authorization.validAfter &&
    known.validBefore === authorization.validBefore &&
    (known.signature === signature || (await isSignedByPayer(deps.facilitator, request, signature)))
  return isSame
    ? { type: 'claimed', id: known.id, isNew: false }
    : { type: 'refused', reason: 'authorization_used' }
}

async function examineAndClaim(
  payment: InvoicePayment,
  request: PaymentRequest,
  freed: bigint,
): Promise<InvoicePaymentResult> {
  const { deps, exchange, invoice, deadline } = payment
  const call: Call = {
    ...{ purpose: 'settle', deps, exchange, request, deadline, freed },
    keyMerchantId: null,
  }
  const { facilitator } = deps
  const found = await facilitator.findTerms(termsQuery(request))
  if (found.payment !== null && found.payment.status !== 'failed') {
    return { type: 'refused', reason: 'authorization_used' }
  }
  const payee = { merchantId: invoice.merchantId, isDirect: true }
  const terms = { ...found, payee, endpoint: null, payment: null }
  const examined = await tryUntil(deadline, call, terms)
  switch (examined.type) {
    case 'refused':
      return examined
    case 'carried_out':
      return { type: 'paid', transaction: examined.use.txHash }
    case 'claimed':
      return { type: 'refused', reason: 'authorization_used' }
    case 'good':
      return claim(payment, request, examined)
  }
}

/** Nothing is claimed if no node answers in time, so the payer may safely try again. */
async function tryUntil(deadline: number, call: Call, terms: FoundTerms): Promise<Examined> {
  try {
    return await untilDeadline(deadline, () => examineOnChain(call, terms))
  } catch (error) {
    if (isOurFault(error)) throw error
    call.exchange.about = { err: error }
    return refused('unexpected_settle_error', NOTHING_BEGUN)
  }
}

async function claim(
  { deps, exchange, invoice, method }: InvoicePayment,
  { authorization, chain, requirements }: PaymentRequest,
  { facts, terms, usedNonces }: Extract<Examined, { type: 'good' }>,
): Promise<InvoicePaymentResult> {
  const { config } = deps
  const isWallet = facts.payerCodeHash !== null
  const isNew = terms.deployment !== null
  if (isNew) await spend(deps, exchange, PRICES.deployWallet)
  else if (isWallet) await spend(deps, exchange, PRICES.settleWallet)
  const names = await deps.checkout.names()
  const { claimsPerPayer, gaslessPerMerchant, gaslessUnpaidPerClient } = config.limits
  const result = await guardDatabase(deps, (sql) =>
    claimForInvoice(
      sql,
      {
        ...{ invoiceId: invoice.id, method, networkId: chain.networkId, authorization, usedNonces },
        ...{ asset: requirements.asset, isWallet, payerCode: facts.payerCodeHash },
        ...{ signature: terms.signature, deployment: terms.deployment },
        ...{ balance: facts.balance, block: facts.blockNumber },
        gasCost: costOfSignature(chain, isNew ? 'new_wallet' : isWallet ? 'wallet' : 'key'),
        networkTags: networksOfExchange(deps, exchange).map(names.ofNetwork),
      },
      {
        claimsPerPayer,
        gasPerMerchant: gaslessPerMerchant,
        unpaidPerClient: gaslessUnpaidPerClient,
      },
      deps.now(),
    ),
  )
  if (result.type === 'refused') return result
  deps.wake([chain.networkId], { type: 'work_waiting' })
  return { type: 'claimed', id: result.id, isNew: true }
}

/**
 * Waits until a claimed authorization is decided, or the deadline passes; one for which nothing was signed by then is
 * withdrawn, as in settle.
 */
export function awaitInvoicePayment(
  { deps, exchange, deadline }: Pick<InvoicePayment, 'deps' | 'exchange' | 'deadline'>,
  id: X402PaymentId,
  readsFirst: boolean,
): Promise<End<InvoiceAuthorization>> {
  const { signal } = exchange.request
  const read = () => guardDatabase(deps, (sql) => readAuthorization(sql, id))
  return untilEnd<InvoiceAuthorization>({
    ...{ signal, deadline, readsFirst, since: exchange.startedAt },
    async read() {
      const known = await read()
      if (known === null || known.status === 'replaced') return 'withdrawn'
      return known.status === 'pending' ? 'pending' : known
    },
    wait: (since, ms) => deps.facilitator.waitForDecision({ paymentId: id, since, ms, signal }),
    attempt: async () => (await read())?.transaction ?? null,
    withdraw: () => guardDatabase(deps, (sql) => withdraw(sql, id)),
  })
}
