import { trialSender } from '../../chain/x402/trial.ts'
import type { InvoiceId } from '../../core/base/ids.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import type { FoundDeposit } from '../../core/invoice/depositBooks.ts'
import type { Transaction } from '../../store/database/database.ts'
import { lockInvoicesOf } from '../../store/invoice/sweeps.ts'
import { waitForHub } from '../../store/relayer/hubWaits.ts'
import type { RelayerTx } from '../../store/relayer/transactions.ts'
import {
  assignedTo,
  lockAssigned,
  type Requeued,
  requeueItems,
  type WorkItem,
} from '../../store/relayer/workItems.ts'
import { type RelayerTurn, recalculate } from './context.ts'
import { priced } from './gas.ts'
import {
  type Fate,
  type Fates,
  type ItemFailure,
  kindOf,
  type Undone,
  type WorkKind,
} from './kind.ts'
import { errorIn, waitOf } from './outcomes.ts'
import { itemName, quarantinedItems } from './stages.ts'
import { transact } from './transact.ts'
import { acceptEvidence, failItems, reviewItems } from './transition.ts'

/**
 * What becomes of items that transactions have left undone: done by another one, failed, sent again, or left to an
 * operator. Until the chain's confirmations a reorganisation could have the old bytes mined again, so only items that
 * take effect once are decided before.
 */

/** How often an item alone in its transaction may revert before an operator has to decide. */
const TRIES_MAX = 3
/** Decided in one turn. */
const DECIDED_MAX = 500

/** Decides what is left of these transactions, the items of each kind together. */
export async function decideLeft(turn: RelayerTurn, over: readonly RelayerTx[]): Promise<void> {
  const txs = new Map(over.map((tx) => [tx.id, tx]))
  const without = quarantinedItems(turn.work, 'decide')
  const left = await assignedTo(turn.database, [...txs.keys()], without, DECIDED_MAX)
  const undone = left.flatMap(({ txId, ...item }): Undone[] => {
    const tx = txs.get(txId)
    return tx === undefined ? [] : [{ item, tx }]
  })
  const nameOf = ({ item }: Undone) => itemName(item.id)
  for (const [name, ofKind] of Map.groupBy(undone, ({ tx }) => tx.kind)) {
    const kind = kindOf(turn, name)
    await turn.work.together('decide', ofKind, nameOf, (some) => decide(turn, kind, some))
  }
}

async function decide(turn: RelayerTurn, kind: WorkKind, undone: readonly Undone[]): Promise<void> {
  const sender = async () => {
    const [address] = turn.accounts.keys()
    return address === undefined ? null : trialSender(address, (await priced(turn)).fees)
  }
  const fates = await (kind.judge?.({ ...turn, sender }, undone) ?? judge(turn, kind, undone))
  const decided = undone.filter(({ item }) => fates.has(item.id))
  if (decided.length === 0) return
  await transact(turn, async (sql) => {
    await lockInvoicesOf(sql, [...fates.keys()])
    const locked = await lockAssigned(sql, decided)
    const still = decided.filter(({ item }) => locked.has(item.id))
    const invoices = await carryOut(turn, sql, kind, still, fates)
    await turn.step('deciding')
    await recalculate(turn, sql, invoices)
  })
}

/** What becomes of items by what the chain shows at its confirmations. */
async function judge(turn: RelayerTurn, kind: WorkKind, undone: readonly Undone[]): Promise<Fates> {
  const fates = new Map<bigint, Fate>()
  const number = newestConfirmed(turn.head.number, turn.client.chain.confirmations)
  const hash = await turn.memory.canonical.hashAt(number)
  if (hash === null) return fates
  const view = { number, hash }
  for (const [tx, some] of Map.groupBy(undone, (one) => one.tx)) {
    const items = some.map(({ item }) => item)
    const shown = await kind.evidence?.(turn, tx.target, items, view)
    for (const evidence of shown?.found ?? []) {
      fates.set(evidence.item.id, { type: 'done', evidence })
    }
    const left = items.filter(({ id }) => !fates.has(id) && !shown?.open.has(id))
    const wasRun = tx.state === 'mined' && tx.outcome !== 'cancelled' && left.length > 0
    const gas = wasRun ? await kind.assessGas?.(turn, tx, left, view) : undefined
    if (gas === null) continue
    for (const item of left) {
      fates.set(item.id, gas?.get(item.id) ?? fateOf(turn, tx, item, shown?.deposits?.get(item.id)))
    }
    if (!gas?.size) continue
    const about = { tx: tx.id, items: [...gas.keys()] }
    turn.log.warn(about, 'the gas of a transaction was burnt: those that lacked it are sent alone')
  }
  return fates
}

/** What becomes of an item that is certainly not done, by how its transaction ended. */
function fateOf(
  { limits }: RelayerTurn,
  tx: RelayerTx,
  item: WorkItem,
  deposit: FoundDeposit | undefined,
): Fate {
  const because = (otherwise: string) => errorIn(item) ?? otherwise
  if (tx.state === 'nonce_taken') {
    const reason = because('the account nonce of its transaction was used by another sender')
    return { type: 'failed', reason, deposit }
  }
  if (tx.outcome === 'succeeded') {
    if (waitOf(item) !== null) return { type: 'waits' }
    return { type: 'failed', reason: because('it failed'), deposit }
  }
  const batchLimit = Math.max(1, Math.floor(tx.itemCount / 2))
  if (tx.itemCount > 1) return { type: 'again', batchLimit, countTry: false, delayMs: 0 }
  if (item.tries + 1 < TRIES_MAX) {
    return { type: 'again', batchLimit, countTry: true, delayMs: limits.revertPauseMs }
  }
  const reason = because(`its transaction reverted ${TRIES_MAX} times`)
  return { type: 'failed', reason, needsReview: true }
}

/** Has those of the items that are locked become what was found. Returns the invoices to recalculate. */
async function carryOut(
  turn: RelayerTurn,
  sql: Transaction,
  kind: WorkKind,
  undone: readonly Undone[],
  fates: Fates,
): Promise<InvoiceId[]> {
  const invoices: InvoiceId[] = []
  const again: Requeued[] = []
  const waiting: Undone[] = []
  const [failed, reviewed]: [ItemFailure[], ItemFailure[]] = [[], []]
  for (const { item, tx } of undone) {
    const fate = fates.get(item.id)
    if (fate?.type === 'done') {
      const changed = await acceptEvidence(turn, sql, kind, fate.evidence)
      if (changed !== null) invoices.push(...changed)
      else failed.push({ item, reason: fate.otherwise ?? 'it was done for another' })
    } else if (fate?.type === 'again') again.push({ ...fate, id: item.id })
    else if (fate?.type === 'waits') waiting.push({ item, tx })
    else if (fate?.type === 'failed') failed.push({ ...fate, item })
    else if (fate?.type === 'review') reviewed.push({ ...fate, item })
  }
  await requeueItems(sql, again)
  await waitForHub(
    sql,
    waiting.flatMap(({ item }) => waitOf(item) ?? []),
  )
  for (const [tx, some] of Map.groupBy(waiting, (one) => one.tx)) {
    const items = some.map(({ item }) => item)
    await kind.waiting?.(sql, items, tx.minedBlock ?? 0n)
  }
  invoices.push(...(await failItems(turn, sql, kind, failed)))
  await reviewItems(turn, sql, reviewed)
  for (const { item } of undone) await fates.get(item.id)?.also?.(sql)
  return invoices
}
