import { atLeastZero, type BaseUnits, baseUnits } from '../base/money.ts'

/**
 * The amount due of an invoice, and what counts as paid, overpaid or underpaid. All amounts are in base units.
 */

export interface RequestedAmounts {
  readonly amountExpected: BaseUnits
  /** What the merchant accepted as enough; null while amountExpected is due. */
  readonly acceptedAmount: BaseUnits | null
  /** How much less than amountExpected is enough. */
  readonly underpaymentTolerance: BaseUnits
}

export interface KeptAmounts {
  readonly receivedAmount: BaseUnits
  /** What of the on-time money refunds have returned or reserve. */
  readonly returnedAmount: BaseUnits
}

/** The amount due: the amount expected, or what the merchant accepted as enough. */
export function amountDue({
  acceptedAmount,
  amountExpected,
}: Pick<RequestedAmounts, 'acceptedAmount' | 'amountExpected'>): BaseUnits {
  return acceptedAmount ?? amountExpected
}

/**
 * What pays the invoice: the amount expected less the tolerance, or what the merchant accepted. Nothing is
 * tolerated below what was accepted, because that was less than enough already.
 */
export function amountEnough(requested: RequestedAmounts): BaseUnits {
  const { acceptedAmount, amountExpected, underpaymentTolerance } = requested
  return acceptedAmount ?? baseUnits(amountExpected - underpaymentTolerance)
}

/** What was received on time and not refunded; below zero after a reorganisation. */
export function amountKept({ receivedAmount, returnedAmount }: KeptAmounts): bigint {
  return receivedAmount - returnedAmount
}

/** What is still to be sent, with what is on its way counted: all that is missing, or nothing if it is enough. */
export function amountMissing(
  invoice: RequestedAmounts & KeptAmounts & { readonly pendingAmount: BaseUnits },
): BaseUnits {
  const coming = amountKept(invoice) + invoice.pendingAmount
  return coming >= amountEnough(invoice) ? baseUnits(0n) : atLeastZero(amountDue(invoice) - coming)
}

/** The amount received above the amount due and not refunded. */
export function overpaidAmount(
  invoice: KeptAmounts & Pick<RequestedAmounts, 'amountExpected'>,
): BaseUnits {
  return atLeastZero(amountKept(invoice) - invoice.amountExpected)
}

/** What is missing of an invoice that is paid all the same, by its tolerance. */
export function toleratedAmount(invoice: RequestedAmounts & KeptAmounts): BaseUnits {
  const kept = amountKept(invoice)
  if (invoice.acceptedAmount !== null || kept < amountEnough(invoice)) return baseUnits(0n)
  return atLeastZero(invoice.amountExpected - kept)
}
