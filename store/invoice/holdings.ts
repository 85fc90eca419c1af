import { type InvoiceId, LAST_UUID } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'

/** What deposit addresses should hold, by the ledger. */

export interface OpenDeposit {
  readonly invoiceId: InvoiceId
  readonly address: Address
  readonly createdAt: Date
}

/** Where a slice of deposits begins and where it ends, by the ids of their invoices. */
export interface DepositRange {
  readonly above: string
  /** Null for no end. */
  readonly below: string | null
}

/** The first deposits of a range whose invoices are not completed, in the order of their ids. */
export async function openDeposits(
  sql: Queryable,
  { above, below }: DepositRange,
  limit: number,
): Promise<OpenDeposit[]> {
  return sql<OpenDeposit[]>`
    select id as invoice_id, deposit_address as address, created_at from invoice
    where status <> 'completed' and id > ${above} and id < ${below ?? LAST_UUID}
    order by id limit ${limit}`
}

/** The last deposits of a range whose invoices are not completed, from its end downwards. */
export async function lastOpenDeposits(
  sql: Queryable,
  { above, below }: DepositRange,
  limit: number,
): Promise<OpenDeposit[]> {
  return sql<OpenDeposit[]>`
    select id as invoice_id, deposit_address as address, created_at from invoice
    where status <> 'completed' and id > ${above} and id < ${below ?? LAST_UUID}
    order by id desc limit ${limit}`
}

/** What one deposit should hold of a token on one chain; below zero when the ledger is at fault. */
export interface ExpectedHolding {
  readonly invoiceId: InvoiceId
  readonly token: Address
  readonly amount: bigint
}

/** Payments in up to the block, minus sweeps and refunds mined up to it, plus fees held back. */
export async function expectedHoldings(
  sql: Queryable,
  networkId: string,
  invoiceIds: readonly InvoiceId[],
  block: bigint,
): Promise<ExpectedHolding[]> {
  return sql<ExpectedHolding[]>`
    select invoice_id, token, sum(amount) as amount from (
      select invoice_id, token, amount from payment
      where network_id = ${networkId} and invoice_id = any(${[...invoiceIds]}::uuid[])
        and status <> 'reverted' and block_number <= ${block}
      union all
      select invoice_id, token, fee_owed - amount from settlement
      where network_id = ${networkId} and invoice_id = any(${[...invoiceIds]}::uuid[])
        and status in ('mined', 'confirmed') and block_number <= ${block}
      union all
      select invoice_id, token, -amount from refund
      where network_id = ${networkId} and invoice_id = any(${[...invoiceIds]}::uuid[])
        and status in ('mined', 'confirmed') and block_number <= ${block}
    ) as movement
    group by invoice_id, token`
}
