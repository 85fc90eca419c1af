import { receiptsOf } from '../../chain/transactions/receipts.ts'
import type { InvoiceId } from '../../core/base/ids.ts'
import { hasConfirmations, isFinal, newestConfirmed } from '../../core/chain/depth.ts'
import type { Transaction } from '../../store/database/database.ts'
import { lockInvoicesOf } from '../../store/invoice/sweeps.ts'
import { waitForHub } from '../../store/relayer/hubWaits.ts'
import {
  endTaken,
  markConfirmed,
  markFinal,
  type RelayerTx,
  reclaimNonce,
} from '../../store/relayer/transactions.ts'
import {
  assignedTo,
  itemsOf,
  lockAssigned,
  requeueItems,
  type WorkItem,
} from '../../store/relayer/workItems.ts'
import { pauseWallet } from '../../store/x402/wallets.ts'
import { attemptsOf, type RelayerTurn, recalculate } from './context.ts'
import {
  type Evidence,
  type Findings,
  type GasVerdicts,
  type ItemFailure,
  idsOf,
  kindOf,
  NOTHING_FOUND,
  type WorkKind,
  waitOf,
} from './kind.ts'
import { itemName, txName } from './stages.ts'
import { traceConfirmed } from './tracing.ts'
import { transact } from './transact.ts'
import { confirmItems, failItems, settleItems } from './transition.ts'

/**
 * What a transaction did counts once it has the chain's confirmations: sweeps are confirmed, failed
 * items end or are freed for another transaction. Only then may an item be assigned again, because
 * until then a reorganisation could have the old bytes mined again.
 */

/** How often an item alone in its transaction may revert before an operator has to decide. */
const TRIES_MAX = 3

/** Confirms what is deep enough, and ends what is deeper than reorganisations reach. */
export async function confirmDeep(turn: RelayerTurn): Promise<void> {
  const { confirmations, finalityDepth } = turn.client.chain
  const head = turn.head.number
  const deep = turn.unfinished.filter(({ state, minedBlock }) => {
    if (minedBlock === null || state === 'signed') return false
    // Another sender's transaction may be replaced by ours as long as a reorganisation can reach it.
    if (state === 'nonce_taken') return isFinal(minedBlock, head, finalityDepth)
    return hasConfirmations(minedBlock, head, confirmations)
  })
  const over = await turn.work.each('confirm', deep, txName, async (tx) => {
    const isOver = tx.state === 'mined' ? await confirm(turn, tx) : await isStillTaken(turn, tx)
    return isOver ? [tx] : []
  })
  await decideLeft(turn, over.flat())
  const finals = over
    .flat()
    .filter((tx) => tx.minedBlock !== null && isFinal(tx.minedBlock, head, finalityDepth))
  const ends = [
    ['mined', markFinal],
    ['nonce_taken', endTaken],
  ] as const
  for (const [of, end] of ends) {
    const those = finals.filter(({ state }) => state === of)
    await turn.work.together('final', those, txName, (some) => {
      return end(
        turn.database,
        some.map(({ id }) => id),
      )
    })
  }
}

/** Where another sender used the nonce, the chain decides, unless our receipt turned up after all. */
async function isStillTaken(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  const hashes = attemptsOf(turn, tx.id).map(({ hash }) => hash)
  const receipts = await receiptsOf(turn.client.rpc, hashes)
  if (receipts.length === 0) return true
  turn.log.warn({ tx: tx.id }, 'a receipt turned up for a transaction that was given up')
  await transact(turn, (sql) => reclaimNonce(sql, tx))
  return false
}

/** Confirms what a transaction did; what it left undone is decided item by item. */
async function confirm(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  if (tx.minedBlock === null) return false
  const canonical = await turn.memory.canonical.hashAt(tx.minedBlock)
  if (canonical !== tx.minedBlockHash) return false
  if (tx.isConfirmed) return true
  const kind = kindOf(turn, tx.kind)
  const isConfirmed = await transact(turn, async (sql) => {
    if (!(await markConfirmed(sql, tx))) return false
    await turn.step('confirming')
    const items = await itemsOf(sql, tx.id)
    await lockInvoicesOf(sql, idsOf(items))
    const settled = items.filter((item) => item.state === 'settled')
    await recalculate(turn, sql, await confirmItems(turn, sql, kind, settled))
    return true
  })
  if (isConfirmed !== true) return false
  await traceConfirmed(turn, tx.id)
  return true
}

/**
 * Decides what confirmed transactions left undone. Items of a single use are decided by decide.ts, as
 * soon as the transaction is mined.
 */
async function decideLeft(turn: RelayerTurn, over: readonly RelayerTx[]): Promise<void> {
  const txs = over.filter((tx) => tx.hasOpenItems && !kindOf(turn, tx.kind).isSingleUse)
  const left = await assignedTo(
    turn.database,
    txs.map(({ id }) => id),
  )
  for (const tx of txs) {
    const items = left.get(tx.id) ?? []
    await turn.work.together(
      'decide',
      items,
      ({ id }) => itemName(id),
      (some) => {
        return decideItems(turn, tx, some)
      },
    )
  }
}

