import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { bookGas } from './gas.ts'

/**
 * Transactions by account nonce, and the attempts (signed bytes) made for each. A row is committed before its
 * bytes leave this machine, so every transaction on a chain is also here.
 */

export type TxState = 'signed' | 'mined' | 'final' | 'nonce_taken'
export type TxOutcome = 'succeeded' | 'reverted' | 'cancelled'

export interface RelayerTx {
  readonly id: bigint
  readonly networkId: string
  readonly address: Address
  readonly accountNonce: bigint
  readonly kind: string
  readonly target: Address
  readonly gasLimit: bigint
  /** How many items it was made for, including those that have ended since. */
  readonly itemCount: number
  readonly state: TxState
  readonly outcome: TxOutcome | null
  readonly cancelRequested: boolean
  readonly minedHash: Hex | null
  /** With a taken nonce: the block in which another sender used it. */
  readonly minedBlock: bigint | null
  readonly minedBlockHash: Hex | null
  /** The other sender's transaction that used the nonce. */
  readonly takenBy: Hex | null
  readonly isConfirmed: boolean
  /** Whether any of its items is neither done nor decided. */
  readonly hasOpenItems: boolean
}

/** The transaction and block in which something was carried out, by any sender. */
export interface MinedIn {
  readonly txHash: string
  readonly block: bigint
  readonly blockHash: string
}

/** Where a transaction was mined, by a receipt of one of its attempts. */
export interface MinedAt {
  readonly hash: Hex
  readonly block: bigint
  readonly blockHash: Hex
  readonly outcome: TxOutcome
}

/**
 * Everything of these keys that isn't over yet: signed, mined but not final, or with a taken nonce and not yet
 * decided; by key and account nonce. `abandoned` adds the keys without a lease for a minute and that are not in
 * `configured`, so that a key taken out of the configuration is seen to its end.
 */
export async function readUnfinished(
  sql: Queryable,
  networkId: string,
  held: readonly Address[],
  configured: readonly Address[],
): Promise<RelayerTx[]> {
  return sql<RelayerTx[]>`
    select t.id, t.network_id, t.address, t.account_nonce, t.kind, t.target, t.gas_limit, t.item_count,
      t.state, t.outcome, t.cancel_requested, t.mined_hash, t.mined_block, t.mined_block_hash, t.taken_by,
      t.confirmed_at is not null as is_confirmed,
      exists (select from work_item w where w.tx_id = t.id and w.state = 'assigned') as has_open_items
    from relayer_tx t join relayer_key k using (network_id, address)
    where t.network_id = ${networkId}
      and (t.state in ('signed', 'mined') or (t.state = 'nonce_taken' and t.confirmed_at is null))
      and (
        t.address = any(${[...held]}::text[])
        or (k.lease_until < now() - interval '1 minute'
          and t.address <> all(${[...configured]}::text[]))
      )
    order by t.address, t.account_nonce`
}

export interface NewTransaction {
  readonly networkId: string
  readonly address: Address
  readonly accountNonce: bigint
  readonly kind: string
  readonly target: Address
  readonly calldata: Hex
  readonly gasLimit: bigint
  readonly itemCount: number
}

/** Stores a new transaction; the answer is its id. */
export async function insertTransaction(sql: Transaction, tx: NewTransaction): Promise<bigint> {
  const [row] = await sql<{ id: bigint }[]>`
    insert into relayer_tx
      (network_id, address, account_nonce, kind, target, calldata, gas_limit, item_count)
    values (${tx.networkId}, ${tx.address}, ${tx.accountNonce}, ${tx.kind}, ${tx.target},
      ${tx.calldata}, ${tx.gasLimit}, ${tx.itemCount})
    returning id`
  if (row === undefined) throw new Error('the transaction was not stored')
  return row.id
}

/** What is needed to sign a transaction again; null when it isn't open any longer. */
export async function lockSigned(
  sql: Transaction,
  txId: bigint,
): Promise<{ calldata: Hex; lastSeq: number } | null> {
  const [row] = await sql<{ calldata: Hex; lastSeq: number }[]>`
    select calldata, (select max(seq) from relayer_attempt where tx_id = ${txId}) as last_seq
    from relayer_tx where id = ${txId} and state = 'signed' for update`
  return row ?? null
}

/** Requests an empty transaction to replace this one, at the same account nonce. */
export async function requestCancel(sql: Queryable, txId: bigint): Promise<void> {
  await sql`update relayer_tx set cancel_requested = true where id = ${txId} and state = 'signed'`
}

