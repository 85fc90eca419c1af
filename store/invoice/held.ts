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

/** An invoice as it was, and as it is now. */
export interface InvoiceStates {
  readonly invoice: Pick<Invoice, 'id' | 'status' | 'settlementState'>
  readonly now: Pick<Invoice, 'status' | 'settlementState'>
}

/** Stores in how many parts money is held, for invoices whose locks the caller holds. */
export async function saveHeldParts(
  sql: Transaction,
  states: readonly InvoiceStates[],
): Promise<void> {
  const holding = states.filter(({ now }) => isHolding(now))
  const freed = states.filter(({ invoice, now }) => isHolding(invoice) && !isHolding(now))
  const saves: PromiseLike<unknown>[] = []
  if (holding.length > 0) {
    saves.push(sql`
      update invoice set held_parts = held.parts
      from (
        select i.id, (select count(*) from ${heldOf(sql, 'i')} as part)::smallint as parts
        from invoice i where i.id = any(${holding.map(({ invoice }) => invoice.id)}::uuid[])
      ) held
      where invoice.id = held.id and invoice.held_parts <> held.parts`)
  }
  if (freed.length > 0) {
    saves.push(sql`
      update invoice set held_parts = 0
      where id = any(${freed.map(({ invoice }) => invoice.id)}::uuid[]) and held_parts > 0`)
  }
  await Promise.all(saves)
}
