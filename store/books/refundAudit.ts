import { type InvoiceId, NIL_UUID, type RefundId, type X402PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { RefundStatus } from '../../core/invoice/state.ts'
import type { Queryable } from '../database/database.ts'
import type { Violation } from './audit.ts'

/** The ledger's side of a comparison of refunds with the chains. */

export interface RefundRecord {
  readonly id: RefundId
  /** What it refunds: one of the two. */
  readonly invoiceId: InvoiceId | null
  readonly x402PaymentId: X402PaymentId | null
  readonly orderNumber: bigint | null
  readonly networkId: string
  /** The deposit address or forwarder. */
  readonly source: Address
  readonly token: Address
  readonly amount: BaseUnits
  readonly recipient: Address
  readonly status: RefundStatus
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  readonly blockHash: string | null
}

/** Every refund, in any status, of the deposits and forwarders with these addresses on one chain. */
export async function refundsOf(
  sql: Queryable,
  networkId: string,
  sources: readonly Address[],
): Promise<RefundRecord[]> {
  return sql<RefundRecord[]>`
    select r.*, w.address as source
    from watched w join refund r on r.invoice_id = w.invoice_id
    where w.address = any(${[...sources]}::text[]) and r.network_id = ${networkId}
    union all
    select r.*, f.address
    from forwarder f join refund r on r.merchant_id = f.merchant_id and r.invoice_id is null
    where f.address = any(${[...sources]}::text[]) and r.network_id = ${networkId}`
}

/** Refunds on one chain recorded as mined up to the block, in the order of their ids. */
export async function minedRefundsAfter(
  sql: Queryable,
  networkId: string,
  block: bigint,
  after: string | null,
  limit: number,
): Promise<RefundRecord[]> {
  return sql<RefundRecord[]>`
    select r.*, coalesce(i.deposit_address, f.address) as source
    from refund r left join invoice i on i.id = r.invoice_id
    left join forwarder f on r.invoice_id is null and f.merchant_id = r.merchant_id
    where r.network_id = ${networkId} and r.status in ('mined', 'confirmed')
      and (r.block_number is null or r.block_number <= ${block})
      and r.id > ${after ?? NIL_UUID}
    order by r.id limit ${limit}`
}

/**
 * Refunds whose parts don't add up to them, and payments whose parts don't add up to what they record as sent
 * back or is on its way, or that gave back more than they were.
 */
export async function refundViolations(sql: Queryable, limit: number): Promise<Violation[]> {
  return sql<Violation[]>`
    select * from (
      select r.network_id, 'refund ' || r.id as subject,
        'it is of ' || r.amount || ' base units, its parts add up to ' || coalesce(sum(p.amount), 0)
          as message
      from refund r left join refund_part p on p.refund_id = r.id
      where r.invoice_id is not null
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
      union all
      select p.network_id, 'x402 payment ' || p.id,
        p.refunded || ' base units are said to be given back and ' || p.refunding
          || ' to be on their way; by its refunds ' || coalesce(m.refunded, 0) || ' and '
          || coalesce(m.refunding, 0)
      from x402_payment p
      full join (
        select x402_payment_id as id,
          coalesce(sum(amount) filter (where status = 'confirmed'), 0) as refunded,
          coalesce(sum(amount) filter (where status in ('open', 'mined')), 0) as refunding
        from refund where x402_payment_id is not null group by 1
      ) as m on m.id = p.id
      where (p.refunded > 0 or p.refunding > 0 or m.id is not null)
        and (p.refunded, p.refunding) is distinct from
          (coalesce(m.refunded, 0), coalesce(m.refunding, 0))
      union all
      select network_id, 'x402 payment ' || id,
        'more is given back or on its way than the ' || amount || ' base units that it was'
      from x402_payment where refunded + refunding > amount
    ) as violation
    limit ${limit}`
}
