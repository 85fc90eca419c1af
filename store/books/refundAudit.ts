import type { Address, Hex } from '../../core/chain/evm.ts'
import { type InvoiceId, NIL_UUID, type RefundId } from '../../core/ids.ts'
import type { RefundStatus } from '../../core/invoice/state.ts'
import type { BaseUnits } from '../../core/money.ts'
import type { Queryable } from '../database.ts'
import type { Violation } from './audit.ts'

/** The ledger's side of a comparison of refunds with the chains. */

export interface RefundRecord {
  readonly id: RefundId
  readonly invoiceId: InvoiceId
  readonly orderNumber: bigint | null
  readonly networkId: string
  readonly deposit: Address
  readonly token: Address
  readonly amount: BaseUnits
  readonly recipient: Address
  readonly status: RefundStatus
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  readonly blockHash: string | null
}

/** Every refund, whatever its status, of the deposits with these addresses on one chain. */
export async function refundsOf(
  sql: Queryable,
  networkId: string,
  deposits: readonly Address[],
): Promise<RefundRecord[]> {
  return sql<RefundRecord[]>`
    select r.*, w.address as deposit
    from watched w join refund r on r.invoice_id = w.invoice_id
    where w.address = any(${[...deposits]}::text[]) and r.network_id = ${networkId}`
}

/** Refunds on one chain that say they were mined up to the block, in the order of their ids. */
export async function minedRefundsAfter(
  sql: Queryable,
  networkId: string,
  block: bigint,
  after: string | null,
  limit: number,
): Promise<RefundRecord[]> {
  return sql<RefundRecord[]>`
    select r.*, i.deposit_address as deposit from refund r join invoice i on i.id = r.invoice_id
    where r.network_id = ${networkId} and r.status in ('mined', 'confirmed')
      and (r.block_number is null or r.block_number <= ${block})
      and r.id > ${after ?? NIL_UUID}
    order by r.id limit ${limit}`
}

/**
 * Refunds whose parts don't add up to them, and payments whose parts don't add up to what they say went
 * back or is on its way, or that gave back more than they were.
 */
export async function refundViolations(sql: Queryable, limit: number): Promise<Violation[]> {
  return sql<Violation[]>`
    select * from (
      select r.network_id, 'refund ' || r.id as subject,
        'it is of ' || r.amount || ' base units, its parts add up to ' || coalesce(sum(p.amount), 0)
          as message
      from refund r left join refund_part p on p.refund_id = r.id
      group by r.id
      having coalesce(sum(p.amount), 0) <> r.amount
      union all
      select p.network_id, 'payment ' || p.id,
        p.refunded || ' base units are said to be given back and ' || p.refunding
          || ' to be on their way; by its refunds ' || m.refunded || ' and ' || m.refunding
      from payment p
      left join lateral (
        select coalesce(sum(part.amount) filter (where r.status = 'confirmed'), 0) as refunded,
          coalesce(sum(part.amount) filter (where r.status in ('open', 'mined')), 0) as refunding
        from refund_part part join refund r on r.id = part.refund_id
        where part.payment_id = p.id) as m on true
      where (p.refunded, p.refunding) <> (m.refunded, m.refunding)
      union all
      select network_id, 'payment ' || id,
        'more is given back or on its way than the ' || amount || ' base units that it was'
      from payment where refunded + refunding > amount
    ) as violation
    limit ${limit}`
}
