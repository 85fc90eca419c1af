import { headerAt } from '../../chain/blocks.ts'
import { blockOfTransaction } from '../../chain/receipts.ts'
import type { InvoiceId } from '../../core/ids.ts'
import { max, min } from '../../core/integers.ts'
import type { PaymentChange } from '../../core/invoice/events.ts'
import type { Payment } from '../../core/invoice/state.ts'
import { blockHashAt, saveProjectedBlock } from '../../store/chain/state.ts'
import { hasTransfer, newTransfers } from '../../store/chain/transfers.ts'
import type { Transaction } from '../../store/database.ts'
import { advanceLocked } from '../../store/invoice/advance.ts'
import { lockInvoiceRow } from '../../store/invoice/locking.ts'
import { recordTransfers } from '../../store/invoice/observations.ts'
import {
  confirmPayment,
  displacedPayments,
  pendingPayments,
  revertPayment,
} from '../../store/invoice/payments.ts'
import { chainState, confirmedBlock, type LedgerContext, type Progress } from './context.ts'

/** Copies what the indexer found into the ledger, and decides when it counts. */

/** How many rows one turn takes on; what is left waits for the next turn. */
const ROWS_PER_TURN = 500

/** Records transfers that are new, or that are in another block now. */
export async function projectTransfers(
  context: LedgerContext,
  now: Date,
): Promise<Progress & { readonly hasIndexerMoved: boolean }> {
  const { database, client, work } = context
  const { networkId, chainId, finalityDepth } = client.chain
  const { projectedBlock } = await chainState(context)
  const window = projectedBlock - BigInt(finalityDepth)
  const { head, transfers } = await newTransfers(database, {
    networkId,
    chainId,
    fromBlock: max(min(work.lowestUnread() ?? window, window), 0n),
    limit: ROWS_PER_TURN,
    without: work.putAside(now),
  })
  await work.eachOf(transfers, async (invoiceId, found) => {
    const observed = found.map(({ from: sender, ...rest }) => ({ ...rest, networkId, sender }))
    await recordTransfers(context, invoiceId, observed, now)
  })
  for (const { invoiceId, blockNumber } of transfers) work.readAgain(invoiceId, blockNumber)
  const isFull = transfers.length === ROWS_PER_TURN
  const hasIndexerMoved = !isFull && head !== null && head !== projectedBlock
  if (hasIndexerMoved) await saveProjectedBlock(database, networkId, head)
  return { changed: transfers.length, isFull, hasIndexerMoved }
}

/**
 * Confirms payments that are deep enough: the block that completes the confirmations exists, the
 * payment's block is canonical, and the node has the transaction's successful receipt in it.
 */
export async function confirmPayments(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const deepest = await confirmedBlock(context)
  const aside = work.putAside(now)
  const payments = await pendingPayments(database, networkId, deepest, aside, ROWS_PER_TURN)
  let changed = 0
  const displaced: Payment[] = []
  await work.eachOf(payments, async (invoiceId, pending) => {
    const deep: Payment[] = []
    for (const payment of pending) {
      const verdict = await standing(context, payment)
      if (verdict === 'canonical') deep.push(payment)
      if (verdict === 'displaced') displaced.push(payment)
    }
    if (deep.length === 0) return
    changed += deep.length
    await changePayments(context, invoiceId, deep, now, confirmPayment)
  })
  changed += await revertGone(context, displaced, now)
  return { changed, isFull: payments.length === ROWS_PER_TURN && changed > 0 }
}

/** Takes back payments whose block was displaced by a reorganisation. */
export async function revertPayments(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, client, work } = context
  const aside = work.putAside(now)
  const displaced = await displacedPayments(database, client.chain.networkId, aside, ROWS_PER_TURN)
  const changed = await revertGone(context, displaced, now)
  return { changed, isFull: displaced.length === ROWS_PER_TURN && changed > 0 }
}

/**
 * Takes a displaced payment back when all three agree that it is gone: the indexer's row, the
 * indexer's head (which has passed the block again), and the node.
 */
async function revertGone(
  context: LedgerContext,
  displaced: readonly Payment[],
  now: Date,
): Promise<number> {
  const { database, client, work } = context
  const { chainId } = client.chain
  const { projectedBlock } = await chainState(context)
  let reverted = 0
  await work.eachOf(displaced, async (invoiceId, all) => {
    const gone: Payment[] = []
    for (const payment of all) {
      if (projectedBlock < payment.blockNumber) continue
      if (await hasTransfer(database, { chainId, ...payment })) continue
      const found = await blockOfTransaction(client.rpc, payment.txHash)
      if (found !== payment.blockHash) gone.push(payment)
    }
    if (gone.length === 0) return
    reverted += gone.length
    await changePayments(context, invoiceId, gone, now, revertPayment)
  })
  return reverted
}

/** Whether a payment's block is canonical, displaced, or not known to the node yet. */
async function standing(
  { database, client }: LedgerContext,
  payment: Payment,
): Promise<'canonical' | 'displaced' | 'unknown'> {
  const { networkId } = client.chain
  const [stored, found] = await Promise.all([
    blockHashAt(database, networkId, payment.blockNumber),
    blockOfTransaction(client.rpc, payment.txHash),
  ])
  // Blocks that are not stored went by while nobody watched; the node is asked instead.
  const canonical = stored ?? (await headerAt(client.rpc, payment.blockNumber))?.hash
  if (canonical === undefined) return 'unknown'
  if (canonical !== payment.blockHash) return 'displaced'
  return found === payment.blockHash ? 'canonical' : 'unknown'
}

async function changePayments(
  { database, config }: LedgerContext,
  invoiceId: InvoiceId,
  payments: readonly Payment[],
  now: Date,
  change: (sql: Transaction, payment: Payment, now: Date) => Promise<PaymentChange[]>,
): Promise<void> {
  await database.begin(async (sql) => {
    const invoice = await lockInvoiceRow(sql, invoiceId)
    if (!invoice) throw new Error(`there is no invoice ${invoiceId}`)
    const changes: PaymentChange[] = []
    for (const payment of payments) changes.push(...(await change(sql, payment, now)))
    await advanceLocked(sql, config, invoice, now, changes)
  })
}
