import type { PublicClient } from 'viem'
import { accountNonces } from '../../chain/accounts.ts'
import { isRpcFault } from '../../chain/faults.ts'
import { type MinedReceipt, receiptsOf } from '../../chain/receipts.ts'
import { hasConfirmations } from '../../core/chain/depth.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { Transaction } from '../../store/database.ts'
import { lockInvoicesOf } from '../../store/invoice/sweeps.ts'
import { type Attempt, readAttempts } from '../../store/relayer/attempts.ts'
import { changeKeyStatus } from '../../store/relayer/keys.ts'
import {
  type MinedAt,
  markForeign,
  markMined,
  markReorganised,
  type RelayerTx,
  requestCancel,
} from '../../store/relayer/transactions.ts'
import { itemsOf, recordResults, reopenItems } from '../../store/relayer/workItems.ts'
import { isNews, type RelayerContext, type TurnView } from './context.ts'
import { idsOf } from './kinds/kind.ts'
import { kindOf } from './kinds/table.ts'
import { transact } from './transact.ts'

/** What the chain did with our transactions: mined, taken back, or replaced by somebody else's. */

/**
 * Looks for the receipts of transactions whose nonce is used, and for the blocks of those that were
 * mined. True when a row has changed.
 */
export async function observe(context: RelayerContext, view: TurnView): Promise<boolean> {
  let isChanged = false
  for (const tx of view.unfinished) {
    if (tx.state === 'mined' && (await isTakenBack(context, tx))) {
      isChanged = (await takeBack(context, tx)) || isChanged
    }
  }
  const passed = view.unfinished.filter(
    (tx) => tx.state === 'signed' && tx.accountNonce < (view.accountNonces.get(tx.address) ?? 0n),
  )
  if (passed.length === 0) return isChanged
  const hashes = passed.flatMap((tx) => (view.attempts.get(tx.id) ?? []).map(({ hash }) => hash))
  const receipts = await receiptsOf(context.client.rpc, hashes)
  await context.step('receipt_seen')
  const found = await Promise.all(
    passed.map((tx) => lookUp(context, view, tx, view.attempts.get(tx.id) ?? [], receipts)),
  )
  return isChanged || found.includes(true)
}

async function lookUp(
  context: RelayerContext,
  view: TurnView,
  tx: RelayerTx,
  attempts: readonly Attempt[],
  receipts: readonly MinedReceipt[],
): Promise<boolean> {
  const { memory } = context
  for (const attempt of attempts) {
    const receipt = receipts.find(({ hash }) => hash === attempt.hash)
    if (receipt === undefined) continue
    memory.missing.delete(tx.id)
    // A receipt of a block that isn't in our view of the chain has to wait for the next one.
    const canonical = await memory.canonical.hashAt(receipt.block)
    if (canonical !== receipt.blockHash) return false
    if (kindOf(tx.kind).isSingleUse && !isDeepEnough(context, view, receipt)) return false
    return recordMined(context, tx, attempt, receipt)
  }
  const since = memory.missing.get(tx.id)
  if (since === undefined) memory.missing.set(tx.id, view.head.number)
  if (since === undefined || view.head.number - since < context.limits.foreignBlocks) return false
  return recordForeign(context, view, tx, attempts)
}

/** Whoever waits for an x402 payment is answered at this depth. */
function isDeepEnough(
  { client }: RelayerContext,
  view: TurnView,
  { block }: MinedReceipt,
): boolean {
  return hasConfirmations(block, view.head.number, client.chain.x402Confirmations)
}

/** Stores where a transaction was mined and what it did, all in one database transaction. */
async function recordMined(
  context: RelayerContext,
  tx: RelayerTx,
  attempt: Attempt,
  receipt: MinedReceipt,
): Promise<boolean> {
  const ok = receipt.succeeded ? 'succeeded' : 'reverted'
  const at: MinedAt = {
    hash: receipt.hash,
    block: receipt.block,
    blockHash: receipt.blockHash,
    outcome: attempt.isCancel ? 'cancelled' : ok,
  }
  const isRecorded = await transact(context, async (sql) => {
    if (!(await markMined(sql, tx.id, at))) return false
    await context.step('resolving')
    if (at.outcome === 'succeeded') await resolve(context, sql, tx, at, receipt)
    return true
  })
  if (!isRecorded) return false
  await context.step('resolved')
  const { id, accountNonce } = tx
  const level = at.outcome === 'succeeded' ? 'info' : 'warn'
  context.log[level]({ tx: id, kind: tx.kind, accountNonce, ...at }, `transaction ${at.outcome}`)
  return true
}

