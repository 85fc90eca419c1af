import { type MinedReceipt, receiptsOf } from '../../chain/transactions/receipts.ts'
import { hasConfirmations } from '../../core/chain/depth.ts'
import { splitGas } from '../../core/chain/gasShares.ts'
import type { Transaction } from '../../store/database/database.ts'
import { requestHubRead } from '../../store/hub/hubStates.ts'
import { lockInvoicesOf } from '../../store/invoice/sweeps.ts'
import type { Attempt } from '../../store/relayer/attempts.ts'
import { noteGas } from '../../store/relayer/gas.ts'
import { quarantineKey } from '../../store/relayer/keys.ts'
import {
  type MinedAt,
  markMined,
  markNonceTaken,
  markReorganised,
  type RelayerTx,
  reclaimNonce,
  requestCancel,
} from '../../store/relayer/transactions.ts'
import {
  itemsOf,
  recordResults,
  reopenItems,
  type WorkItem,
} from '../../store/relayer/workItems.ts'
import { attemptsOf, openOf, type RelayerTurn, recalculate } from './context.ts'
import { type ItemOutcome, idsOf, kindOf } from './kind.ts'
import { findNonceUse } from './nonces.ts'
import { txName } from './stages.ts'
import { traceMined } from './tracing.ts'
import { transact } from './transact.ts'
import { advanceItems, merchantsOf, settledAmong } from './transition.ts'

/** What the chain did with our transactions: mined, reorganised, or replaced by another sender's. */

/**
 * Searches the receipts of transactions whose nonce is used, and for the blocks of those that were
 * mined. True when a row has changed.
 */
export async function observe(turn: RelayerTurn): Promise<boolean> {
  const mined = turn.unfinished.filter(({ state }) => state === 'mined')
  const reorganised = await turn.work.each('observe', mined, txName, async (tx) => {
    return (await isDisplaced(turn, tx)) && (await reorganise(turn, tx))
  })
  const passed = turn.unfinished.filter(
    (tx) => tx.state === 'signed' && tx.accountNonce < (turn.accountNonces.get(tx.address) ?? 0n),
  )
  const found = await turn.work.each('observe', passed, txName, (tx) => lookUp(turn, tx))
  const taken = turn.unfinished.filter(({ state }) => state === 'nonce_taken')
  const reclaimed = await turn.work.each('observe', taken, txName, async (tx) => {
    return (await isDisplaced(turn, tx)) && (await reclaim(turn, tx))
  })
  return [...reorganised, ...found, ...reclaimed].includes(true)
}

async function lookUp(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  const { memory, head, client } = turn
  if (!isLookupDue(turn, tx)) return false
  const hashes = attemptsOf(turn, tx.id).map(({ hash }) => hash)
  const receipts = await receiptsOf(client.rpc, hashes)
  await turn.step('receipt_seen')
  for (const attempt of attemptsOf(turn, tx.id)) {
    const receipt = receipts.find(({ hash }) => hash === attempt.hash)
    if (receipt === undefined) continue
    memory.missing.delete(tx.id)
    // A receipt of a block that isn't in our view of the chain has to wait for the next one.
    const canonical = await memory.canonical.hashAt(receipt.block)
    if (canonical !== receipt.blockHash) return false
    // Callers that wait for an x402 payment are answered at this depth.
    const { x402Confirmations } = client.chain
    const isDeep = hasConfirmations(receipt.block, head.number, x402Confirmations)
    const { isSingleUse, isAwaited } = kindOf(turn, tx.kind)
    if ((isSingleUse || isAwaited) && !isDeep) return false
    return recordMined(turn, tx, attempt, receipt)
  }
  // The receipt of a transaction that was just mined is often a moment late.
  if (!isSearchDue(turn, tx)) return false
  return (await turn.work.alone('watch', txName(tx), () => recordTakenNonce(turn, tx))) ?? false
}

/**
 * True when it is time to request receipts again: at each new head, and then after ever longer pauses. One that
 * is a moment late is found soon, and one that stays away isn't paid for at every tick.
 */
function isLookupDue({ memory, head }: RelayerTurn, { id }: RelayerTx): boolean {
  const now = performance.now()
  const before = memory.lookups.get(id)
  const since = before?.head === head.hash ? before.since : now
  if (before?.head === head.hash && now - before.at < before.at - since) return false
  memory.lookups.set(id, { head: head.hash, since, at: now })
  return true
}

/** True each time that it is to be searched again what used a transaction's account nonce. */
function isSearchDue({ memory, head, limits }: RelayerTurn, { id }: RelayerTx): boolean {
  const fresh = { queriedAt: head.number, since: Date.now() }
  const { queriedAt, since } = memory.missing.get(id) ?? fresh
  const isDue = head.number - queriedAt >= limits.takenNonceBlocks
  memory.missing.set(id, { queriedAt: isDue ? head.number : queriedAt, since })
  return isDue
}

/** Stores where a transaction was mined and what it did, all in one database transaction. */
async function recordMined(
  turn: RelayerTurn,
  tx: RelayerTx,
  attempt: Attempt,
  receipt: MinedReceipt,
): Promise<boolean> {
  const { hash, block, blockHash, gasCost } = receipt
  const kind = kindOf(turn, tx.kind)
  const ok = receipt.succeeded ? 'succeeded' : 'reverted'
  const at: MinedAt = { hash, block, blockHash, outcome: attempt.isCancel ? 'cancelled' : ok }
  const done = await transact(turn, async (sql) => {
    if (!(await markMined(sql, tx.id, at))) return null
    const items = await itemsOf(sql, tx.id)
    if (gasCost !== null) {
      // Noted while its items are still known to be its own.
      const merchants = await merchantsOf(turn, sql, kind, items)
      await noteGas(sql, tx.id, gasCost, splitGas(gasCost, merchants))
    }
    await turn.step('resolving')
    return at.outcome === 'succeeded' ? resolve(turn, sql, tx, items, receipt) : []
  })
  if (done === null) return false
  await turn.step('resolved')
  if (done.length > 0) {
    // Callers also poll, so that a failed notification is harmless.
    await kind.announce?.(turn.database, done).catch((err: unknown) => {
      turn.log.warn({ err, tx: tx.id }, 'waiting callers could not be notified of what is done')
    })
  }
  await traceMined(turn, tx.id, hash)
  const { id, accountNonce } = tx
  const level = at.outcome === 'succeeded' ? 'info' : 'warn'
  turn.log[level]({ tx: id, kind: tx.kind, accountNonce, ...at }, `transaction ${at.outcome}`)
  return true
}