/** signed to mined. False when another process was faster. */
export async function markMined(sql: Transaction, txId: bigint, at: MinedAt): Promise<boolean> {
  const rows = await sql`
    update relayer_tx set state = 'mined', outcome = ${at.outcome}, mined_hash = ${at.hash},
      mined_block = ${at.block}, mined_block_hash = ${at.blockHash}, mined_at = now()
    where id = ${txId} and state = 'signed' returning id`
  return rows.length > 0
}

/** mined back to signed, because its block is no longer part of the chain. */
export async function markReorganised(sql: Transaction, tx: RelayerTx): Promise<boolean> {
  const rows = await sql`
    update relayer_tx set state = 'signed', outcome = null, mined_hash = null, mined_block = null,
      mined_block_hash = null, mined_at = null, confirmed_at = null, gas_cost = null,
      gas_shares = null
    where id = ${tx.id} and state = 'mined' and mined_block_hash = ${tx.minedBlockHash}
    returning id`
  if (rows.length === 0) return false
  await sql`update relayer_attempt set broadcast_at = null where tx_id = ${tx.id}`
  return true
}

/** A mined transaction has the chain's confirmations now. */
export async function markConfirmed(sql: Transaction, tx: RelayerTx): Promise<boolean> {
  const rows = await sql`
    update relayer_tx set confirmed_at = now()
    where id = ${tx.id} and confirmed_at is null
      and state = 'mined' and mined_block_hash = ${tx.minedBlockHash}
    returning id`
  return rows.length > 0
}

/**
 * Confirmed transactions that no reorganisation is expected to reach any more. One that still has an undecided
 * item is not over: its item would never be decided. Their gas is booked with it.
 */
export async function markFinal(database: Database, txIds: readonly bigint[]): Promise<void> {
  if (txIds.length === 0) return
  await database.begin(async (sql) => {
    const rows = await sql<{ id: bigint }[]>`
    update relayer_tx set state = 'final'
    where id = any(${txIds.map(String)}::bigint[]) and state = 'mined'
      and confirmed_at is not null
      and not exists (
        select from work_item w where w.tx_id = relayer_tx.id and w.state = 'assigned')
    returning id`
    await bookGas(
      sql,
      rows.map(({ id }) => id),
    )
  })
}

/** Taken nonces whose items have all been decided: they are over. */
export async function endTaken(sql: Queryable, txIds: readonly bigint[]): Promise<void> {
  if (txIds.length === 0) return
  await sql`
    update relayer_tx set confirmed_at = now()
    where id = any(${txIds.map(String)}::bigint[]) and state = 'nonce_taken'
      and confirmed_at is null
      and not exists (
        select from work_item w where w.tx_id = relayer_tx.id and w.state = 'assigned')`
}

/** The account nonce was used by another sender's transaction, in this block. */
export async function markNonceTaken(
  sql: Transaction,
  txId: bigint,
  use: { readonly hash: Hex; readonly block: bigint; readonly blockHash: Hex },
): Promise<boolean> {
  const rows = await sql`
    update relayer_tx set state = 'nonce_taken', taken_by = ${use.hash},
      mined_block = ${use.block}, mined_block_hash = ${use.blockHash}
    where id = ${txId} and state = 'signed' returning id`
  return rows.length > 0
}

/**
 * The account nonce may be ours after all: the transaction is signed again, and its key continues as before,
 * unless it is quarantined for another nonce as well. False when it was decided meanwhile.
 */
export async function reclaimNonce(sql: Transaction, tx: RelayerTx): Promise<boolean> {
  const rows = await sql`
    update relayer_tx set state = 'signed', taken_by = null, mined_block = null,
      mined_block_hash = null
    where id = ${tx.id} and state = 'nonce_taken' and confirmed_at is null returning id`
  if (rows.length === 0) return false
  await sql`
    update relayer_key k set status = coalesce(quarantined_from, 'active'), note = null,
      quarantine_nonce = null, quarantined_from = null
    where network_id = ${tx.networkId} and address = ${tx.address} and status = 'quarantined'
      and not exists (
        select from relayer_tx t
        where t.network_id = k.network_id and t.address = k.address and t.state = 'nonce_taken'
          and t.account_nonce >= k.quarantine_nonce)
      and quarantine_nonce is not null`
  return true
}
