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
import type { RelayerContext } from './context.ts'
import { type DoneItem, type Evidence, type ItemFailure, subjectOf, type WorkKind } from './kind.ts'

/**
 * Items take each step together with the rows that they advance, in the caller's transaction. The functions return the
 * invoices to recalculate.
 */

interface Registered {
  readonly config: { readonly registry: readonly Chain[] }
}

/** Has items take a step that the chain shows. */
export async function advanceItems(
  context: Registered,
  sql: Transaction,
  kind: WorkKind,
  step: Exclude<Step, 'failed'>,
  items: readonly DoneItem[],
  at: MinedIn | null = null,
): Promise<InvoiceId[]> {
  if (items.length === 0) return []
  if (step === 'mined') await recordResults(sql, 'settled', items)
  const invoices: InvoiceId[] = []
  for (const [ledger, some] of byLedger(context, kind, items)) {
    const given = some.map(({ item, logIndex = null, result: details = {} }) => {
      return { id: subjectOf(item), logIndex, details }
    })
    const changed = await advance(sql, ledger, step, given, at)
    if (!ledger.leavesFigures) invoices.push(...invoicesOf(changed))
  }
  if (step === 'mined') await kind.mined?.(sql, items)
  if (step === 'confirmed') invoices.push(...((await kind.confirmed?.(sql, items)) ?? []))
  return invoices
}

/**
 * Settles an item by a transaction that isn't the one it was assigned to, at the chain's confirmations unless the leader
 * follows what others do. Null when that has carried out another one.
 */
export async function acceptEvidence(
  context: Registered,
  sql: Transaction,
  kind: WorkKind,
  evidence: Evidence,
): Promise<InvoiceId[] | null> {
  const { item, at, logIndex = null } = evidence
  const ledger = kind.ledger?.(item, context.config.registry)
  if (ledger?.hasOthers) {
    return (await settleByOthers(sql, ledger, subjectOf(item), { ...at, logIndex })) ? [] : null
  }
  const invoices = await advanceItems(context, sql, kind, 'mined', [evidence], at)
  return [...invoices, ...(await advanceItems(context, sql, kind, 'confirmed', [{ item }]))]
}

export function settledAmong(items: readonly WorkItem[]): DoneItem[] {
  return items.filter(({ state }) => state === 'settled').map((item) => ({ item }))
}

/** Ends items that have moved nothing. */
export async function failItems(
  context: RelayerContext,
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
  { log }: RelayerContext,
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
  const others = items.filter((_, i) => inPayload[i] === null).map((item) => ({ item }))
  const known = new Map<string, MerchantId>()
  for (const [ledger, some] of byLedger(context, kind, others)) {
    const ids = some.map(({ item }) => subjectOf(item))
    for (const [id, merchant] of await readMerchants(sql, ledger, ids)) known.set(id, merchant)
  }
  return items.map(({ subjectId }, i) => inPayload[i] ?? known.get(subjectId ?? '') ?? null)
}

function byLedger(
  { config }: Registered,
  kind: WorkKind,
  items: readonly DoneItem[],
): (readonly [Ledger, readonly DoneItem[]])[] {
  const ledgerOf = ({ item }: DoneItem) => kind.ledger?.(item, config.registry)
  return [...Map.groupBy(items, (one) => ledgerOf(one)?.table).values()].flatMap((some) => {
    const ledger = some[0] && ledgerOf(some[0])
    return ledger === undefined ? [] : [[ledger, some] as const]
  })
}