/** Records the outcome of each item. Returns those that were carried out. */
async function resolve(
  turn: RelayerTurn,
  sql: Transaction,
  tx: RelayerTx,
  items: readonly WorkItem[],
  { hash, block, blockHash, logs }: MinedReceipt,
): Promise<readonly ItemOutcome[]> {
  const kind = kindOf(turn, tx.kind)
  await lockInvoicesOf(sql, idsOf(items))
  const outcomes = await kind.resolve(sql, tx.target, items, logs)
  // Money that has moved is booked, even for an item that had ended before a reorganisation.
  const done = outcomes.filter(({ ok, item }) => ok && item.state !== 'settled')
  const failed = outcomes.filter(({ ok, item }) => !ok && item.state === 'assigned')
  // A failure counts at the chain's confirmations: a reorganisation could turn it into a success.
  await recordResults(sql, 'assigned', failed)
  for (const { item } of done) {
    if (item.state === 'assigned') continue
    turn.log.error(
      { tx: tx.id, item: item.id },
      'an item that had failed was carried out after all',
    )
  }
  if (failed.some(({ result }) => 'wait' in result)) await requestHubRead(sql, turn.networkId)
  for (const { item, result } of failed) {
    const about = { tx: tx.id, item: item.id, reason: result.error }
    if ('wait' in result) turn.log.info(about, 'the hub does not take an item for now')
    else turn.log.warn(about, 'an item of a batch failed')
  }
  const at = { txHash: hash, block, blockHash }
  await recalculate(turn, sql, await advanceItems(turn, sql, kind, 'mined', done, at))
  return done
}

/** True when another block is the chain's at the height where this account nonce was used, by us or others. */
async function isDisplaced({ memory }: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  // A nonce that was given up without such a block.
  if (tx.minedBlock === null) return true
  const canonical = await memory.canonical.hashAt(tx.minedBlock)
  return canonical !== null && canonical !== tx.minedBlockHash
}

/** Undoes what a reorganised transaction did to the rows. Its bytes go out again. */
async function reorganise(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  const isTaken = await transact(turn, async (sql) => {
    if (!(await markReorganised(sql, tx))) return false
    const items = await itemsOf(sql, tx.id)
    await lockInvoicesOf(sql, idsOf(items))
    const done = settledAmong(items)
    await reopenItems(sql, tx.id)
    // Its items may have ended or moved on to another transaction since. Then the nonce alone is needed, and
    // what would be done by the old bytes is done, or was planned again, elsewhere.
    const isNeeded = items.some(({ state }) => state === 'assigned' || state === 'settled')
    if (!isNeeded) await requestCancel(sql, tx.id)
    const kind = kindOf(turn, tx.kind)
    await recalculate(turn, sql, await advanceItems(turn, sql, kind, 'reopened', done))
    return true
  })
  if (!isTaken) return false
  forgetSentAfter(turn, tx)
  const { id, minedBlock, minedHash } = tx
  turn.log.warn({ tx: id, minedBlock, minedHash }, 'a transaction was reorganised out of the chain')
  return true
}

/**
 * Nodes may drop from their pools what came after a nonce that has become open again. So it is sent again
 * in this turn, whether a node has taken it or not.
 */
function forgetSentAfter(turn: RelayerTurn, { address, accountNonce }: RelayerTx): void {
  for (const after of openOf(turn, address)) {
    if (after.accountNonce < accountNonce) continue
    for (const { hash } of attemptsOf(turn, after.id)) turn.memory.sent.delete(hash)
  }
}

/**
 * The nonce is used and there is no receipt of ours. Only the transaction that used it proves that it was
 * another sender's; its items wait until the chain can decide about them for good. Without that proof our
 * receipt may merely be late, and nothing is concluded.
 */
async function recordTakenNonce(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  const { client, log, networkId, memory, head } = turn
  const { id, address, accountNonce } = tx
  const use = await findNonceUse(client.rpc, memory.canonical, address, accountNonce, head)
  const isOurs = attemptsOf(turn, id).some(({ hash }) => hash === use?.hash)
  if (use === null || isOurs) {
    log.warn({ tx: id, use }, 'a transaction has no receipt, though its account nonce is used')
    return false
  }
  const note = `account nonce ${accountNonce} was used by a transaction that is not ours: ${use.hash}`
  const isRecorded = await transact(turn, async (sql) => {
    if (!(await markNonceTaken(sql, id, use))) return false
    await quarantineKey(sql, { networkId, address }, accountNonce, note)
    return true
  })
  if (!isRecorded) return false
  memory.missing.delete(id)
  log.error({ address, tx: id, note }, 'a relayer key is quarantined')
  return true
}

/** The nonce may be ours after all, and the key resumes. */
export async function reclaim(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  if (!(await transact(turn, (sql) => reclaimNonce(sql, tx)))) return false
  turn.log.warn({ tx: tx.id, takenBy: tx.takenBy }, 'an account nonce was not taken after all')
  return true
}
