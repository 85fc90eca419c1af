import { platformFee } from '../base/fee.ts'
import { type BaseUnits, baseUnits } from '../base/money.ts'

/** The operator's fee of payments that go straight to merchants' own addresses. */
export interface DirectFeeTerms {
  readonly x402Fee: { readonly rateBps: number; readonly cap: BaseUnits }
  /** False: nothing. Nothing is ever taken out of such a payment; what is owed is booked. */
  readonly owesDirectFee: boolean
}

/** The fee that a merchant owes for a direct payment, in base units: that of a payout of its own. */
export function directFee(amount: bigint, { x402Fee, owesDirectFee }: DirectFeeTerms): BaseUnits {
  const { rateBps, cap: ceiling } = x402Fee
  return owesDirectFee ? platformFee(baseUnits(amount), { rateBps, ceiling }) : baseUnits(0n)
}
