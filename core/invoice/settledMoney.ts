import { min } from '../base/integers.ts'
import { atLeastZero, type BaseUnits, formatAmount, sum } from '../base/money.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import { TOKENS } from '../chain/tokens.ts'
import { overpaidAmount } from './amounts.ts'
import type { Invoice, Settlement } from './state.ts'

/** Money of an invoice that has gone to a treasury, from where no refund of the service can take it. */

/** An amount in base units of the invoice's token, and whom it was settled to, the first one first. */
export interface SettledMoney {
  readonly amount: BaseUnits
  readonly recipients: readonly Address[]
}

/** What settlements that are mined have taken out of deposits, fees included. */
export function settledOf(settlements: readonly Settlement[]): SettledMoney {
  const mined = settlements.filter(({ status }) => status === 'mined' || status === 'confirmed')
  return {
    amount: sum(mined.map(({ amount }) => amount)),
    recipients: [...new Set(mined.map(({ recipient }) => recipient))],
  }
}

/**
 * The part of an overpayment that was settled and not refunded; null when there is none. `refundedOutside` is what
 * the merchant has sent back out of the treasury.
 */
export function settledOverpayment(
  invoice: Invoice,
  settlements: readonly Settlement[],
  refundedOutside: BaseUnits,
): SettledMoney | null {
  const { amount, recipients } = settledOf(settlements)
  const excess = atLeastZero(amount - invoice.amountExpected)
  const settled = atLeastZero(min(excess, overpaidAmount(invoice)) - refundedOutside)
  return settled === 0n ? null : { amount: settled, recipients }
}

/** Where settled money is and who can give it back, without a full stop. */
export function settledText(
  { tokenSymbol }: Pick<Invoice, 'tokenSymbol'>,
  { amount, recipients }: SettledMoney,
): string {
  const text = formatAmount(amount, TOKENS[tokenSymbol].decimals)
  const whom = recipients.map(checksumAddress).join(' and ')
  return `${text} ${tokenSymbol} was settled to ${whom}, refund it from your treasury`
}
