import { asRefundId, type RefundId } from '../../core/base/ids.ts'
import type { Chain } from '../../core/chain/registry.ts'
import type { Transaction } from '../database/database.ts'
import type { MinedIn } from '../relayer/transactions.ts'
import {
  advance,
  advanceWithWork,
  type Changed,
  idsOf,
  type Ledger,
  MOVES,
  type Step,
} from '../relayer/transition.ts'
import { insertRefundEvents } from './events.ts'
import { type OrderRow, requeueForSigning } from './orders.ts'

/** What becomes of refunds of invoices and of paid requests. */

/** What all of them have in common. A failed item proves nothing about its refund: a signed order is anyone's to send. */
export const REFUNDS = {
  table: 'refund',
  words: MOVES,
  hasOthers: false,
  also: {
    mined: (sql) => sql`, waiting_for = null, waiting_since = null,
      log_index = case when r.x402_payment_id is not null then given.log_index end`,
    reopened: (sql) => sql`, log_index = null, distribution_id = null`,
    failed: (sql) => sql`, waiting_for = null, waiting_since = null`,
  },
} as const satisfies Partial<Ledger>

/** By how many times their amounts refunds change what is promised to them, and what they have brought back. */
export interface PromiseChange {
  readonly refunding: number
  readonly refunded: number
}

/** Moves the amounts of refunds between what their payments promise and have paid, and writes their events. */
export async function followRefunds(
  sql: Transaction,
  registry: readonly Chain[],
  step: Step,
  changed: readonly Changed[],
  move: (sql: Transaction, ids: readonly RefundId[], by: PromiseChange) => Promise<void>,
): Promise<void> {
  const after = promised(step === 'reopened' ? 'open' : step)
  for (const [was, some] of Map.groupBy(changed, (one) => one.was)) {
    const before = promised(was)
    const refunding = after.refunding - before.refunding
    const refunded = after.refunded - before.refunded
    const ids = idsOf(some).map(asRefundId)
    if (refunding !== 0 || refunded !== 0) await move(sql, ids, { refunding, refunded })
  }
  const ids = idsOf(changed).map(asRefundId)
  if (step === 'confirmed') await insertRefundEvents(sql, 'refund.completed', ids, registry)
  if (step === 'failed') await insertRefundEvents(sql, 'refund.failed', ids, registry)
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

/** What the payments of a refund in this state promise to it, and what it has brought back. */
function promised(status: string): PromiseChange {
  const isUnderWay = status === 'open' || status === 'mined'
  return { refunding: isUnderWay ? 1 : 0, refunded: status === 'confirmed' ? 1 : 0 }
}