async function resolve(
  context: RelayerContext,
  sql: Transaction,
  tx: RelayerTx,
  at: MinedAt,
  receipt: MinedReceipt,
): Promise<void> {
  const kind = kindOf(tx.kind)
  const items = await itemsOf(sql, tx.id)
  await lockInvoicesOf(sql, idsOf(items))
  const outcomes = await kind.resolve(sql, tx.target, items, receipt.logs)
  // Money that has moved is booked, even for an item that had ended before a reorganisation.
  const done = outcomes.filter(({ ok, item }) => ok && item.state !== 'settled')
  const failed = outcomes.filter(({ ok, item }) => !ok && item.state === 'assigned')
  const row = ({ item, logIndex, result }: (typeof outcomes)[number]) => ({
    id: item.id,
    logIndex,
    result,
  })
  await recordResults(sql, 'settled', done.map(row))
  // A failure counts at the chain's confirmations: a reorganisation could turn it into a success.
  await recordResults(sql, 'assigned', failed.map(row))
  for (const { item } of done.filter(({ item }) => item.state !== 'assigned')) {
    context.log.error(
      { tx: tx.id, item: item.id },
      'an item that had failed was carried out after all',
    )
  }
  for (const { item, result } of failed) {
    context.log.warn(
      { tx: tx.id, item: item.id, reason: result.error },
      'an item of a batch failed',
    )
  }
  const swept = { txHash: at.hash, block: at.block, blockHash: at.blockHash }
  const invoices = await kind.mined(sql, done, swept)
  if (invoices.length > 0) await context.onSettlementChanged(sql, invoices.toSorted())
}

/** True when another block is the chain's at the height where this transaction was mined. */
async function isTakenBack({ memory }: RelayerContext, tx: RelayerTx): Promise<boolean> {
  if (tx.minedBlock === null) return false
  const canonical = await memory.canonical.hashAt(tx.minedBlock)
  return canonical !== null && canonical !== tx.minedBlockHash
}

/** Undoes what a reorganised transaction did to the rows. Its bytes go out again. */
async function takeBack(context: RelayerContext, tx: RelayerTx): Promise<boolean> {
  const isTaken = await transact(context, async (sql) => {
    if (!(await markReorganised(sql, tx))) return false
    const items = await itemsOf(sql, tx.id)
    await lockInvoicesOf(sql, idsOf(items))
    const settled = items.filter((item) => item.state === 'settled')
    await reopenItems(sql, tx.id)
    // Its items may have ended or moved on to another transaction since. Then the nonce alone is
    // needed, and what would be done by the old bytes is done, or was planned anew, elsewhere.
    const isNeeded = items.some(({ state }) => state === 'assigned' || state === 'settled')
    if (!isNeeded) await requestCancel(sql, tx.id)
    const invoices = await kindOf(tx.kind).reopened(sql, settled)
    if (invoices.length > 0) await context.onSettlementChanged(sql, invoices.toSorted())
    return true
  })
  if (!isTaken) return false
  const { id, minedBlock, minedHash } = tx
  context.log.warn(
    { tx: id, minedBlock, minedHash },
    'a transaction was reorganised out of the chain',
  )
  return true
}

/**
 * The nonce was used and no node knows a receipt of ours. Every node is asked before the key is
 * given up; its items wait for what the chain says once this is too deep to change.
 */
async function recordForeign(
  context: RelayerContext,
  view: TurnView,
  tx: RelayerTx,
  attempts: readonly Attempt[],
): Promise<boolean> {
  const { client, log, networkId } = context
  const hashes = attempts.map(({ hash }) => hash)
  for (const rpc of client.each) {
    if (await isForeignTo(context, rpc, tx, hashes)) continue
    // Some blocks later again: a node that hangs must not hold up every turn.
    context.memory.missing.set(tx.id, view.head.number)
    return false
  }
  const note = `account nonce ${tx.accountNonce} was used by a transaction that is not ours`
  const isForeign = await transact(context, async (sql) => {
    if (!(await markForeign(sql, tx.id, view.head.number))) return false
    const key = { networkId, address: tx.address }
    await changeKeyStatus(sql, key, ['active', 'draining', 'no_funds'], 'quarantined', note)
    return true
  })
  if (!isForeign) return false
  context.memory.missing.delete(tx.id)
  log.error({ address: tx.address, tx: tx.id, note }, 'a relayer key is quarantined')
  return true
}

/** False also for a node that does not answer: it may know our receipt. */
async function isForeignTo(
  context: RelayerContext,
  rpc: PublicClient,
  tx: RelayerTx,
  hashes: readonly Hex[],
): Promise<boolean> {
  try {
    const [nonces, receipts] = await Promise.all([
      accountNonces(rpc, [tx.address]),
      receiptsOf(rpc, hashes),
    ])
    return (nonces.get(tx.address) ?? 0n) > tx.accountNonce && receipts.length === 0
  } catch (error) {
    if (!isRpcFault(error)) throw error
    if (isNews(context, `unasked ${tx.id}`, 60_000)) {
      context.log.warn({ tx: tx.id }, 'a node does not say who used an account nonce; asking again')
    }
    return false
  }
}

/** The attempts of everything that is still open, or whose end is not decided. */
export function attemptsOf(
  { database }: RelayerContext,
  unfinished: readonly RelayerTx[],
): Promise<Map<bigint, Attempt[]>> {
  const open = unfinished.filter(({ state }) => state === 'signed' || state === 'foreign')
  return readAttempts(
    database,
    open.map(({ id }) => id),
  )
}
