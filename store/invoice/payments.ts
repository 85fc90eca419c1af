import type { InvoiceId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import type { Config } from '../../core/config/processes.ts'
import type { PaymentChange } from '../../core/invoice/events.ts'
import {
  classifyPayment,
  isByBalance,
  type Payment,
  type PaymentKind,
} from '../../core/invoice/state.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { advanceLocked } from './advance.ts'
import { lockInvoiceRow } from './locking.ts'

/**
 * Payments: what was seen on-chain, and what became of it. Callers hold the invoice's lock, but for `recordTransfers`,
 * which takes it.
 */

export interface ObservedTransfer {
  readonly networkId: string
  readonly txHash: Hex
  readonly logIndex: number
  readonly token: Address
  readonly sender: Address
  readonly amount: BaseUnits
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly blockTime: Date
}

/**
 * Records a transfer as pending, or notes that it is now in another block. Seeing the same log of the
 * same block again changes nothing. A transaction that moved to another block takes its payments
 * along: each row of this invoice follows one log of the same token, sender and amount. Returns what
 * changed, in order: a payment that comes back in another block was taken away first.
 */
export async function recordTransfer(
  sql: Transaction,
  invoiceId: InvoiceId,
  transfer: ObservedTransfer,
  kind: PaymentKind,
): Promise<PaymentChange[]> {
  if (isByBalance(transfer) && (await isRecorded(sql, invoiceId, transfer))) return []
  const [known] = await sql<Payment[]>`
    select * from payment
    where network_id = ${transfer.networkId} and tx_hash = ${transfer.txHash}
      and invoice_id = ${invoiceId} and token = ${transfer.token}
      and sender = ${transfer.sender} and amount = ${transfer.amount.toString()}
      and (block_hash <> ${transfer.blockHash} or log_index = ${transfer.logIndex})
    order by block_hash = ${transfer.blockHash} desc, log_index = ${transfer.logIndex} desc,
      status <> 'reverted' desc, detected_order
    limit 1 for update`
  if (!known) {
    await insertPayment(sql, invoiceId, transfer, kind)
    return [{ payment: { kind }, from: null, to: 'pending' }]
  }
  if (known.status !== 'reverted' && known.blockHash === transfer.blockHash) return []
  await sql`
    update payment set
      status = 'pending', confirmed_at = null,
      -- A payment that the merchant has accepted stays accepted in any block.
      kind = case when accepted_at is null then ${kind} else 'counted' end, log_index = ${transfer.logIndex},
      block_number = ${transfer.blockNumber}, block_hash = ${transfer.blockHash},
      block_time = ${transfer.blockTime}
    where id = ${known.id}`
  const payment = { kind: known.acceptedAt === null ? kind : known.kind }
  if (known.status === 'pending') return []
  const returned: PaymentChange = { payment, from: 'reverted', to: 'pending' }
  if (known.status === 'reverted') return [returned]
  return [{ payment, from: 'confirmed', to: 'reverted' }, returned]
}

/** A balance grows once in a block, whichever of its transactions was named. */
async function isRecorded(
  sql: Transaction,
  invoiceId: InvoiceId,
  { networkId, logIndex, blockHash }: ObservedTransfer,
): Promise<boolean> {
  const rows = await sql`
    select from payment
    where invoice_id = ${invoiceId} and network_id = ${networkId} and log_index = ${logIndex}
      and block_hash = ${blockHash} and status <> 'reverted'`
  return rows.length > 0
}

/**
 * Reverts other rows of transactions that are now in another block: a transaction is in one block only, so rows
 * of its former one would count the same money twice.
 */
export async function revertFormerBlocks(
  sql: Transaction,
  invoiceId: InvoiceId,
  transfers: readonly ObservedTransfer[],
  now: Date,
): Promise<PaymentChange[]> {
  const changes: PaymentChange[] = []
  for (const transfer of transfers) {
    const rows = await sql<Payment[]>`
      select * from payment
      where invoice_id = ${invoiceId} and network_id = ${transfer.networkId}
        and tx_hash = ${transfer.txHash} and block_hash <> ${transfer.blockHash}
        and status <> 'reverted'
      for update`
    for (const row of rows) changes.push(...(await revertPayment(sql, row, now)))
  }
  return changes
}

async function insertPayment(
  sql: Transaction,
  invoiceId: InvoiceId,
  transfer: ObservedTransfer,
  kind: PaymentKind,
): Promise<void> {
  await sql`
    insert into payment
      (id, invoice_id, network_id, tx_hash, log_index, token, sender, amount, kind, status,
       block_number, block_hash, block_time)
    values (${Bun.randomUUIDv7()}, ${invoiceId}, ${transfer.networkId}, ${transfer.txHash},
      ${transfer.logIndex}, ${transfer.token}, ${transfer.sender}, ${transfer.amount.toString()},
      ${kind}, 'pending', ${transfer.blockNumber}, ${transfer.blockHash}, ${transfer.blockTime})`
}

/** A payment that waits to be confirmed, and the address that it was made to. */
export interface PendingPayment extends Payment {
  readonly deposit: Address
}

/** Pending payments in or below this block, but for those of some invoices. */
export async function pendingPayments(
  sql: Queryable,
  networkId: string,
  upToBlock: bigint,
  without: readonly InvoiceId[],
  limit: number,
): Promise<PendingPayment[]> {
  return sql<PendingPayment[]>`
    select p.*, i.deposit_address as deposit from (
      select * from payment
      where network_id = ${networkId} and status = 'pending' and block_number <= ${upToBlock}
        and invoice_id <> all(${[...without]}::uuid[])
      order by block_number, detected_order limit ${limit}
    ) p join invoice i on i.id = p.invoice_id
    order by p.block_number, p.detected_order`
}

/** Payments whose block is no longer the one that the chain has at that height. */
export async function displacedPayments(
  sql: Queryable,
  networkId: string,
  without: readonly InvoiceId[],
  limit: number,
): Promise<Payment[]> {
  return sql<Payment[]>`
    select p.* from chain_block b
    -- Looked up block by block, however many payments lie below those that are kept.
    cross join lateral (
      select * from payment
      where network_id = ${networkId} and block_number = b.number
        and status <> 'reverted' and block_hash <> b.hash
      offset 0
    ) p
    where b.network_id = ${networkId} and p.invoice_id <> all(${[...without]}::uuid[])
    order by p.detected_order limit ${limit}`
}

/** A reverted transaction, which may yet be mined in another block. */
export interface LostTransaction {
  readonly invoiceId: InvoiceId
  readonly deposit: Address
  readonly txHash: Hex
}

/** Transactions with payments of these tokens that were reverted since a moment, the newest first. */
export async function lostTransactions(
  sql: Queryable,
  networkId: string,
  tokens: readonly Address[],
  since: Date,
  without: readonly InvoiceId[],
  limit: number,
): Promise<LostTransaction[]> {
  return sql<LostTransaction[]>`
    select p.invoice_id, i.deposit_address as deposit, p.tx_hash
    from payment p join invoice i on i.id = p.invoice_id
    where p.network_id = ${networkId} and p.status = 'reverted' and p.reverted_at > ${since}
      and p.token = any(${[...tokens]}::text[]) and p.invoice_id <> all(${[...without]}::uuid[])
    group by p.invoice_id, i.deposit_address, p.tx_hash
    order by max(p.reverted_at) desc limit ${limit}`
}

/** Confirms a payment that is still pending in this very block. Returns the change, if there was one. */
export async function confirmPayment(
  sql: Transaction,
  payment: Payment,
  now: Date,
): Promise<PaymentChange[]> {
  const rows = await sql`
    update payment set status = 'confirmed', confirmed_at = ${now}
    where id = ${payment.id} and status = 'pending' and block_hash = ${payment.blockHash}
    returning id`
  return rows.length === 1 ? [{ payment, from: 'pending', to: 'confirmed' }] : []
}

/** Reverts a payment whose transaction left the chain. Returns the change, if there was one. */
export async function revertPayment(
  sql: Transaction,
  payment: Payment,
  now: Date,
): Promise<PaymentChange[]> {
  const rows = await sql`
    update payment set status = 'reverted', confirmed_at = null, reverted_at = ${now}
    where id = ${payment.id} and status = ${payment.status} and block_hash = ${payment.blockHash}
    returning id`
  return rows.length === 1 ? [{ payment, from: payment.status, to: 'reverted' }] : []
}

/** Records transfers to one invoice and advances it, in one transaction. */
export async function recordTransfers(
  { database, config }: { readonly database: Database; readonly config: Config },
  invoiceId: InvoiceId,
  transfers: readonly ObservedTransfer[],
  now: Date,
): Promise<void> {
  await database.begin(async (sql) => {
    const invoice = await lockInvoiceRow(sql, invoiceId)
    if (!invoice)
      throw new Error(`a watched address names invoice ${invoiceId}, which is not there`)
    const changes: PaymentChange[] = []
    for (const transfer of transfers) {
      const chain = config.chains.find((c) => c.networkId === transfer.networkId)
      const token = chain && tokenOn(chain, invoice.tokenSymbol)?.address
      const kind = classifyPayment(invoice, token, transfer)
      changes.push(...(await recordTransfer(sql, invoiceId, transfer, kind)))
    }
    changes.push(...(await revertFormerBlocks(sql, invoiceId, transfers, now)))
    await advanceLocked(sql, config, invoice, now, changes)
  })
}
