import type { InvoiceId } from '../../core/base/ids.ts'
import type { Chain } from '../../core/chain/registry.ts'
import type { Transaction } from '../../store/database/database.ts'
import type { MinedIn } from '../../store/relayer/transactions.ts'
import { advance, invoicesOf, type Step } from '../../store/relayer/transition.ts'
import { endItems, recordResults, type WorkItem } from '../../store/relayer/workItems.ts'
import { type DoneItem, type ItemFailure, subjectOf, type WorkKind } from './kind.ts'

/**
 * Items take each step together with the rows that they advance, in the caller's transaction. The functions return the
 * invoices to recalculate.
 */

interface Registered {
  readonly config: { readonly registry: readonly Chain[] }
}

/** Settles items that were carried out. */
export async function settleItems(
  context: Registered,
  sql: Transaction,
  kind: WorkKind,
  done: readonly DoneItem[],
  at: MinedIn,
): Promise<InvoiceId[]> {
  await recordResults(
    sql,
    'settled',
    done.map(({ item, logIndex, result }) => ({ id: item.id, logIndex, result })),
  )
  const invoices = await advanceRows(context, sql, kind, 'mined', done, at)
  if (done.length > 0) await kind.mined?.(sql, done)
  return invoices
}

/** What items have done has the chain's confirmations. */
export async function confirmItems(
  context: Registered,
  sql: Transaction,
  kind: WorkKind,
  items: readonly WorkItem[],
): Promise<InvoiceId[]> {
  if (items.length === 0) return []
  const done = items.map(withoutLog)
  const invoices = await advanceRows(context, sql, kind, 'confirmed', done)
  return [...invoices, ...((await kind.confirmed?.(sql, items)) ?? [])]
}

/** A reorganisation took away what items had done. */
export function reopenRows(
  context: Registered,
  sql: Transaction,
  kind: WorkKind,
  items: readonly WorkItem[],
): Promise<InvoiceId[]> {
  return advanceRows(context, sql, kind, 'reopened', items.map(withoutLog))
}

/** Ends items that have moved nothing. */
export async function failItems(
  sql: Transaction,
  kind: WorkKind,
  state: 'failed' | 'review',
  failures: readonly ItemFailure[],
): Promise<InvoiceId[]> {
  for (const { item, reason } of failures) await endItems(sql, [item.id], state, reason)
  return failures.length === 0 ? [] : ((await kind.failed?.(sql, failures)) ?? [])
}

async function advanceRows(
  { config }: Registered,
  sql: Transaction,
  kind: WorkKind,
  step: Step,
  done: readonly DoneItem[],
  at: MinedIn | null = null,
): Promise<InvoiceId[]> {
  const invoices: InvoiceId[] = []
  const ledgerOf = ({ item }: DoneItem) => kind.ledger?.(item, config.registry)
  for (const some of Map.groupBy(done, (one) => ledgerOf(one)?.table).values()) {
    const [first] = some
    const ledger = first && ledgerOf(first)
    if (ledger === undefined) continue
    const given = some.map(({ item, logIndex, result: details }) => {
      return { id: subjectOf(item), logIndex, details }
    })
    const changed = await advance(sql, ledger, step, given, at)
    if (!ledger.leavesFigures) invoices.push(...invoicesOf(changed))
  }
  return invoices
}

function withoutLog(item: WorkItem): DoneItem {
  return { item, logIndex: null, result: {} }
}
