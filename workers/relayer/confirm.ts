import { receiptsOf } from '../../chain/receipts.ts'
import { hasConfirmations, isFinal, newestConfirmed } from '../../core/chain/depth.ts'
import type { InvoiceId } from '../../core/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { lockInvoicesOf } from '../../store/invoice/sweeps.ts'
import {
  markConfirmed,
  markFinal,
  type RelayerTx,
  unmarkNonceTaken,
} from '../../store/relayer/transactions.ts'
import {
  endItems,
  itemsOf,
  recordResults,
  requeueItems,
  type WorkItem,
} from '../../store/relayer/workItems.ts'
import { attemptsOf, deriveAnew, type RelayerTurn } from './context.ts'
import { type Evidence, type ItemFailure, idsOf, type WorkKind } from './kinds/kind.ts'
import { kindOf } from './kinds/table.ts'
import { transact } from './transact.ts'

/**
 * What a transaction did counts once it has the chain's confirmations: sweeps are confirmed, failed
 * items end or are freed for another transaction. Only then may an item be assigned again, because
 * until then a reorganisation could have the old bytes mined again.
 */

/** How often an item alone in its transaction may revert before a person has to look. */
const TRIES_MAX = 3

/** Confirms what is deep enough, and ends what is deeper than reorganisations reach. */
export async function confirmDeep(turn: RelayerTurn): Promise<void> {
  const { confirmations, finalityDepth } = turn.client.chain
  const head = turn.head.number
  const finals: bigint[] = []
  for (const tx of turn.unfinished) {
    if (tx.minedBlock === null) continue
    const isTooDeep = isFinal(tx.minedBlock, head, finalityDepth)
    if (tx.state === 'nonce_taken') {
      // Nothing is known about the block that used the nonce, so its finality is waited for.
      if (isTooDeep) await decideTakenNonce(turn, tx)
    } else if (tx.state === 'mined' && hasConfirmations(tx.minedBlock, head, confirmations)) {
      const canonical = await turn.memory.canonical.hashAt(tx.minedBlock)
      if (canonical !== tx.minedBlockHash) continue
      if (!tx.isConfirmed) await confirm(turn, tx)
      if (isTooDeep) finals.push(tx.id)
    }
  }
  await markFinal(turn.database, finals)
}

/** Where another sender used the nonce, the chain decides, unless our receipt turned up after all. */
async function decideTakenNonce(turn: RelayerTurn, tx: RelayerTx): Promise<void> {
  const hashes = attemptsOf(turn, tx.id).map(({ hash }) => hash)
  const receipts = await receiptsOf(turn.client.rpc, hashes)
  if (receipts.length === 0) return confirm(turn, tx)
  turn.log.warn({ tx: tx.id }, 'a receipt turned up for a transaction that was given up')
  await turn.database.begin((sql) => unmarkNonceTaken(sql, tx.id))
}

async function confirm(turn: RelayerTurn, tx: RelayerTx): Promise<void> {
  const { database, client, head } = turn
  const kind = kindOf(tx.kind)
  const undone = (await itemsOf(database, tx.id)).filter((item) => item.state === 'assigned')
  const deepest = newestConfirmed(head.number, client.chain.confirmations)
  // Items of a single use are decided by decide.ts, as soon as the transaction is mined.
  const isDecidedHere = undone.length > 0 && !kind.isSingleUse
  const evidence = isDecidedHere ? await kind.evidence(turn, tx.target, undone, deepest) : []
  if (evidence === null) return
  await transact(turn, async (sql) => {
    if (!(await markConfirmed(sql, tx))) return
    await turn.step('confirming')
    const items = await itemsOf(sql, tx.id)
    await lockInvoicesOf(sql, idsOf(items))
    const settled = items.filter((item) => item.state === 'settled')
    const invoices = settled.length === 0 ? [] : await kind.confirmed(sql, settled, turn)
    invoices.push(...(await acceptEvidence(turn, sql, kind, evidence)))
    if (isDecidedHere) {
      const proven = new Set(evidence.map(({ item }) => item.id))
      const rest = items.filter((item) => item.state === 'assigned' && !proven.has(item.id))
      invoices.push(...(await endOrFree(turn, sql, tx, rest, items.length)))
    }
    await deriveAnew(turn, sql, invoices)
  })
}

/** Items that the chain proves done by another transaction are settled with that one. */
async function acceptEvidence(
  turn: RelayerTurn,
  sql: Transaction,
  kind: WorkKind,
  evidence: readonly Evidence[],
): Promise<InvoiceId[]> {
  const invoices: InvoiceId[] = []
  for (const { item, at, result } of evidence) {
    await recordResults(sql, 'settled', [{ id: item.id, logIndex: null, result }])
    invoices.push(...(await kind.mined(sql, [{ item, logIndex: null }], at)))
    invoices.push(...(await kind.confirmed(sql, [item], turn)))
  }
  return invoices
}

async function endOrFree(
  { log, limits }: RelayerTurn,
  sql: Transaction,
  tx: RelayerTx,
  items: readonly WorkItem[],
  batchSize: number,
): Promise<InvoiceId[]> {
  if (items.length === 0) return []
  if (tx.state === 'nonce_taken') {
    const reason = 'the account nonce of its transaction was used by somebody else'
    return end(sql, tx, 'failed', reasons(items, reason))
  }
  if (tx.outcome === 'succeeded') {
    return end(sql, tx, 'failed', reasons(items, 'it failed'))
  }
  if (batchSize > 1) {
    const limit = Math.floor(batchSize / 2)
    await requeueItems(sql, idsOf(items), { batchLimit: limit, countTry: false, delayMs: 0 })
    log.warn({ tx: tx.id, items: items.length, limit }, 'a batch is sent again in smaller ones')
    return []
  }
  const spent = items.filter((item) => item.tries + 1 >= TRIES_MAX)
  const again = items.filter((item) => item.tries + 1 < TRIES_MAX)
  const delayMs = limits.revertPauseMs
  await requeueItems(sql, idsOf(again), { batchLimit: 1, countTry: true, delayMs })
  for (const item of spent) {
    log.error({ tx: tx.id, item: item.id }, 'a work item needs a person: it keeps reverting')
  }
  return end(sql, tx, 'review', reasons(spent, `its transaction reverted ${TRIES_MAX} times`))
}

async function end(
  sql: Transaction,
  tx: RelayerTx,
  state: 'failed' | 'review',
  failures: readonly ItemFailure[],
): Promise<InvoiceId[]> {
  for (const { item, reason } of failures) await endItems(sql, [item.id], state, reason)
  return failures.length === 0 ? [] : kindOf(tx.kind).failed(sql, failures)
}

/** The reason that the failure event gave, or else this one. */
function reasons(items: readonly WorkItem[], otherwise: string): ItemFailure[] {
  return items.map((item) => {
    const { result } = item
    const isGiven = typeof result === 'object' && result !== null && 'error' in result
    return { item, reason: isGiven ? String(result.error) : otherwise }
  })
}
