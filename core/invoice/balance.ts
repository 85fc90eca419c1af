import { atLeastZero, type BaseUnits } from '../base/money.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import { foundToken } from '../chain/foundToken.ts'
import type { Chain } from '../chain/registry.ts'

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

/** Unpromised money in deposits. */
export function heldOf(balance: Balance): BaseUnits {
  const { received, settling, refunding, settled, fees, refunded } = balance
  return atLeastZero(received - settling - refunding - settled - fees - refunded)
}

/** Amounts are null for a token that the registry lacks. */
export function presentBalance(balance: Balance, chains: readonly Chain[]) {
  const { symbol, decimal } = foundToken(balance, chains)
  const { incoming, settling, refunding, settled, fees, refunded } = balance
  return {
    chain: balance.networkId,
    asset: symbol,
    tokenAddress: checksumAddress(balance.token),
    held: decimal(heldOf(balance)),
    inFlight: decimal(incoming + settling + refunding),
    incoming: decimal(incoming),
    settling: decimal(settling),
    refunding: decimal(refunding),
    settled: decimal(settled),
    fees: decimal(fees),
    refunded: decimal(refunded),
    externallyRefunded: decimal(balance.externallyRefunded),
  }
}
