import type { DistributionId, EndpointId, MerchantId, X402PaymentId } from '../base/ids.ts'
import { iso } from '../base/instant.ts'
import { type BaseUnits, formatAmount, type TokenDecimals } from '../base/money.ts'
import { type Address, checksumAddress, type Hex } from '../chain/evm.ts'
import type { Chain } from '../chain/registry.ts'
import type { TokenOnChain } from '../chain/tokens.ts'
import { integerWord } from '../chain/words.ts'
import type { Scheme } from './terms.ts'

/** x402 payments as the API and the events show them. */

/** One EIP-3009 authorization in favour of a merchant's forwarder or own address, and what became of it. */
export interface X402Payment {
  readonly id: X402PaymentId
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId | null
  readonly networkId: string
  readonly asset: Address
  readonly payer: Address
  readonly authorizationNonce: Hex
  readonly payTo: Address
  readonly amount: BaseUnits
  readonly scheme: Scheme
  /** Permit2's nonce; null for EIP-3009. */
  readonly permitNonce: bigint | null
  /** What a payer by Permit2 allows; null for EIP-3009. */
  readonly permitted: BaseUnits | null
  /** Unix seconds of chain time, both exclusive. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly status: 'pending' | 'settled' | 'failed'
  /** Why it failed; null unless it did. */
  readonly reason: string | null
  readonly txHash: Hex | null
  /** Of the token's Transfer. */
  readonly logIndex: number | null
  readonly blockNumber: bigint | null
  readonly distributionId: DistributionId | null
  /** This payment's share of the fee of its distribution; null before that. */
  readonly fee: BaseUnits | null
  /** What refunds have brought back, and what those on their way will. */
  readonly refunded: BaseUnits
  readonly refunding: BaseUnits
  /** Paid to the merchant's own address: nothing was taken of it, and there is no payout. */
  readonly direct: boolean
  /** The service's fee for a direct payment, which was not taken. */
  readonly feeOwed: BaseUnits
  readonly version: number
  readonly createdAt: Date
  readonly settledAt: Date | null
  /** When its transaction had the chain's confirmations. */
  readonly confirmedAt: Date | null
}

export type X402PaymentJson = ReturnType<typeof presentX402Payment>
export type X402StatusJson = ReturnType<typeof presentStatus>

/** The payment object. `chain` is the payment's own. */
export function presentX402Payment(payment: X402Payment, chain: Chain) {
  const token = payableTokenAt(chain, payment.asset)
  const fee = payment.direct ? 0n : payment.fee
  return {
    id: payment.id,
    merchantId: payment.merchantId,
    endpointId: payment.endpointId,
    status: payment.status,
    error: payment.reason,
    network: chain.caip2,
    networkId: chain.networkId,
    asset: checksumAddress(payment.asset),
    tokenSymbol: token.symbol,
    payer: payment.payer,
    payTo: checksumAddress(payment.payTo),
    amount: formatPrice(payment.amount, token.decimals),
    scheme: payment.scheme,
    permitted: payment.permitted === null ? null : formatPrice(payment.permitted, token.decimals),
    nonce: nonceOf(payment),
    transaction: payment.txHash,
    logIndex: payment.logIndex,
    blockNumber: payment.blockNumber === null ? null : Number(payment.blockNumber),
    distributionId: payment.distributionId,
    fee: fee === null ? null : formatPrice(fee, token.decimals),
    direct: payment.direct,
    feeOwed: formatPrice(payment.feeOwed, token.decimals),
    merchantAmount:
      fee === null ? null : formatPrice(payment.amount - payment.refunded - fee, token.decimals),
    refundedAmount: formatPrice(payment.refunded, token.decimals),
    refundingAmount: formatPrice(payment.refunding, token.decimals),
    validAfter: payment.validAfter.toString(),
    validBefore: payment.validBefore.toString(),
    createdAt: payment.createdAt.toISOString(),
    settledAt: iso(payment.settledAt),
    confirmedAt: iso(payment.confirmedAt),
  }
}

/** The public status of an authorization nonce. */
export function presentStatus(payment: X402Payment, chain: Chain) {
  const token = payableTokenAt(chain, payment.asset)
  return {
    nonce: nonceOf(payment),
    status: payment.status,
    paymentId: payment.id,
    transaction: payment.txHash,
    network: chain.caip2,
    payer: payment.payer,
    amount: formatPrice(payment.amount, token.decimals),
    asset: checksumAddress(payment.asset),
    payTo: checksumAddress(payment.payTo),
    endpointId: payment.endpointId,
    error: payment.reason,
    settledAt: iso(payment.settledAt),
  }
}

/** The nonce that the payer signed, as 32 bytes. */
function nonceOf({ authorizationNonce, permitNonce }: X402Payment): Hex {
  return permitNonce === null ? authorizationNonce : `0x${integerWord(permitNonce)}`
}

/** Base units as a decimal string in major units with at least two decimals: "0.01", "1.00". */
export function formatPrice(amount: bigint, decimals: TokenDecimals): string {
  const [whole = '0', fraction = ''] = formatAmount(amount, decimals).split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

export function payableTokenAt(chain: Chain, asset: Address): TokenOnChain {
  const token = chain.tokens.find(({ address }) => address === asset)
  if (!token) throw new Error(`the registry has no token ${asset} on ${chain.networkId}`)
  return token
}
