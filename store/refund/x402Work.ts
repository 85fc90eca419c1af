import type { RefundId, X402PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'
import { type OrderRow, orderColumns } from './orders.ts'

/** Refunds of x402 payments on their way to the chain. */

/** A refund with what its payment and the forwarder contribute to its order. */
export interface X402OrderRow extends OrderRow {
  readonly paymentId: X402PaymentId
  /** The payment's block; null while a reorganisation has taken it away. */
  readonly paidBlock: bigint | null
}

/** Reads the refunds behind work items, in the order of the items' ids. */
export async function readX402Orders(
  sql: Queryable,
  itemIds: readonly bigint[],
): Promise<X402OrderRow[]> {
  return sql<X402OrderRow[]>`
    ${orders(sql)}
    where w.id = any(${itemIds.map(String)}::bigint[])
    order by w.id`
}

/** A payment that a refund is taken from. */
export interface X402Source {
  readonly refundId: RefundId
  readonly paymentId: X402PaymentId
  readonly payer: Address
  readonly token: Address
  readonly amount: BaseUnits
  readonly payTo: Address
  /** How much of it all refunds take that have not failed, this one included. */
  readonly promised: bigint
  /** Where its transfer is; null while it is not settled. */
  readonly txHash: Hex | null
  readonly logIndex: number | null
  readonly blockNumber: bigint | null
  readonly blockHash: Hex | null
  /** It has the chain's confirmations. */
  readonly isConfirmed: boolean
  /** It came by another way than an authorization to the forwarder. */
  readonly isOther: boolean
  /** A payout after it is booked, whether the payment is bound to that yet or not. */
  readonly isPaidOut: boolean
  /**
   * A transaction that was signed before the request may still pay the forwarder out, again if a reorganisation
   * took it away, or has done so after `block`.
   */
  readonly isPayoutUnderWay: boolean
  /** Up to which block payouts are booked; null before the first. */
  readonly bookedBlock: bigint | null
  /** Whether the operator lets the merchant's refunds go to others than the payer. */
  readonly refundsAny: boolean
}

/** Reads the payments that refunds are taken from, for a caller with a view of the chain up to `block`. */
export async function readX402Sources(
  sql: Queryable,
  refundIds: readonly RefundId[],
  block: bigint,
): Promise<X402Source[]> {
  return sql<X402Source[]>`
    select r.id as refund_id, p.id as payment_id, p.payer, p.asset as token, p.amount, p.pay_to,
      p.tx_hash, p.log_index, p.block_number, p.block_hash, m.refunds_any,
      p.status = 'settled' and p.confirmed_at is not null as is_confirmed,
      p.direct or p.from_channels as is_other,
      p.distribution_id is not null or exists (select from x402_distribution d
        where d.merchant_id = p.merchant_id and d.network_id = p.network_id and d.token = p.asset
          and (d.block_number, d.log_index) > (p.block_number, p.log_index)) as is_paid_out,
      s.distributions_block as booked_block,
      (select sum(o.amount) from refund o
        where o.x402_payment_id = p.id and o.status <> 'failed') as promised,
      exists (select from relayer_tx t
        where t.network_id = r.network_id and t.created_at <= r.created_at
          and (t.state = 'signed' or t.state = 'mined'
            and (t.confirmed_at is null or t.mined_block > ${block}))
          and t.kind in ('x402', 'x402_wallet', 'distribute')) as is_payout_under_way
    from refund r join x402_payment p on p.id = r.x402_payment_id
    join merchant m on m.id = p.merchant_id
    left join chain_state s on s.network_id = r.network_id
    where r.id = any(${[...refundIds]}::uuid[])`
}

/**
 * Refunds that were signed, and whose last good second is past by the chain's confirmed time; and those that were never
 * signed, and whose payment was paid out meanwhile.
 */
export async function x402RefundsToEnd(
  sql: Queryable,
  networkId: string,
  without: readonly RefundId[],
  limit: number,
): Promise<X402OrderRow[]> {
  return sql<X402OrderRow[]>`
    ${orders(sql)}
    join chain_state s on s.network_id = r.network_id
    where r.network_id = ${networkId} and r.status = 'open' and r.id <> all(${[...without]}::uuid[])
      and (r.deadline < extract(epoch from s.confirmed_time)
        or (r.deadline is null and w.state = 'queued' and p.distribution_id is not null))
    order by r.deadline, r.id limit ${limit}`
}

function orders(sql: Queryable) {
  return sql`
    select ${orderColumns(sql)}, f.hub, f.address as source, p.id as payment_id, p.block_number as paid_block
    from refund r join work_item w on w.subject_id = r.id
    join x402_payment p on p.id = r.x402_payment_id
    join forwarder f on f.merchant_id = r.merchant_id`
}
