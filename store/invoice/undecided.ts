import type { InvoiceId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Payment } from '../../core/invoice/state.ts'
import type { Queryable } from '../database/database.ts'

/** Payments about which the chain has yet to decide, or to decide again. */

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
