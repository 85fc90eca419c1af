import type { InvoiceId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { networkListener } from '../database/listen.ts'

/**
 * What the indexer has found, read through the views that follow its present deployment. These rows
 * come and go: they are rolled back by reorganisations and by every restart of the indexer, so they
 * are evidence for the ledger and never the ledger itself.
 */

/** A transfer of a registered token to the deposit address of an invoice, as in a block's log. */
export interface DepositTransfer {
  readonly invoiceId: InvoiceId
  readonly chainId: number
  readonly blockHash: Hex
  readonly blockNumber: bigint
  readonly blockTime: Date
  readonly txHash: Hex
  readonly logIndex: number
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly amount: BaseUnits
}

export interface TransferPage {
  /** The last block the indexer has processed on this chain; null when it has not begun. */
  readonly head: bigint | null
  /** In the order of the chain: by block, then by log. */
  readonly transfers: readonly DepositTransfer[]
}

export interface TransferRange {
  readonly networkId: string
  readonly chainId: number
  /** The first block of interest. */
  readonly fromBlock: bigint
  readonly limit: number
  /** Invoices whose transfers are left out for now. */
  readonly without: readonly InvoiceId[]
}

interface TransferRow {
  invoiceId: InvoiceId
  chainId: number
  blockHash: string
  blockNumber: bigint
  blockTimestamp: bigint
  txHash: string
  logIndex: number
  token: string
  from: string
  to: string
  amount: BaseUnits
}

/** The row that is always there and carries the head, with a transfer beside it or nothing. */
type HeadRow = { head: bigint | null } & (TransferRow | { [K in keyof TransferRow]: null })

/** The channel on which each network is named whose transfers were stored, as they are committed. */
const CHANNEL = 'remit_transfer'
/** How long writers of transfers may keep the trigger from being made, in ms. */
const LOCK_MS = 500

/**
 * Reads the transfers to deposit addresses that the ledger does not show as they are now: those it has never
 * seen, has in another block, or has as reverted. Transfers of nothing are left out. Rows and head come from
 * one snapshot.
 */
export async function newTransfers(
  sql: Queryable,
  { networkId, chainId, fromBlock, limit, without }: TransferRange,
): Promise<TransferPage> {
  const rows = await ifIndexed(
    () => sql<HeadRow[]>`
      select ${headOf(sql, chainId)} as head, page.*
      from (
        select t.*, w.invoice_id
        from indexed.transfer t
        -- Limited, so that each is looked up by its key, however many addresses are watched.
        cross join lateral (
          select invoice_id from watched where address = t."to" and kind = 'deposit' limit 1
        ) w
        where t.chain_id = ${chainId} and t.block_number >= ${fromBlock} and t.amount > 0
          and w.invoice_id <> all(${[...without]}::uuid[])
          -- Its status is no condition: an index of all that stand would be read instead of the key.
          and not coalesce((
            select p.status <> 'reverted' from payment p
            where p.network_id = ${networkId} and p.tx_hash = t.tx_hash
              and p.log_index = t.log_index and p.block_hash = t.block_hash
          ), false)
        order by t.block_number, t.log_index
        limit ${limit}
      ) page right join (values (true)) always on true
      order by page.block_number, page.log_index`,
  )
  return {
    head: rows?.[0]?.head ?? null,
    transfers: (rows ?? []).flatMap((row) => (row.txHash === null ? [] : transferFromRow(row))),
  }
}

/** Whether the indexer still has this very log in this very block. */
export async function hasTransfer(
  sql: Queryable,
  log: { readonly chainId: number; readonly blockHash: Hex; readonly logIndex: number },
): Promise<boolean> {
  const rows = await ifIndexed(
    () => sql<{ found: boolean }[]>`
      select exists (
        select from indexed.transfer
        where chain_id = ${log.chainId} and block_hash = ${log.blockHash}
          and log_index = ${log.logIndex}
      ) as found`,
  )
  return rows?.[0]?.found ?? false
}

/** The last processed block of each chain id; empty when the indexer has never been ready. */
export async function indexerHeads(sql: Queryable): Promise<Map<number, bigint>> {
  const rows = await ifIndexed(
    () => sql<{ chainId: bigint; head: bigint }[]>`
      select chain_id, substring(latest_checkpoint from 27 for 16)::bigint as head
      from indexed._ponder_checkpoint`,
  )
  return new Map((rows ?? []).map((row) => [Number(row.chainId), row.head]))
}

/**
 * Notifies workers of the transfers that a deployment of the indexer stores, by a trigger on its table. It may be called
 * again; the indexer that stores them calls it, because the table is its own.
 */
export async function notifyOfTransfers(sql: Transaction, schema: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(LOCK_MS)}, true)`
  await sql.unsafe(`
    create or replace function ${schema}.notify_of_transfers() returns trigger language plpgsql as $$
    begin
      -- Ponder calls a chain by its network's name.
      perform pg_notify('${CHANNEL}', chain_name) from ${schema}._ponder_checkpoint
      where chain_id in (select chain_id from stored);
      return null;
    end $$`)
  await sql.unsafe(`
    create or replace trigger notify_of_transfers after insert on ${schema}.transfer
    referencing new table as stored
    for each statement execute function ${schema}.notify_of_transfers()`)
}

/** Wakes when transfers were stored. Rows that a reorganisation takes away are not named: the new head is. */
export const listenForTransfers = networkListener(CHANNEL)

/**
 * Digits 27 to 42 of Ponder's checkpoint are the block number, after the timestamp and the chain id.
 * Ponder locks transfers before checkpoints when it starts or rolls back; queries that name both do so
 * in the same order, or the two would wait for each other.
 */
function headOf(sql: Queryable, chainId: number) {
  return sql`(
    select substring(latest_checkpoint from 27 for 16)::bigint
    from indexed._ponder_checkpoint where chain_id = ${chainId}
  )`
}

/** The rows, or null while the indexer's views do not exist: it was never ready, or resyncs. */
async function ifIndexed<T>(query: () => PromiseLike<T>): Promise<T | null> {
  try {
    return await query()
  } catch (error) {
    if (isMissingView(error)) return null
    throw error
  }
}

/** undefined_table, about a relation of the indexer's: a missing table of ours is a fault. */
function isMissingView(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '42P01' &&
    error.message.includes('"indexed.')
  )
}

function transferFromRow(row: TransferRow): DepositTransfer {
  return {
    invoiceId: row.invoiceId,
    chainId: row.chainId,
    blockHash: hashFrom(row.blockHash),
    blockNumber: row.blockNumber,
    blockTime: new Date(Number(row.blockTimestamp) * 1000),
    txHash: hashFrom(row.txHash),
    logIndex: row.logIndex,
    token: lowerCaseAddress(row.token),
    from: lowerCaseAddress(row.from),
    to: lowerCaseAddress(row.to),
    amount: row.amount,
  }
}
