import { headerAt } from '../../chain/blocks/blocks.ts'
import { blockOfTransaction } from '../../chain/transactions/transactions.ts'
import type { InvoiceId } from '../../core/base/ids.ts'
import { max, min } from '../../core/base/integers.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import { classifyPayment, type Invoice, type Payment } from '../../core/invoice/state.ts'
import { blockHashAt, saveProjectedBlock } from '../../store/chain/state.ts'
import { hasTransfer, newTransfers } from '../../store/chain/transfers.ts'
import { advanceLocked } from '../../store/invoice/advance.ts'
import { lockInvoiceRows, readInvoice } from '../../store/invoice/locking.ts'
import {
  recordTransfers,
  setConfirmed,
  setReverted,
  withChanges,
} from '../../store/invoice/payments.ts'
import {
  displacedPayments,
  type PendingPayment,
  pendingPayments,
} from '../../store/invoice/undecided.ts'
import {
  chainState,
  confirmedBlock,
  type LedgerContext,
  type Progress,
} from '../turns/ledgerContext.ts'
import { depositFault } from './depositFault.ts'
import { ShownPayments } from './shownPayments.ts'

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
    without: work.quarantined(now),
  })
  const observed = transfers.map(({ from: sender, ...rest }) => ({ ...rest, networkId, sender }))
  await work.togetherOf(observed, (some) => recordTransfers(context, some, now))
  for (const { invoiceId, blockNumber } of transfers) work.readAgain(invoiceId, blockNumber)
  const isFull = transfers.length === ROWS_PER_TURN
  const hasIndexerMoved = !isFull && head !== null && head !== projectedBlock
  if (hasIndexerMoved) await saveProjectedBlock(database, networkId, head)
  return { changed: transfers.length, isFull, hasIndexerMoved }
}

/**
 * Confirms payments that are deep enough: the block that completes the confirmations exists, the
 * payment's block is canonical, and the node shows the payment in it.
 */
export async function confirmPayments(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const deepest = await confirmedBlock(context)
  const without = work.quarantined(now)
  const payments = await pendingPayments(database, networkId, deepest, without, ROWS_PER_TURN)
  let changed = 0
  const displaced: Payment[] = []
  const confirmed: Payment[] = []
  const shown = new ShownPayments(client.rpc, payments)
  const check = async (invoiceId: InvoiceId, pending: readonly PendingPayment[]) => {
    const invoice = await ownInvoice(context, invoiceId)
    const deep: Payment[] = []
    const refuted: Payment[] = []
    for (const payment of pending) {
      const verdict = await checkPayment(context, shown, invoice, payment)
      if (verdict === 'canonical') deep.push(payment)
      if (verdict === 'displaced') displaced.push(payment)
      if (verdict === 'refuted') refuted.push(payment)
    }
    if (refuted.length > 0) {
      changed += refuted.length
      await changePayments(context, refuted, now, setReverted)
      const ids = refuted.map(({ id }) => id)
      work.report(
        invoiceId,
        { payments: ids },
        'payments that the chain does not show are reverted',
      )
    }
    // What has failed before works again only when it is confirmed as well.
    if (work.isSuspect(invoiceId)) await changePayments(context, deep, now, setConfirmed)
    else confirmed.push(...deep)
    changed += deep.length
  }
  try {
    await work.eachOf(payments, check)
  } finally {
    // Also when the node stops answering in the middle: its quota may never be enough for all of them.
    await work.togetherOf(confirmed, (some) => changePayments(context, some, now, setConfirmed))
  }
  changed += await revertGone(context, displaced, now)
  return { changed, isFull: payments.length === ROWS_PER_TURN && changed > 0 }
}

/** Reverts payments whose block was displaced by a reorganisation. */
export async function revertPayments(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, client, work } = context
  const without = work.quarantined(now)
  const displaced = await displacedPayments(
    database,
    client.chain.networkId,
    without,
    ROWS_PER_TURN,
  )
  const changed = await revertGone(context, displaced, now)
  return { changed, isFull: displaced.length === ROWS_PER_TURN && changed > 0 }
}

/**
 * Takes a displaced payment back when all three agree that it is gone: the indexer's row, the
 * indexer's head (which has passed the block again), and the node, which shows another block.
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
  await work.eachOf(displaced, async (_invoiceId, all) => {
    const gone: Payment[] = []
    for (const payment of all) {
      if (projectedBlock < payment.blockNumber) continue
      if (await hasTransfer(database, { chainId, ...payment })) continue
      const found = await blockOfTransaction(client.rpc, payment.txHash)
      // A node that lags has neither: only another block at that height shows that this one is gone.
      const shown = found ?? (await headerAt(client.rpc, payment.blockNumber))?.hash
      if (shown !== undefined && shown !== payment.blockHash) gone.push(payment)
    }
    if (gone.length === 0) return
    reverted += gone.length
    await changePayments(context, gone, now, setReverted)
  })
  return reverted
}

/** The invoice, if its deposit is one of ours. Throws what is wrong with it, so that it is quarantined. */
async function ownInvoice(
  { database, config }: LedgerContext,
  invoiceId: InvoiceId,
): Promise<Invoice> {
  const invoice = await readInvoice(database, invoiceId)
  const { depositAddress: deposit } = invoice
  const fault = await depositFault(database, config, { ...invoice, invoiceId, deposit })
  if (fault !== null) throw new Error(`payments of invoice ${invoiceId} can't count: ${fault}`)
  return invoice
}

/**
 * Whether a payment's block is canonical, displaced, or not known to the node yet; refuted, when the block is
 * canonical and the transaction doesn't show the payment of the row.
 */
async function checkPayment(
  { database, client }: LedgerContext,
  shown: ShownPayments,
  invoice: Invoice,
  payment: PendingPayment,
): Promise<'canonical' | 'displaced' | 'unknown' | 'refuted'> {
  const stored = await blockHashAt(database, client.chain.networkId, payment.blockNumber)
  // Blocks that are not stored passed between polls; the node is queried instead.
  const canonical = stored ?? (await headerAt(client.rpc, payment.blockNumber))?.hash
  if (canonical === undefined) return 'unknown'
  if (canonical !== payment.blockHash) return 'displaced'
  const found = await shown.find(payment)
  if (found === undefined) return 'unknown'
  const token = tokenOn(client.chain, invoice.tokenSymbol)?.address
  const isForeign = classifyPayment(invoice, token, payment) === 'foreign'
  const isTrue =
    isForeign === (payment.kind === 'foreign') &&
    found?.token === payment.token &&
    found.from === payment.sender &&
    found.amount === payment.amount
  return isTrue ? 'canonical' : 'refuted'
}

async function changePayments(
  { database, config }: LedgerContext,
  payments: readonly Payment[],
  now: Date,
  change: typeof setConfirmed,
): Promise<void> {
  if (payments.length === 0) return
  await database.begin(async (sql) => {
    const ids = [...new Set(payments.map(({ invoiceId }) => invoiceId))]
    const invoices = await lockInvoiceRows(sql, ids)
    const changes = await change(sql, payments, now)
    await advanceLocked(sql, config, withChanges(invoices, changes), now)
  })
}
