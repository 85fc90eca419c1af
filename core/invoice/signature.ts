import type { InvoiceId, X402PaymentId } from '../base/ids.ts'
import { max, min } from '../base/integers.ts'
import { type BaseUnits, baseUnits, sum } from '../base/money.ts'
import type { Address, Hex } from '../chain/evm.ts'
import { WALLET_DEPLOYMENT_GAS } from '../chain/gas.ts'
import { type Chain, tokenOn } from '../chain/registry.ts'
import type { TokenOnChain } from '../chain/tokens.ts'
import { amountMissing } from './amounts.ts'
import { deadline, type Invoice } from './state.ts'

/**
 * Invoices paid by an authorization (EIP-3009) that the payer signs and a relayer carries out: what may be signed, until
 * when, and what becomes of it.
 */

/** How an authorization was sent: from the checkout page, or by an x402 client. */
export type SignatureMethod = 'signature' | 'x402'

/**
 * received: claimed, and not in a transaction yet · sent: in a transaction · settled: the chain shows the transfer, which
 * the invoice counts like any other · failed: it can't be carried out · expired: it wasn't in time · replaced: nothing was
 * sent, because the payer signed another one or the merchant ended the invoice.
 */
export type AuthorizationState = 'received' | 'sent' | 'settled' | 'failed' | 'expired' | 'replaced'

/** An authorization that was claimed for an invoice. */
export interface InvoiceAuthorization {
  readonly id: X402PaymentId
  readonly invoiceId: InvoiceId
  readonly method: SignatureMethod
  readonly networkId: string
  readonly payer: Address
  readonly nonce: Hex
  readonly amount: BaseUnits
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly signature: Hex
  readonly status: 'pending' | 'settled' | 'failed' | 'replaced'
  /** Why it failed, as an x402 reason. */
  readonly reason: string | null
  /** Of the transfer, or of the newest transaction that carries it. */
  readonly transaction: Hex | null
  /** Its amount is on its way and not among the invoice's payments yet. */
  readonly isClaimed: boolean
  readonly version: number
  readonly createdAt: Date
}

export function authorizationState({
  status,
  reason,
  transaction,
}: Pick<InvoiceAuthorization, 'status' | 'reason' | 'transaction'>): AuthorizationState {
  if (status === 'pending') return transaction === null ? 'received' : 'sent'
  if (status === 'failed' && reason === 'payment_expired') return 'expired'
  return status
}

/** Why an authorization is refused for the invoice; why the chain would refuse it, x402's reasons tell. */
export type SignatureRefusal =
  /** The invoice's token, chain or amount isn't paid by signature here. */
  | 'not_offered'
  /** It is paid, expired or void. */
  | 'not_payable'
  /** Another authorization of it is being carried out. */
  | 'in_flight'
  /** The value is not what is due now. */
  | 'amount_not_due'
  /** It is valid for longer than five minutes, or past the payment window. */
  | 'valid_too_long'
  /** The payer, its network or the merchant has reached a limit of the day. */
  | 'limit_reached'

/** The longest that an authorization may be valid, in s, and what the clocks of payers may differ by. */
export const SIGNATURE_S = 300
const CLOCKS_S = 60

/** The token that may be paid by signature on a chain; null where it is not offered. */
export function signableToken(
  chain: Chain,
  { tokenSymbol, chains }: Pick<Invoice, 'tokenSymbol' | 'chains'>,
): (TokenOnChain & { readonly eip712: NonNullable<TokenOnChain['eip712']> }) | null {
  const token = tokenOn(chain, tokenSymbol)
  if (chain.leastSigned === null || !chains.includes(chain.networkId)) return null
  return token?.eip712 === undefined ? null : { ...token, eip712: token.eip712 }
}

/** What is to be signed now, where so much is on its way by authorizations; 0 for nothing. */
export function amountToSign(invoice: Invoice, claimed: bigint, now: Date): BaseUnits {
  const end = deadline(invoice)
  const isOpen = invoice.status === 'pending' || invoice.status === 'partial'
  if (!isOpen || (end !== null && end <= now)) return baseUnits(0n)
  const pendingAmount = baseUnits(invoice.pendingAmount + claimed)
  return amountMissing({ ...invoice, pendingAmount })
}

/** What authorizations have on their way. */
export function amountClaimed(authorizations: readonly InvoiceAuthorization[]): bigint {
  return sum(authorizations.filter(({ isClaimed }) => isClaimed).map(({ amount }) => amount))
}

/** Whether so much of a token, which is worth about a dollar, is worth its gas on this chain. */
export function isWorthGas({ leastSigned }: Chain, amount: bigint, decimals: number): boolean {
  return leastSigned !== null && amount * DOLLAR >= leastSigned * 10n ** BigInt(decimals)
}

/** The last second, in Unix time, before which an authorization of the invoice may end. */
export function latestEnd(invoice: Pick<Invoice, 'expiresAt' | 'closedAt'>, now: Date): bigint {
  const end = deadline(invoice)
  const usual = BigInt(Math.floor(now.getTime() / 1000)) + BigInt(SIGNATURE_S + CLOCKS_S)
  return end === null ? usual : min(usual, BigInt(Math.floor(end.getTime() / 1000)) + 1n)
}

interface SignedTerms {
  readonly value: bigint
  readonly validBefore: bigint
}

/** Why an authorization doesn't fit the invoice; null when it does. `claimed` is what others have on their way. */
export function findSignatureProblem(
  invoice: Invoice,
  claimed: bigint,
  { value, validBefore }: SignedTerms,
  now: Date,
): SignatureRefusal | null {
  const due = amountToSign(invoice, claimed, now)
  if (due === 0n)
    return claimed > 0n && amountToSign(invoice, 0n, now) > 0n ? 'in_flight' : 'not_payable'
  if (value !== due) return 'amount_not_due'
  return validBefore > latestEnd(invoice, now) ? 'valid_too_long' : null
}

const DOLLAR = 1_000_000n

/** Gas of a sweep by which the least amounts of chains are priced, of which gas is a tenth (core/chain/table.ts). */
const SWEEP_GAS = 113_399n
const PARTS_OF_SWEEP = 10n

/** What so much gas usually costs on a chain, in millionths of a dollar. */
export function usualCost({ minSweep }: Pick<Chain, 'minSweep'>, gas: bigint): bigint {
  return (minSweep.USDC * gas) / (SWEEP_GAS * PARTS_OF_SWEEP)
}

/** In a batch of its own; of a payer with code, which may use all that it is given; of one created before it pays. */
const PAYER_GAS = {
  key: 100_000n,
  wallet: 500_000n,
  new_wallet: 500_000n + WALLET_DEPLOYMENT_GAS,
} as const
const LEAST_COST = 1_000n

/** What is booked against a merchant's budget for carrying an authorization out, in millionths of a dollar. */
export function costOfSignature(chain: Chain, payer: keyof typeof PAYER_GAS): BaseUnits {
  return baseUnits(max(usualCost(chain, PAYER_GAS[payer]), LEAST_COST))
}

/** How many authorizations of one payer may fail within a day. */
export const FAILED_PER_PAYER = 5
