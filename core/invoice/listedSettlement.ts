import type { InvoiceId, SettlementId } from '../base/ids.ts'
import { isoFrom } from '../base/instant.ts'
import type { BaseUnits } from '../base/money.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import { foundToken } from '../chain/foundToken.ts'
import type { Chain } from '../chain/registry.ts'
import type { SettlementStatus } from './state.ts'

/** A settlement as a list of all of a merchant's shows it, with the names of its invoice. */
export interface ListedSettlement {
  readonly id: SettlementId
  readonly invoiceId: InvoiceId
  readonly invoiceRef: string
  readonly externalRef: string | null
  readonly networkId: string
  readonly token: Address
  readonly recipient: Address
  /** What left the deposit, in base units, the fee included. */
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  readonly status: SettlementStatus
  readonly txHash: string | null
  /** The chain's reason, where it failed. */
  readonly error: string | null
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

export type ListedSettlementJson = ReturnType<typeof presentListedSettlement>

export function presentListedSettlement(settlement: ListedSettlement, chains: readonly Chain[]) {
  const { networkId, token: address, recipient, amount, fee, createdAt, confirmedAt } = settlement
  const { symbol, decimal } = foundToken(settlement, chains)
  return {
    id: settlement.id,
    invoiceId: settlement.invoiceId,
    invoiceRef: settlement.invoiceRef,
    externalRef: settlement.externalRef,
    chain: networkId,
    asset: symbol,
    tokenAddress: checksumAddress(address),
    recipient: checksumAddress(recipient),
    amount: decimal(amount),
    fee: decimal(fee),
    merchantAmount: decimal(amount - fee),
    status: settlement.status,
    txHash: settlement.txHash,
    error: settlement.error,
    createdAt: createdAt.toISOString(),
    confirmedAt: isoFrom(createdAt, confirmedAt),
  }
}
