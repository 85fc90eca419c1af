import type { PublicClient } from 'viem'
import { accountNonce } from '../../chain/accounts.ts'
import { isRpcFault } from '../../chain/faults.ts'
import { type MinedReceipt, receiptsOf } from '../../chain/receipts.ts'
import { hasConfirmations } from '../../core/chain/depth.ts'
import type { Transaction } from '../../store/database.ts'
import { lockInvoicesOf } from '../../store/invoice/sweeps.ts'
import type { Attempt } from '../../store/relayer/attempts.ts'
import { quarantineKey } from '../../store/relayer/keys.ts'
import {
  type MinedAt,
  markMined,
  markNonceTaken,
  markReorganised,
  type RelayerTx,
  requestCancel,
} from '../../store/relayer/transactions.ts'
import { itemsOf, recordResults, reopenItems } from '../../store/relayer/workItems.ts'
import { attemptsOf, deriveAnew, isNews, type RelayerTurn } from './context.ts'
import { type ItemOutcome, idsOf } from './kinds/kind.ts'
import { kindOf } from './kinds/table.ts'
import { transact } from './transact.ts'

/** What the chain did with our transactions: mined, taken back, or replaced by somebody else's. */

/**
 * Looks for the receipts of transactions whose nonce is used, and for the blocks of those that were
 * mined. True when a row has changed.
 */
export async function observe(turn: RelayerTurn): Promise<boolean> {
  let isChanged = false
  for (const tx of turn.unfinished) {
    if (tx.state === 'mined' && (await isTakenBack(turn, tx))) {
      isChanged = (await takeBack(turn, tx)) || isChanged
    }
  }
  const passed = turn.unfinished.filter(
    (tx) => tx.state === 'signed' && tx.accountNonce < (turn.accountNonces.get(tx.address) ?? 0n),
  )
  if (passed.length === 0) return isChanged
  const hashes = passed.flatMap((tx) => attemptsOf(turn, tx.id).map(({ hash }) => hash))
  const receipts = await receiptsOf(turn.client.rpc, hashes)
  await turn.step('receipt_seen')
  const found = await Promise.all(passed.map((tx) => lookUp(turn, tx, receipts)))
  return isChanged || found.includes(true)
}

async function lookUp(
  turn: RelayerTurn,
  tx: RelayerTx,
  receipts: readonly MinedReceipt[],
): Promise<boolean> {
  const { memory, head, client, limits } = turn
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
    if (kindOf(tx.kind).isSingleUse && !isDeep) return false
    return recordMined(turn, tx, attempt, receipt)
  }
  const since = memory.missing.get(tx.id)
  if (since === undefined) memory.missing.set(tx.id, head.number)
  if (since === undefined || head.number - since < limits.takenNonceBlocks) return false
  return recordTakenNonce(turn, tx)
}

/** Stores where a transaction was mined and what it did, all in one database transaction. */
async function recordMined(
  turn: RelayerTurn,
  tx: RelayerTx,
  attempt: Attempt,
  receipt: MinedReceipt,
): Promise<boolean> {
  const { hash, block, blockHash } = receipt
  const ok = receipt.succeeded ? 'succeeded' : 'reverted'
  const at: MinedAt = { hash, block, blockHash, outcome: attempt.isCancel ? 'cancelled' : ok }
  const isRecorded = await transact(turn, async (sql) => {
    if (!(await markMined(sql, tx.id, at))) return false
    await turn.step('resolving')
    if (at.outcome === 'succeeded') await resolve(turn, sql, tx, receipt)
    return true
  })
  if (!isRecorded) return false
  await turn.step('resolved')
  const { id, accountNonce } = tx
  const level = at.outcome === 'succeeded' ? 'info' : 'warn'
  turn.log[level]({ tx: id, kind: tx.kind, accountNonce, ...at }, `transaction ${at.outcome}`)
  return true
}

