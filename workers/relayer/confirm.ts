import { receiptsOf } from '../../chain/receipts.ts'
import { hasConfirmations, isFinal, newestConfirmed } from '../../core/chain/depth.ts'
import type { InvoiceId } from '../../core/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { lockInvoicesOf } from '../../store/invoice/sweeps.ts'
import {
  markConfirmed,
  markFinal,
  type RelayerTx,
  unmarkForeign,
} from '../../store/relayer/transactions.ts'
import {
  endItems,
  itemsOf,
  recordResults,
  requeueItems,
  type WorkItem,
} from '../../store/relayer/workItems.ts'
import type { RelayerContext, TurnView } from './context.ts'
import { type Evidence, type ItemFailure, idsOf, type WorkKind } from './kinds/kind.ts'
import { kindOf } from './kinds/table.ts'
import { transact } from './transact.ts'

/**
 * What a transaction did counts once it has the chain's confirmations: sweeps are confirmed, failed
 * items end or are freed for another transaction. Only then may an item be assigned again, because
 * until then a reorganisation could bring the old bytes back to life.
 */

/** How often an item alone in its transaction may revert before a person has to look. */
const TRIES_MAX = 3

export async function confirmDeep(context: RelayerContext, view: TurnView): Promise<boolean> {
  const { chain } = context.client
  const head = view.head.number
  const finals: bigint[] = []
  let isChanged = false
  for (const tx of view.unfinished) {
    if (tx.minedBlock === null) continue
    const isFinalNow = isFinal(tx.minedBlock, head, chain.finalityDepth)
    if (tx.state === 'foreign') {
      // Nothing is known about the block that used the nonce, so its finality is waited for.
      if (isFinalNow) isChanged = (await decideForeign(context, view, tx)) || isChanged
    } else if (tx.state === 'mined' && hasConfirmations(tx.minedBlock, head, chain.confirmations)) {
      const canonical = await context.memory.canonical.hashAt(tx.minedBlock)
      if (canonical !== tx.minedBlockHash) continue
      if (!tx.isConfirmed) isChanged = (await confirm(context, view, tx)) || isChanged
      if (isFinalNow) finals.push(tx.id)
    }
  }
  await markFinal(context.database, finals)
  return isChanged || finals.length > 0
}

/** A foreign transaction's items are decided by the chain, unless our receipt turned up after all. */
async function decideForeign(
  context: RelayerContext,
  view: TurnView,
  tx: RelayerTx,
): Promise<boolean> {
  const hashes = (view.attempts.get(tx.id) ?? []).map(({ hash }) => hash)
  const receipts = await receiptsOf(context.client.rpc, hashes)
  if (receipts.length > 0) {
    context.log.warn({ tx: tx.id }, 'a receipt turned up for a transaction that was given up')
    await context.database.begin((sql) => unmarkForeign(sql, tx.id))
    return true
  }
  return confirm(context, view, tx)
}

async function confirm(context: RelayerContext, view: TurnView, tx: RelayerTx): Promise<boolean> {
  const { database, client } = context
  const kind = kindOf(tx.kind)
  const undone = (await itemsOf(database, tx.id)).filter((item) => item.state === 'assigned')
  const deepest = newestConfirmed(view.head.number, client.chain.confirmations)
  // Items of a single use are looked after by decide.ts, as soon as the transaction is mined.
  const isDecidedHere = undone.length > 0 && !kind.isSingleUse
  const evidence = isDecidedHere ? await kind.evidence(context, tx.target, undone, deepest) : []
  if (evidence === null) return false
  const isConfirmed = await transact(context, async (sql) => {
    if (!(await markConfirmed(sql, tx))) return false
    await context.step('confirming')
    const items = await itemsOf(sql, tx.id)
    await lockInvoicesOf(sql, idsOf(items))
    const settled = items.filter((item) => item.state === 'settled')
    const invoices = settled.length === 0 ? [] : await kind.confirmed(sql, settled, context)
    invoices.push(...(await acceptEvidence(context, sql, kind, evidence)))
    if (isDecidedHere) {
      const proven = new Set(evidence.map(({ item }) => item.id))
      const rest = items.filter((item) => item.state === 'assigned' && !proven.has(item.id))
      invoices.push(...(await endOrFree(context, sql, tx, kind, rest, items.length)))
    }
    if (invoices.length > 0)
      await context.onSettlementChanged(sql, [...new Set(invoices)].toSorted())
    return true
  })
  return isConfirmed ?? false
}

/** Items that the chain proves done by another transaction are settled with that one. */
async function acceptEvidence(
  context: RelayerContext,
  sql: Transaction,
  kind: WorkKind,
  evidence: readonly Evidence[],
): Promise<InvoiceId[]> {
  const invoices: InvoiceId[] = []
  for (const { item, at, result } of evidence) {
    await recordResults(sql, 'settled', [{ id: item.id, logIndex: null, result }])
    invoices.push(...(await kind.mined(sql, [{ item, logIndex: null }], at)))
    invoices.push(...(await kind.confirmed(sql, [item], context)))
  }
  return invoices
}

async function endOrFree(
  context: RelayerContext,
  sql: Transaction,
  tx: RelayerTx,
  kind: WorkKind,
  items: readonly WorkItem[],
  batchSize: number,
): Promise<InvoiceId[]> {
  if (items.length === 0) return []
  if (tx.state === 'foreign') {
    const reason = 'the account nonce of its transaction was used by somebody else'
    return end(sql, kind, 'failed', reasons(items, reason))
  }
  if (tx.outcome === 'succeeded') {
    return end(sql, kind, 'failed', reasons(items, 'it failed'))
  }
  if (batchSize > 1) {
    const limit = Math.floor(batchSize / 2)
    await requeueItems(sql, idsOf(items), { batchLimit: limit, countTry: false, delayMs: 0 })
    context.log.warn(
      { tx: tx.id, items: items.length, limit },
      'a batch is sent again in smaller ones',
    )
    return []
  }
  const spent = items.filter((item) => item.tries + 1 >= TRIES_MAX)
  const again = items.filter((item) => item.tries + 1 < TRIES_MAX).map(({ id }) => id)
  await requeueItems(sql, again, {
    batchLimit: 1,
    countTry: true,
    delayMs: context.limits.revertPauseMs,
  })
  for (const item of spent) {
    context.log.error(
      { tx: tx.id, item: item.id },
      'a work item needs a person: it keeps reverting',
    )
  }
  return end(sql, kind, 'review', reasons(spent, `its transaction reverted ${TRIES_MAX} times`))
}

async function end(
  sql: Transaction,
  kind: WorkKind,
  state: 'failed' | 'review',
  failures: readonly ItemFailure[],
): Promise<InvoiceId[]> {
  for (const { item, reason } of failures) await endItems(sql, [item.id], state, reason)
  return failures.length === 0 ? [] : kind.failed(sql, failures)
}

/** The reason that the failure event gave, or else this one. */
function reasons(items: readonly WorkItem[], otherwise: string): ItemFailure[] {
  return items.map((item) => {
    const { result } = item
    const isTold = typeof result === 'object' && result !== null && 'error' in result
    return { item, reason: isTold ? String(result.error) : otherwise }
  })
}
