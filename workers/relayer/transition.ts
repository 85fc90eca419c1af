import type { Logger } from 'pino'
import { asMerchantId, type InvoiceId, type MerchantId } from '../../core/base/ids.ts'
import type { Chain } from '../../core/chain/registry.ts'
import type { Transaction } from '../../store/database/database.ts'
import type { MinedIn } from '../../store/relayer/transactions.ts'
import {
  advance,
  invoicesOf,
  type Ledger,
  readMerchants,
  type Step,
  settleByOthers,
} from '../../store/relayer/transition.ts'
import { endItems, recordResults, type WorkItem } from '../../store/relayer/workItems.ts'
import { type DoneItem, type Evidence, type ItemFailure, subjectOf, type WorkKind } from './kind.ts'

/**
 * Items take each step together with the rows that they advance, in the caller's transaction. The functions return the
 * invoices to recalculate.
 */

interface Registered {
  readonly config: { readonly registry: readonly Chain[] }
}

interface Logging {
  readonly log: Logger
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
    done.map(({ item, result }) => ({ id: item.id, result })),
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

/**
 * Settles an item by a transaction that isn't the one it was assigned to, at the chain's confirmations unless the leader
 * follows what others do. Null when that has carried out another one.
 */
export async function acceptEvidence(
  context: Registered,
  sql: Transaction,
  kind: WorkKind,
  { item, at, logIndex: index, result }: Evidence,
): Promise<InvoiceId[] | null> {
  const logIndex = index ?? null
  const ledger = kind.ledger?.(item, context.config.registry)
  if (ledger?.hasOthers) {
    return (await settleByOthers(sql, ledger, subjectOf(item), { ...at, logIndex })) ? [] : null
  }
  const invoices = await settleItems(context, sql, kind, [{ item, logIndex, result }], at)
  return [...invoices, ...(await confirmItems(context, sql, kind, [item]))]
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
  context: Logging,
  sql: Transaction,
  kind: WorkKind,
  failures: readonly ItemFailure[],
): Promise<InvoiceId[]> {
  const isReviewed = ({ needsReview }: ItemFailure) => needsReview === true
  await reviewItems(context, sql, failures.filter(isReviewed))
  await endItems(
    sql,
    failures.filter((one) => !isReviewed(one)),
    'failed',
  )
  return failures.length === 0 ? [] : ((await kind.failed?.(sql, failures)) ?? [])
}

/** Leaves items to an operator. */
export async function reviewItems(
  { log }: Logging,
  sql: Transaction,
  items: readonly Pick<ItemFailure, 'item' | 'reason'>[],
): Promise<void> {
  await endItems(sql, items, 'review')
  for (const { item, reason } of items) {
    log.error({ item: item.id, kind: item.kind, reason }, 'a work item needs an operator')
  }
}

/** The merchants that items are for, in their order; null for none. */
export async function merchantsOf(
  context: Registered,
  sql: Transaction,
  kind: WorkKind,
  items: readonly WorkItem[],
): Promise<(MerchantId | null)[]> {
  const inPayload = items.map(({ payload }) => {
    const isNamed = typeof payload === 'object' && payload !== null && 'merchantId' in payload
    return isNamed ? asMerchantId(String(payload.merchantId)) : null
  })
  const others = items.filter((_, i) => inPayload[i] === null)
  const known = new Map<string, MerchantId>()
  for (const [ledger, some] of byLedger(context, kind, others.map(withoutLog))) {
    const ids = some.map(({ item }) => subjectOf(item))
    for (const [id, merchant] of await readMerchants(sql, ledger, ids)) known.set(id, merchant)
  }
  return items.map(({ subjectId }, i) => inPayload[i] ?? known.get(subjectId ?? '') ?? null)
}

async function advanceRows(
  context: Registered,
  sql: Transaction,
  kind: WorkKind,
  step: Step,
  done: readonly DoneItem[],
  at: MinedIn | null = null,
): Promise<InvoiceId[]> {
  const invoices: InvoiceId[] = []
  for (const [ledger, some] of byLedger(context, kind, done)) {
    const given = some.map(({ item, logIndex, result: details }) => {
      return { id: subjectOf(item), logIndex, details }
    })
    const changed = await advance(sql, ledger, step, given, at)
    if (!ledger.leavesFigures) invoices.push(...invoicesOf(changed))
  }
  return invoices
}

function byLedger(
  { config }: Registered,
  kind: WorkKind,
  done: readonly DoneItem[],
): (readonly [Ledger, readonly DoneItem[]])[] {
  const ledgerOf = ({ item }: DoneItem) => kind.ledger?.(item, config.registry)
  return [...Map.groupBy(done, (one) => ledgerOf(one)?.table).values()].flatMap((some) => {
    const ledger = some[0] && ledgerOf(some[0])
    return ledger === undefined ? [] : [[ledger, some] as const]
  })
}

function withoutLog(item: WorkItem): DoneItem {
  return { item, logIndex: null, result: {} }
}