async function resolve(
  turn: RelayerTurn,
  sql: Transaction,
  tx: RelayerTx,
  { hash, block, blockHash, logs }: MinedReceipt,
): Promise<void> {
  const kind = kindOf(tx.kind)
  const items = await itemsOf(sql, tx.id)
  await lockInvoicesOf(sql, idsOf(items))
  const outcomes = await kind.resolve(sql, tx.target, items, logs)
  // Money that has moved is booked, even for an item that had ended before a reorganisation.
  const done = outcomes.filter(({ ok, item }) => ok && item.state !== 'settled')
  const failed = outcomes.filter(({ ok, item }) => !ok && item.state === 'assigned')
  await recordResults(sql, 'settled', done.map(resultRow))
  // A failure counts at the chain's confirmations: a reorganisation could turn it into a success.
  await recordResults(sql, 'assigned', failed.map(resultRow))
  for (const { item } of done) {
    if (item.state === 'assigned') continue
    turn.log.error(
      { tx: tx.id, item: item.id },
      'an item that had failed was carried out after all',
    )
  }
  for (const { item, result } of failed) {
    turn.log.warn({ tx: tx.id, item: item.id, reason: result.error }, 'an item of a batch failed')
  }
  await deriveAnew(turn, sql, await kind.mined(sql, done, { txHash: hash, block, blockHash }))
}

function resultRow({ item, logIndex, result }: ItemOutcome) {
  return { id: item.id, logIndex, result }
}

/** True when another block is the chain's at the height where this transaction was mined. */
async function isTakenBack({ memory }: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  if (tx.minedBlock === null) return false
  const canonical = await memory.canonical.hashAt(tx.minedBlock)
  return canonical !== null && canonical !== tx.minedBlockHash
}

/** Undoes what a reorganised transaction did to the rows. Its bytes go out again. */
async function takeBack(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  const isTaken = await transact(turn, async (sql) => {
    if (!(await markReorganised(sql, tx))) return false
    const items = await itemsOf(sql, tx.id)
    await lockInvoicesOf(sql, idsOf(items))
    const settled = items.filter((item) => item.state === 'settled')
    await reopenItems(sql, tx.id)
    // Its items may have ended or moved on to another transaction since. Then the nonce alone is
    // needed, and what would be done by the old bytes is done, or was planned anew, elsewhere.
    const isNeeded = items.some(({ state }) => state === 'assigned' || state === 'settled')
    if (!isNeeded) await requestCancel(sql, tx.id)
    await deriveAnew(turn, sql, await kindOf(tx.kind).reopened(sql, settled))
    return true
  })
  if (!isTaken) return false
  const { id, minedBlock, minedHash } = tx
  turn.log.warn({ tx: id, minedBlock, minedHash }, 'a transaction was reorganised out of the chain')
  return true
}

/**
 * The nonce was used and no node knows a receipt of ours. Every node is asked before the key is
 * given up; its items wait until the chain can decide about them for good.
 */
async function recordTakenNonce(turn: RelayerTurn, tx: RelayerTx): Promise<boolean> {
  const { client, log, networkId, memory, head } = turn
  for (const rpc of client.each) {
    if (await isTakenByOther(turn, rpc, tx)) continue
    // Some blocks later again: a node that hangs must not hold up every turn.
    memory.missing.set(tx.id, head.number)
    return false
  }
  const note = `account nonce ${tx.accountNonce} was used by a transaction that is not ours`
  const isRecorded = await transact(turn, async (sql) => {
    if (!(await markNonceTaken(sql, tx.id, head.number))) return false
    await quarantineKey(sql, { networkId, address: tx.address }, note)
    return true
  })
  if (!isRecorded) return false
  memory.missing.delete(tx.id)
  log.error({ address: tx.address, tx: tx.id, note }, 'a relayer key is quarantined')
  return true
}

/** False also for a node that does not answer: it may know our receipt. */
async function isTakenByOther(
  turn: RelayerTurn,
  rpc: PublicClient,
  tx: RelayerTx,
): Promise<boolean> {
  const hashes = attemptsOf(turn, tx.id).map(({ hash }) => hash)
  try {
    const [nonce, receipts] = await Promise.all([
      accountNonce(rpc, tx.address, 'latest'),
      receiptsOf(rpc, hashes),
    ])
    return nonce > tx.accountNonce && receipts.length === 0
  } catch (error) {
    if (!isRpcFault(error)) throw error
    if (isNews(turn, `unasked ${tx.id}`, 60_000)) {
      turn.log.warn({ tx: tx.id }, 'a node does not say who used an account nonce; asking again')
    }
    return false
  }
}
