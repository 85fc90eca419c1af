import type { Address } from '../../core/chain/evm.ts'
import { type InvoiceId, NIL_UUID } from '../../core/ids.ts'
import type { Queryable } from '../database.ts'

/** What deposit addresses should hold, by the ledger. */

export interface OpenDeposit {
  readonly invoiceId: InvoiceId
  readonly address: Address
  readonly createdAt: Date
}

/**
 * A slice of the deposits of invoices that are not completed, in the order of their ids, for a loop
 * that goes round all of them. `after` is the last id of the slice before, or null to start anew.
 */
export async function openDeposits(
  sql: Queryable,
  after: string | null,
  limit: number,
): Promise<OpenDeposit[]> {
  const rows = await sql<{ id: InvoiceId; depositAddress: Address; createdAt: Date }[]>`
    select id, deposit_address, created_at from invoice
    where status <> 'completed' and id > ${after ?? NIL_UUID}
      and (created_at > now() - interval '90 days' or status = 'paid')
    order by id limit ${limit}`
  return rows.map((row) => ({
    invoiceId: row.id,
    address: row.depositAddress,
    createdAt: row.createdAt,
  }))
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
