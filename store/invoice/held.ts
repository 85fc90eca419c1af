import type { InvoiceId } from '../../core/base/ids.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/** On-time money that stays in a deposit until someone acts. */

/**
 * In a query, the chains and tokens in which an invoice has on-time money that no sweep or refund has
 * taken or is promised, as a subquery of (network_id, token, amount). `invoice` is what the query calls
 * the invoice.
 */
export function heldOf(sql: Queryable, invoice: string) {
  return sql`(
    select c.network_id, c.token::text, c.amount - coalesce(s.promised, 0) as amount
    from (
      select network_id, token, sum(amount - refunded - refunding) as amount from payment
      where invoice_id = ${sql(invoice)}.id and kind = 'counted' and status = 'confirmed'
      group by network_id, token
    ) c
    left join lateral (
      select sum(amount) as promised from settlement
      where invoice_id = ${sql(invoice)}.id and network_id = c.network_id and token = c.token
        and status <> 'failed'
    ) s on true
    where c.amount > coalesce(s.promised, 0)
  )`
}

/** Whether money of such an invoice stays in the deposit until someone acts. */
function isHolding({ status, settlementState }: Pick<Invoice, 'status' | 'settlementState'>) {
  return status === 'partial' || !['none', 'due'].includes(settlementState)
}

/** Stores in how many parts money is held, for an invoice whose lock the caller holds. */
export async function saveHeldParts(
  sql: Transaction,
  invoiceId: InvoiceId,
  before: Pick<Invoice, 'status' | 'settlementState'>,
  after: Pick<Invoice, 'status' | 'settlementState'>,
): Promise<void> {
  if (isHolding(after)) {
    await sql`
      update invoice set held_parts = held.parts
      from (
        select i.id, (select count(*) from ${heldOf(sql, 'i')} as part)::smallint as parts
        from invoice i where i.id = ${invoiceId}
      ) held
      where invoice.id = held.id and invoice.held_parts <> held.parts`
  } else if (isHolding(before)) {
    await sql`update invoice set held_parts = 0 where id = ${invoiceId} and held_parts > 0`
  }
}
