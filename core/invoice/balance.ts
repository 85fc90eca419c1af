import { type Address, checksumAddress } from '../chain/evm.ts'
import { type Chain, tokenAt } from '../chain/registry.ts'
import { atLeastZero, type BaseUnits, formatAmount } from '../money.ts'

/** Where a merchant's money from invoices is, on one chain and in one token. */

/** In base units. Everything that was confirmed, and what is on its way. */
export interface Balance {
  readonly networkId: string
  readonly token: Address
  /** Payments that were seen and are not confirmed. */
  readonly incoming: BaseUnits
  readonly received: BaseUnits
  /** Settlements that were promised and are not confirmed, with their fees. */
  readonly settling: BaseUnits
  readonly refunding: BaseUnits
  /** What settlements brought to recipients. */
  readonly settled: BaseUnits
  readonly fees: BaseUnits
  readonly refunded: BaseUnits
  /** What merchants have sent back themselves, out of what was settled. */
  readonly externallyRefunded: BaseUnits
}

export type BalanceJson = ReturnType<typeof presentBalance>

/** What lies in deposits and is promised to nobody. */
export function heldOf(balance: Balance): BaseUnits {
  const { received, settling, refunding, settled, fees, refunded } = balance
  return atLeastZero(received - settling - refunding - settled - fees - refunded)
}

/** Amounts are null for a token that the registry lacks. */
export function presentBalance(balance: Balance, chains: readonly Chain[]) {
  const token = tokenAt(balance, chains)
  const amount = (value: bigint) => (token ? formatAmount(value, token.decimals) : null)
  const { incoming, settling, refunding, settled, fees, refunded } = balance
  return {
    chain: balance.networkId,
    asset: token?.symbol ?? null,
    tokenAddress: checksumAddress(balance.token),
    held: amount(heldOf(balance)),
    inFlight: amount(incoming + settling + refunding),
    incoming: amount(incoming),
    settling: amount(settling),
    refunding: amount(refunding),
    settled: amount(settled),
    fees: amount(fees),
    refunded: amount(refunded),
    externallyRefunded: amount(balance.externallyRefunded),
  }
}
