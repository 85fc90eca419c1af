import {
  type DistributionId,
  type MerchantId,
  NIL_UUID,
  type X402PaymentId,
} from '../../core/base/ids.ts'
import { type BaseUnits, baseUnitsFromText } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'
import { paymentsOf, refundedBefore } from '../x402/refundsBeforePayouts.ts'
import type { Place } from './x402Reconciliation.ts'

/** Booked payouts of forwarders with all that belongs to them, for comparing them with the chains. */

/** Amounts in base units. */
export interface BookedPayout {
  readonly id: DistributionId
  readonly merchantId: MerchantId
  readonly token: Address
  readonly txHash: Hex
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly treasury: Address
  readonly remitted: BaseUnits
  /** What the collector received, fees held from earlier payouts included. */
  readonly fee: BaseUnits
  /** This payout's own fee, when the forwarder still holds it. */
  readonly feeHeld: BaseUnits
  /** What the forwarder had received that belongs to no payment. */
  readonly unattributed: bigint
  /** What refunds have taken between the payout before it and this one. */
  readonly refunded: BaseUnits
  /** In the chain's order, as far as the ledger knows it. */
  readonly payments: readonly PaidOut[]
}

/** A payment that a payout paid out, with its share of the fee; null when it has none. */
export interface PaidOut {
  readonly id: X402PaymentId
  readonly amount: BaseUnits
  /** What of it went back before this payout. */
  readonly refunded: BaseUnits
  readonly fee: BaseUnits | null
}

/** Amounts in JSON are text, which keeps all their digits. */
type Row = Omit<BookedPayout, 'payments'> & {
  readonly payments:
    | readonly {
        readonly id: X402PaymentId
        amount: string
        fee: string | null
        refunded: string
      }[]
    | null
}

/** The booked payouts among the hub's events at these positions, in no particular order. */
export async function payoutsAt(
  sql: Queryable,
  networkId: string,
  places: readonly Place[],
): Promise<BookedPayout[]> {
  if (places.length === 0) return []
  const rows = await sql<Row[]>`
    select d.*, ${refundedBefore(sql)} as refunded, ${paymentsOf(sql)} as payments
    from x402_distribution d
    join unnest(
      ${places.map(({ txHash }) => txHash)}::text[],
      ${places.map(({ logIndex }) => String(logIndex))}::text[]::integer[]
    ) as g (tx_hash, log_index) on d.tx_hash = g.tx_hash and d.log_index = g.log_index
    where d.network_id = ${networkId}`
  return rows.map(fromRow)
}

/** Booked payouts of one chain in blocks up to this one, in the order of their ids. */
export async function payoutsAfter(
  sql: Queryable,
  networkId: string,
  block: bigint,
  after: string | null,
  limit: number,
): Promise<BookedPayout[]> {
  const rows = await sql<Row[]>`
    select d.*, 0::numeric as refunded, null as payments from x402_distribution d
    where d.network_id = ${networkId} and d.block_number <= ${block}
      and d.id > ${after ?? NIL_UUID}
    order by d.id limit ${limit}`
  return rows.map(fromRow)
}

function fromRow(row: Row): BookedPayout {
  const payments = (row.payments ?? []).map(({ id, amount, fee, refunded }) => ({
    id,
    amount: baseUnitsFromText(amount),
    refunded: baseUnitsFromText(refunded),
    fee: fee === null ? null : baseUnitsFromText(fee),
  }))
  return { ...row, payments }
}
