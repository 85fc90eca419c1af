import type { InvoiceId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Database, Transaction } from '../database/database.ts'
import { EVERYTHING, isInScope, type Scope } from '../database/scope.ts'
import { wantScreening } from '../screening/screenings.ts'

/** Invoices that wait until their payers are cleared. */

/** More payers than this of one invoice are waited for when these are decided. */
const PAYERS_MAX = 1_000

/** Has invoices, whose locks the caller holds, derived again when one of the payers of each is cleared. */
export async function waitForPayers(
  sql: Transaction,
  payersOf: ReadonlyMap<InvoiceId, readonly Address[]>,
): Promise<void> {
  const waits = [...payersOf].flatMap(([invoiceId, payers]) =>
    payers.slice(0, PAYERS_MAX).map((payer) => ({ invoiceId, payer })),
  )
  if (waits.length === 0) return
  // In one order everywhere, so that no two deadlock.
  await wantScreening(sql, [...new Set(waits.map(({ payer }) => payer))].toSorted())
  await sql`
    insert into screening_waiter (address, invoice_id)
    select * from unnest(${waits.map(({ payer }) => payer)}::text[],
      ${waits.map(({ invoiceId }) => invoiceId)}::uuid[]) as given (address, invoice_id)
    order by address, invoice_id
    on conflict do nothing`
}

/**
 * Has the leaders derive invoices again whose payers are cleared by now. Goes by the rows alone, so that it
 * doesn't matter who has stored an answer and what happened since. Answers how many there were.
 */
export function releaseScreened(
  database: Database,
  limit: number,
  scope: Scope<InvoiceId> = EVERYTHING,
): Promise<number> {
  return database.begin(async (sql) => {
    // The invoice first, in the order of locks of a recalculation.
    const invoices = await sql<{ id: InvoiceId }[]>`
      select id from invoice where id in (
        select w.invoice_id from screening_waiter w join screening s using (address)
        where s.verdict = 'allow' and ${isInScope(sql, 'w.invoice_id', scope)} limit ${limit})
      order by id for update skip locked`
    const ids = invoices.map(({ id }) => id)
    if (ids.length === 0) return 0
    await sql`
      update invoice set settlement_state = 'due', held_parts = 0
      where id = any(${ids}::uuid[]) and settlement_state = 'screening'`
    await sql`
      delete from screening_waiter w using screening s
      where w.invoice_id = any(${ids}::uuid[]) and s.address = w.address and s.verdict = 'allow'`
    return ids.length
  })
}

/** Invoices that wait for payers who are cleared by now, but for these. */
export async function clearedInvoices(
  database: Database,
  limit: number,
  without: readonly InvoiceId[],
): Promise<InvoiceId[]> {
  const rows = await database<{ id: InvoiceId }[]>`
    select distinct w.invoice_id as id from screening_waiter w join screening s using (address)
    where s.verdict = 'allow' and ${isInScope(database, 'w.invoice_id', { of: null, without })}
    limit ${limit}`
  return rows.map(({ id }) => id)
}
