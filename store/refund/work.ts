import type { InvoiceId, RefundId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'
import { type OrderRow, orderColumns } from './orders.ts'

/** Refunds of invoices on their way to the chain. */

/** A refund with what its invoice contributes to the order that the hub carries out. */
export interface RefundOrderRow extends OrderRow {
  readonly invoiceId: InvoiceId
  /** The recipient that the deposit address commits to; null for the registry's treasury. */
  readonly recipient: Address | null
  readonly feeCap: BaseUnits
}

/** Reads the refunds behind work items, in the order of the items' ids. */
export async function readRefundOrders(
  sql: Queryable,
  itemIds: readonly bigint[],
): Promise<RefundOrderRow[]> {
  return sql<RefundOrderRow[]>`
    select ${columns(sql)} ${tables(sql)}
    where w.id = any(${itemIds.map(String)}::bigint[]) and w.kind = 'refund'
    order by w.id`
}

/** A payment that a refund is taken from. */
export interface RefundSource {
  readonly refundId: RefundId
  readonly invoiceId: InvoiceId
  readonly networkId: string
  readonly txHash: Hex
  readonly logIndex: number
  readonly blockHash: Hex
  readonly token: Address
  /** How much of it this refund takes. */
  readonly amount: BaseUnits
  /** How much of the same transfer all refunds take that have not failed, this one included. */
  readonly promised: bigint
  /** Whether sweeps have taken or reserved more of the invoice's money on its chain than refunds leave. */
  readonly isSwept: boolean
  /** Whether the operator lets the merchant's refunds go to others than the sender. */
  readonly refundsAny: boolean
  /** What the payment has brought, and where, if a worker has confirmed it. */
  readonly isConfirmed: boolean
  readonly brought: BaseUnits
  readonly blockNumber: bigint
}

/** Reads the payments that refunds are taken from. What an invoice holds is summed once, not for each of them. */
export async function readRefundSources(
  sql: Queryable,
  refundIds: readonly RefundId[],
): Promise<RefundSource[]> {
  return sql<RefundSource[]>`
    with own as materialized (
      select part.refund_id, part.amount, p.id, p.invoice_id, p.network_id, p.tx_hash, p.log_index,
        p.block_hash, p.token, p.kind, p.status = 'confirmed' as is_confirmed, p.amount as brought,
        p.block_number
      from refund_part part join payment p on p.id = part.payment_id
      where part.refund_id = any(${[...refundIds]}::uuid[])
    ), whose as materialized (
      select distinct invoice_id, network_id from own
    ), taken as materialized (
      select p.invoice_id, p.network_id, p.tx_hash, p.log_index, sum(part.amount) as promised
      from whose
      join payment p on p.invoice_id = whose.invoice_id and p.network_id = whose.network_id
      join refund_part part on part.payment_id = p.id
      join refund r on r.id = part.refund_id
      where r.status <> 'failed'
      group by p.invoice_id, p.network_id, p.tx_hash, p.log_index
    ), kept as materialized (
      select whose.invoice_id, whose.network_id, (
          select coalesce(sum(c.amount - c.refunded - c.refunding), 0) from payment c
          where c.invoice_id = whose.invoice_id and c.network_id = whose.network_id
            and c.kind = 'counted' and c.status <> 'reverted'
        ) < (
          select coalesce(sum(s.amount), 0) from settlement s
          where s.invoice_id = whose.invoice_id and s.network_id = whose.network_id
            and s.status <> 'failed'
        ) as is_swept
      from whose
    )
    select own.refund_id, own.invoice_id, own.network_id, own.tx_hash, own.log_index,
      own.block_hash, own.token, own.amount, m.refunds_any, taken.promised,
      own.is_confirmed, own.brought, own.block_number,
      -- Late payments and other tokens are never swept.
      own.kind = 'counted' and kept.is_swept as is_swept
    from own
    join kept on kept.invoice_id = own.invoice_id and kept.network_id = own.network_id
    join invoice i on i.id = own.invoice_id
    join merchant m on m.id = i.merchant_id
    left join taken on taken.invoice_id = own.invoice_id and taken.network_id = own.network_id
      and taken.tx_hash = own.tx_hash and taken.log_index = own.log_index
    order by own.refund_id, own.id`
}

/** A refund that may have ended without a transaction of ours. */
export interface DoubtfulRefund extends RefundOrderRow {
  /** Whether its last good second is past by the chain's confirmed time. */
  readonly isOverdue: boolean
}

/**
 * Open refunds whose last good second is past, and those that were signed while the deposit's balance was found
 * too low: another sender may have carried them out.
 */
export async function doubtfulRefunds(
  sql: Queryable,
  networkId: string,
  without: readonly InvoiceId[],
  limit: number,
): Promise<DoubtfulRefund[]> {
  return sql<DoubtfulRefund[]>`
    select ${columns(sql)}, r.deadline < extract(epoch from s.confirmed_time) as is_overdue ${tables(sql)}
    join chain_state s on s.network_id = r.network_id
    where r.network_id = ${networkId} and r.status = 'open' and r.deadline is not null
      and r.invoice_id <> all(${[...without]}::uuid[])
      and (r.deadline < extract(epoch from s.confirmed_time) or (w.state <> 'assigned' and exists (
        select from settlement t
        where t.invoice_id = r.invoice_id and t.network_id = r.network_id and t.token = r.token
          and t.replanned)))
    order by r.deadline limit ${limit}`
}

function columns(sql: Queryable) {
  return sql`${orderColumns(sql)}, i.recipient, i.fee_cap, i.hub, i.deposit_address as source`
}

function tables(sql: Queryable) {
  return sql`
    from refund r join work_item w on w.subject_id = r.id join invoice i on i.id = r.invoice_id`
}
