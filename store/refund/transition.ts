import { asRefundId, type InvoiceId } from '../../core/base/ids.ts'
import type { Chain } from '../../core/chain/registry.ts'
import type { Transaction } from '../database/database.ts'
import { notifySessions } from '../invoice/sessionNews.ts'
import type { MinedIn } from '../relayer/transactions.ts'
import { advance, advanceWithWork, idsOf, type Ledger, MOVES } from '../relayer/transition.ts'
import { insertRefundEvents } from './events.ts'
import { type OrderRow, requeueForSigning } from './orders.ts'

/** What becomes of refunds of invoices and of paid requests. */

/**
 * How refunds of invoices advance, or those of paid requests. A failed item proves nothing about its refund: a signed
 * order is anyone's to send.
 */
export function refunds(registry: readonly Chain[], isOfInvoice: boolean): Ledger {
  return {
    table: 'refund',
    words: MOVES,
    isOfInvoice,
    hasOthers: false,
    also: {
      mined: (sql) => sql`, waiting_for = null, waiting_since = null,
        log_index = case when r.x402_payment_id is not null then given.log_index end`,
      reopened: (sql) => sql`, log_index = null, distribution_id = null`,
      failed: (sql) => sql`, waiting_for = null, waiting_since = null`,
    },
    async lock(sql, ids) {
      if (!isOfInvoice) await lockPaymentsOf(sql, ids)
    },
    async derive(sql, step, changed) {
      const move = isOfInvoice ? moveParts : movePayments
      const after = promised(step === 'reopened' ? 'open' : step)
      for (const [was, some] of Map.groupBy(changed, (one) => one.was)) {
        const before = promised(was)
        const refunding = after.refunding - before.refunding
        const refunded = after.refunded - before.refunded
        if (refunding !== 0 || refunded !== 0) await move(sql, idsOf(some), { refunding, refunded })
      }
      const ids = idsOf(changed).map(asRefundId)
      if (step === 'confirmed') await insertRefundEvents(sql, 'refund.completed', ids, registry)
      if (step === 'failed') await insertRefundEvents(sql, 'refund.failed', ids, registry)
    },
  }
}

/** What payments promise to their refunds and have paid back, in times of the refunds' amounts. */
interface Promised {
  readonly refunding: number
  readonly refunded: number
}

/** Of a refund in this state. */
function promised(status: string): Promised {
  const isUnderWay = status === 'open' || status === 'mined'
  return { refunding: isUnderWay ? 1 : 0, refunded: status === 'confirmed' ? 1 : 0 }
}

/** Locks what refunds are taken from, before the refunds themselves, in the order of a request. */
async function lockPaymentsOf(sql: Transaction, ids: readonly string[]): Promise<void> {
  await sql`
    select id from x402_payment where id in (
      select x402_payment_id from refund where id = any(${[...ids]}::uuid[]))
    order by id for update`
}

/** Moves refunded amounts in the paid requests. */
async function movePayments(sql: Transaction, ids: readonly string[], by: Promised): Promise<void> {
  await sql`
    update x402_payment p set refunding = p.refunding + ${by.refunding} * moved.amount,
      refunded = p.refunded + ${by.refunded} * moved.amount, version = p.version + 1
    from (
      select x402_payment_id, sum(amount) as amount from refund
      where id = any(${[...ids]}::uuid[]) group by x402_payment_id) as moved
    where p.id = moved.x402_payment_id`
}

/** Moves refunded amounts in the payments of invoices, and notifies their payers. */
async function moveParts(sql: Transaction, ids: readonly string[], by: Promised): Promise<void> {
  const changed = await sql<{ invoiceId: InvoiceId }[]>`
    update payment p set refunding = p.refunding + ${by.refunding} * moved.amount,
      refunded = p.refunded + ${by.refunded} * moved.amount
    from (
      select payment_id, sum(amount) as amount from refund_part
      where refund_id = any(${[...ids]}::uuid[]) group by payment_id) as moved
    where p.id = moved.payment_id
    returning p.invoice_id`
  await notifySessions(
    sql,
    changed.map((row) => row.invoiceId),
  )
}

/**
 * Ends a refund whose time is over, under the lock of its work or invoice. One that another sender carried out is booked
 * where that happened. One that has waited for the hub all the time, or whose number the hub has spent for another
 * order (`isLost`), is signed again. False when nothing has changed.
 */
export async function endOrder(
  sql: Transaction,
  ledger: Ledger,
  { refundId: id, itemId, itemState, waitingFor }: OrderRow,
  at: (MinedIn & { readonly logIndex: number }) | null,
  isLost: boolean,
): Promise<boolean> {
  if (at !== null) {
    await advance(sql, ledger, 'mined', [{ id, logIndex: at.logIndex }], at)
    return (await advance(sql, ledger, 'confirmed', [{ id }])).length > 0
  }
  const isQueued = itemState === 'queued'
  if (isLost || (waitingFor !== null && isQueued)) return requeueForSigning(sql, id, itemId, isLost)
  const late = [{ id, reason: 'it was not carried out in time' }]
  const failed = isQueued
    ? await advanceWithWork(sql, ledger, 'failed', late)
    : await advance(sql, ledger, 'failed', late)
  return failed.length > 0
}