/** Settles the items that the chain shows to be done all the same, and ends or frees the others. */
async function decideItems(
  turn: RelayerTurn,
  tx: RelayerTx,
  items: readonly WorkItem[],
): Promise<void> {
  const kind = kindOf(turn, tx.kind)
  const number = newestConfirmed(turn.head.number, turn.client.chain.confirmations)
  const hash = await turn.memory.canonical.hashAt(number)
  if (hash === null) return
  const findings =
    (await kind.evidence?.(turn, tx.target, items, { number, hash })) ?? NOTHING_FOUND
  const { found, open, deposits } = findings
  const known = items.filter(({ id }) => !open.has(id))
  const isFound = new Set(found.map(({ item }) => item.id))
  const undone = known.filter(({ id }) => !isFound.has(id))
  const wasRun = tx.state === 'mined' && tx.outcome !== 'cancelled' && undone.length > 0
  const gas = wasRun ? await kind.assessGas?.(turn, tx, undone, { number, hash }) : undefined
  const decided = known.filter(({ id }) => !gas?.open.has(id))
  if (decided.length === 0) return
  await transact(turn, async (sql) => {
    await lockInvoicesOf(sql, idsOf(decided))
    const locked = await lockAssigned(sql, tx.id, idsOf(decided))
    const isLocked = new Set(idsOf(locked))
    const proven = found.filter(({ item }) => isLocked.has(item.id))
    const isProven = new Set(proven.map(({ item }) => item.id))
    const invoices = await acceptEvidence(turn, sql, kind, proven)
    const rest = locked.filter(({ id }) => !isProven.has(id))
    const fair = gas === undefined ? rest : await settleGas(turn, sql, tx, rest, gas)
    invoices.push(...(await endOrFree(turn, sql, tx, fair, deposits)))
    await recalculate(turn, sql, invoices)
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
  for (const { item, at, logIndex = null, result } of evidence) {
    invoices.push(...(await settleItems(turn, sql, kind, [{ item, logIndex, result }], at)))
    invoices.push(...(await confirmItems(turn, sql, kind, [item])))
  }
  return invoices
}

/**
 * Ends items that may have burnt the gas of their transaction, and frees those that may have lacked it, each to
 * be tried once alone. Returns the others.
 */
async function settleGas(
  turn: RelayerTurn,
  sql: Transaction,
  tx: RelayerTx,
  items: readonly WorkItem[],
  { burners, starved, waster }: GasVerdicts,
): Promise<WorkItem[]> {
  const burnt = items.filter(({ id }) => burners.has(id))
  const again = items.filter(({ id }) => starved.has(id))
  await requeueItems(sql, idsOf(again), { batchLimit: 1, countTry: true, delayMs: 0 })
  if (waster !== null && again.length > 0) await pauseWallet(sql, waster)
  const reason = 'it used all gas of its transaction'
  await failItems(
    sql,
    kindOf(turn, tx.kind),
    'failed',
    burnt.map((item) => ({ item, reason, burner: burners.get(item.id) ?? undefined })),
  )
  if (burnt.length + again.length > 0) {
    turn.log.warn(
      { tx: tx.id, burners: [...burners], waster: waster?.payer, again: again.length },
      'the gas of a transaction was burnt: those that lacked it are sent alone',
    )
  }
  return items.filter(({ id }) => !burners.has(id) && !starved.has(id))
}

async function endOrFree(
  turn: RelayerTurn,
  sql: Transaction,
  tx: RelayerTx,
  items: readonly WorkItem[],
  deposits: Findings['deposits'],
): Promise<InvoiceId[]> {
  if (items.length === 0) return []
  const kind = kindOf(turn, tx.kind)
  if (tx.state === 'nonce_taken') {
    const reason = 'the account nonce of its transaction was used by another sender'
    return failItems(sql, kind, 'failed', reasons(items, reason, deposits))
  }
  if (tx.outcome === 'succeeded') {
    const waits = items.flatMap((item) => waitOf(item) ?? [])
    await waitForHub(sql, waits)
    await kind.refusedForNow?.(sql, waits)
    const ids = new Set(waits.map(({ itemId }) => itemId))
    const waiting = items.filter(({ id }) => ids.has(id))
    const over = items.filter(({ id }) => !ids.has(id))
    await kind.waiting?.(sql, waiting, tx.minedBlock ?? 0n)
    return failItems(sql, kind, 'failed', reasons(over, 'it failed', deposits))
  }
  const { log, limits } = turn
  const batchSize = tx.itemCount
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
    log.error({ tx: tx.id, item: item.id }, 'a work item needs an operator: it keeps reverting')
  }
  return failItems(
    sql,
    kind,
    'review',
    reasons(spent, `its transaction reverted ${TRIES_MAX} times`),
  )
}

/** The reason that the failure event gave, or else this one. */
function reasons(
  items: readonly WorkItem[],
  otherwise: string,
  deposits?: Findings['deposits'],
): ItemFailure[] {
  return items.map((item) => {
    const { result } = item
    const isGiven = typeof result === 'object' && result !== null && 'error' in result
    const deposit = deposits?.get(item.id)
    return { item, reason: isGiven ? String(result.error) : otherwise, deposit }
  })
}
