import { headerAt } from '../../chain/blocks.ts'
import type { ChainClient } from '../../chain/client.ts'
import { blockOfTransaction } from '../../chain/receipts.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import type { Config } from '../../core/config/processes.ts'
import type { InvoiceId } from '../../core/ids.ts'
import type { PaymentChange } from '../../core/invoice/events.ts'
import type { Payment } from '../../core/invoice/state.ts'
import { blockHashAt, readChainState, saveProjectedBlock } from '../../store/chain/state.ts'
import { hasTransfer, newTransfers } from '../../store/chain/transfers.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { advanceInvoice } from '../../store/invoice/advance.ts'
import { lockInvoice } from '../../store/invoice/ledger.ts'
import { recordTransfers } from '../../store/invoice/observations.ts'
import {
  confirmPayment,
  displacedPayments,
  pendingPayments,
  revertPayment,
} from '../../store/invoice/payments.ts'
import type { InvoiceWork } from './invoices.ts'

/** Copies what the indexer found into the ledger, and decides when it counts. */

/** How many rows one turn takes on; what is left waits for the next turn. */
const ROWS_PER_TURN = 500
export interface Projection {
  readonly database: Database
  readonly config: Config
  readonly client: ChainClient
  readonly work: InvoiceWork
}

export interface Progress {
  /** How many rows changed. */
  readonly changed: number
  /** True when more may wait than one turn takes on. */
  readonly isFull: boolean
}

/** Records transfers that are new, or that are in another block now. */
export async function projectTransfers(
  context: Projection,
  now: Date,
): Promise<Progress & { readonly hasIndexerMoved: boolean }> {
  const { database, client, work } = context
  const { networkId, chainId, finalityDepth } = client.chain
  const state = await readChainState(database, networkId)
  if (!state) return { changed: 0, isFull: false, hasIndexerMoved: false }
  const window = state.projectedBlock - BigInt(finalityDepth)
  const unread = work.lowestUnread()
  const fromBlock = unread !== null && unread < window ? unread : window
  const aside = work.putAside(now)
  const { head, transfers } = await newTransfers(database, {
    networkId,
    chainId,
    fromBlock: fromBlock > 0n ? fromBlock : 0n,
    limit: ROWS_PER_TURN,
    without: aside,
  })
  const byInvoice = [...Map.groupBy(transfers, (transfer) => transfer.invoiceId)]
  await work.each(byInvoice, idOf, async ([invoiceId, found]) => {
    const observed = found.map(({ from, ...transfer }) => ({
      ...transfer,
      networkId,
      sender: from,
    }))
    await recordTransfers(context, invoiceId, observed, now)
  })
  for (const { invoiceId, blockNumber } of transfers) work.readAgain(invoiceId, blockNumber)
  const isFull = transfers.length === ROWS_PER_TURN
  const hasIndexerMoved = !isFull && head !== null && head !== state.projectedBlock
  if (hasIndexerMoved) await saveProjectedBlock(database, networkId, head)
  return { changed: transfers.length, isFull, hasIndexerMoved }
}

/**
 * Confirms payments that are deep enough: the block that completes the confirmations exists, the
 * payment's block is canonical, and the node has the transaction's successful receipt in it.
 */
export async function confirmPayments(context: Projection, now: Date): Promise<Progress> {
  const { database, client, work } = context
  const { networkId, confirmations } = client.chain
  const state = await readChainState(database, networkId)
  if (!state) return { changed: 0, isFull: false }
  const deepest = newestConfirmed(state.head, confirmations)
  const aside = work.putAside(now)
  const payments = await pendingPayments(database, networkId, deepest, aside, ROWS_PER_TURN)
  let changed = 0
  const displaced: Payment[] = []
  const byInvoice = [...Map.groupBy(payments, (p) => p.invoiceId)]
  await work.each(byInvoice, idOf, async ([invoiceId, pending]) => {
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
export async function revertPayments(context: Projection, now: Date): Promise<Progress> {
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
  context: Projection,
  displaced: readonly Payment[],
  now: Date,
): Promise<number> {
  const { database, client, work } = context
  const { networkId, chainId } = client.chain
  const state = await readChainState(database, networkId)
  if (!state) return 0
  let reverted = 0
  const byInvoice = [...Map.groupBy(displaced, (p) => p.invoiceId)]
  await work.each(byInvoice, idOf, async ([invoiceId, all]) => {
    const gone: Payment[] = []
    for (const payment of all) {
      if (state.projectedBlock < payment.blockNumber) continue
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

/** Whether a payment's block is the chain's own, another one is, or the node can't say yet. */
async function standing(
  { database, client }: Projection,
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
  { database, config }: Projection,
  invoiceId: InvoiceId,
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

function idOf([invoiceId]: readonly [InvoiceId, unknown]): InvoiceId {
  return invoiceId
}
