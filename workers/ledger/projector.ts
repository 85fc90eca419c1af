import { blockOfTransaction, headerAt } from '../../chain/blocks.ts'
import type { ChainClient } from '../../chain/client.ts'
import type { Config } from '../../core/config.ts'
import type { PaymentChange } from '../../core/events.ts'
import { classifyPayment, type Payment } from '../../core/invoice.ts'
import { tokenOn } from '../../core/registry.ts'
import { blockHashAt, readChainState, saveProjectedBlock } from '../../store/chainState.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { lockInvoice } from '../../store/ledger.ts'
import {
  confirmPayment,
  displacedPayments,
  type ObservedTransfer,
  pendingPayments,
  recordTransfer,
  revertPayment,
} from '../../store/payments.ts'
import { hasTransfer, newTransfers } from '../../store/transfers.ts'
import { advanceInvoice } from './advance.ts'

/** Copies what the indexer found into the ledger, and decides when it counts. */

/** How many rows one turn takes on; what is left waits for the next turn. */
const ROWS_PER_TURN = 500
/** Invoices advanced at the same time, each in a transaction of its own. */
const CONCURRENCY = 8

export interface Projection {
  readonly database: Database
  readonly config: Config
  readonly client: ChainClient
}

/** Records transfers that are new, or that are in another block now. Returns how many there were. */
export async function projectTransfers(context: Projection, now: Date): Promise<number> {
  const { database, client } = context
  const { networkId, chainId, finalityDepth } = client.chain
  const state = await readChainState(database, networkId)
  if (!state) return 0
  const fromBlock = state.projectedBlock - BigInt(finalityDepth)
  const { head, transfers } = await newTransfers(database, {
    networkId,
    chainId,
    fromBlock: fromBlock > 0n ? fromBlock : 0n,
    limit: ROWS_PER_TURN,
  })
  const byInvoice = Map.groupBy(transfers, (transfer) => transfer.invoiceId)
  await inParallel([...byInvoice], async ([invoiceId, found]) => {
    const observed = found.map(({ from, ...transfer }) => ({
      ...transfer,
      networkId,
      sender: from,
    }))
    await recordTransfers(context, invoiceId, observed, now)
  })
  const isComplete = transfers.length < ROWS_PER_TURN
  if (isComplete && head !== null && head !== state.projectedBlock) {
    await saveProjectedBlock(database, networkId, head)
  }
  return transfers.length
}

/** Records transfers to one invoice and advances it, in one transaction. */
export async function recordTransfers(
  { database, config }: Projection,
  invoiceId: string,
  transfers: readonly ObservedTransfer[],
  now: Date,
): Promise<void> {
  await database.begin(async (sql) => {
    const locked = await lockInvoice(sql, invoiceId)
    if (!locked) throw new Error(`a watched address names invoice ${invoiceId}, which is not there`)
    const changes: PaymentChange[] = []
    for (const transfer of transfers) {
      const chain = config.chains.find((c) => c.networkId === transfer.networkId)
      const token = chain && tokenOn(chain, locked.invoice.tokenSymbol)?.address
      const kind = classifyPayment(locked.invoice, token, transfer)
      changes.push(...(await recordTransfer(sql, invoiceId, transfer, kind)))
    }
    await advanceInvoice(sql, config, invoiceId, now, changes)
  })
}

/**
 * Confirms payments that are deep enough: the block that completes the confirmations exists, the
 * payment's block is canonical, and the node has the transaction's successful receipt in it.
 */
export async function confirmPayments(context: Projection, now: Date): Promise<number> {
  const { database, client } = context
  const { networkId, confirmations } = client.chain
  const state = await readChainState(database, networkId)
  if (!state) return 0
  const deepest = state.head - BigInt(confirmations) + 1n
  const payments = await pendingPayments(database, networkId, deepest, ROWS_PER_TURN)
  let confirmed = 0
  await inParallel([...Map.groupBy(payments, (p) => p.invoiceId)], async ([invoiceId, pending]) => {
    const deep: Payment[] = []
    for (const payment of pending) if (await isCanonical(context, payment)) deep.push(payment)
    if (deep.length === 0) return
    confirmed += deep.length
    await changePayments(context, invoiceId, deep, now, confirmPayment)
  })
  return confirmed
}

/**
 * Takes back payments whose block was displaced, when all three agree that they are gone: the
 * indexer's row, the indexer's head (which has passed the block again), and the node.
 */
export async function revertPayments(context: Projection, now: Date): Promise<number> {
  const { database, client } = context
  const { networkId, chainId } = client.chain
  const state = await readChainState(database, networkId)
  if (!state) return 0
  const displaced = await displacedPayments(database, networkId, ROWS_PER_TURN)
  let reverted = 0
  await inParallel([...Map.groupBy(displaced, (p) => p.invoiceId)], async ([invoiceId, all]) => {
    const gone: Payment[] = []
    for (const payment of all) {
      if (state.projectedBlock < payment.blockNumber) continue
      if (await hasTransfer(database, { chainId, ...payment })) continue
      const found = await blockOfTransaction(client.rpc, payment.txHash)
      if (found?.blockHash !== payment.blockHash) gone.push(payment)
    }
    if (gone.length === 0) return
    reverted += gone.length
    await changePayments(context, invoiceId, gone, now, revertPayment)
  })
  return reverted
}

async function isCanonical({ database, client }: Projection, payment: Payment): Promise<boolean> {
  const { networkId } = client.chain
  const [stored, receipt] = await Promise.all([
    blockHashAt(database, networkId, payment.blockNumber),
    blockOfTransaction(client.rpc, payment.txHash),
  ])
  // Blocks older than the stored ones were seen before a long pause; the node is asked instead.
  const canonical = stored ?? (await headerAt(client.rpc, payment.blockNumber))?.hash
  return canonical === payment.blockHash && receipt?.blockHash === payment.blockHash
}

async function changePayments(
  { database, config }: Projection,
  invoiceId: string,
  payments: readonly Payment[],
  now: Date,
  change: (sql: Transaction, payment: Payment, now: Date) => Promise<PaymentChange[]>,
): Promise<void> {
  await database.begin(async (sql) => {
    await lockInvoice(sql, invoiceId)
    const changes: PaymentChange[] = []
    for (const payment of payments) changes.push(...(await change(sql, payment, now)))
    await advanceInvoice(sql, config, invoiceId, now, changes)
  })
}

/** Runs the work of all entries, a few at a time, and fails when one of them failed. */
export async function inParallel<T>(
  entries: readonly T[],
  work: (entry: T) => Promise<void>,
): Promise<void> {
  const queue = entries.values()
  const lanes = Array.from({ length: Math.min(CONCURRENCY, entries.length) }, async () => {
    for (const entry of queue) await work(entry)
  })
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected')
  if (failed) throw failed.reason
}
