import type { MerchantId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Queryable } from '../../store/database/database.ts'

/** How long a history is, and whose. */

export interface HistorySize {
  readonly invoices: number
  /** Final transactions of the relayer's key. */
  readonly transactions: number
  /** Webhook deliveries, each with one attempt. */
  readonly deliveries: number
  readonly x402Payments: number
}

export interface HistorySeed extends HistorySize {
  /** A fifth of everything is this merchant's, whose row exists. */
  readonly merchantId: MerchantId
  readonly hub: Address
  /** The chain that actors follow. Its first `BLOCKS` blocks hold all that was mined. */
  readonly networkId: string
  readonly token: Address
  /** A chain that has stopped since. */
  readonly stalledNetworkId: string
  /** Of a relayer key, whose account nonce must be `transactions`. */
  readonly relayer: Address
  /** Of the block that the rows were mined in; none of the chain's own. */
  readonly blockHash: Hex
}

/** The blocks, from 1 on, that hold the history. They must lie below those that a chain keeps. */
export const BLOCKS = 100
/** Merchants besides the one with a fifth of everything. */
export const OTHERS = 49
/** Of the time, in days, over which invoices were created. */
export const DAYS = 400

/** A UUIDv7 of a moment, unique by a number; both are columns or sums of them. */
export function uuidAt(sql: Queryable, at: string, n: string) {
  return sql.unsafe(`(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
    || '70008000' || lpad(to_hex(${n}), 12, '0'))::uuid`)
}
