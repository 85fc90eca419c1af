import type { Address, Hex } from '../../core/chain/evm.ts'
import { isUnfinished } from '../chain/openWork.ts'
import type { Database, Fragment, Queryable, Transaction } from '../database/database.ts'
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
      ${hasOpenItems(sql)} as has_open_items
    from relayer_tx t join relayer_key k using (network_id, address)
    where t.network_id = ${networkId}
      and ${isUnfinished(sql)}
      and (
        t.address = any(${[...held]}::text[])
        or (k.lease_until < now() - interval '1 minute'
          and t.address <> all(${[...configured]}::text[]))
      )
    order by t.address, t.account_nonce`
}

type NewTransaction = Pick<
  RelayerTx,
  'networkId' | 'address' | 'accountNonce' | 'kind' | 'target' | 'gasLimit' | 'itemCount'
> & { readonly calldata: Hex }

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

/** Whether any item of a transaction `t` is neither done nor decided. */
function hasOpenItems(sql: Queryable): Fragment {
  return sql`exists (select from work_item w where w.tx_id = t.id and w.state = 'assigned')`
}

/** Changes a transaction that is as expected. False when it is not, because another process was faster. */
async function change(
  sql: Transaction,
  txId: bigint,
  expected: Fragment,
  columns: Fragment,
): Promise<boolean> {
  const rows = await sql`
    update relayer_tx t set ${columns} where id = ${txId} and ${expected} returning id`
  return rows.length > 0
}

/** signed to mined. */
export function markMined(sql: Transaction, txId: bigint, at: MinedAt): Promise<boolean> {
  const columns = sql`state = 'mined', outcome = ${at.outcome}, mined_hash = ${at.hash},
    mined_block = ${at.block}, mined_block_hash = ${at.blockHash}, mined_at = now()`
  return change(sql, txId, sql`state = 'signed'`, columns)
}

/** mined back to signed, because its block is no longer part of the chain. */
export async function markReorganised(sql: Transaction, tx: RelayerTx): Promise<boolean> {
  const columns = sql`${signedAgain(sql)}, outcome = null, mined_hash = null, mined_at = null,
    confirmed_at = null, gas_cost = null, gas_shares = null`
  if (!(await change(sql, tx.id, isMinedAsSeen(sql, tx), columns))) return false
  await sql`update relayer_attempt set broadcast_at = null where tx_id = ${tx.id}`
  return true
}

/** A mined transaction has the chain's confirmations now. */
export function markConfirmed(sql: Transaction, tx: RelayerTx): Promise<boolean> {
  const expected = sql`${isMinedAsSeen(sql, tx)} and confirmed_at is null`
  return change(sql, tx.id, expected, sql`confirmed_at = now()`)
}

/** The account nonce was used by another sender's transaction, in this block. */
export function markNonceTaken(
  sql: Transaction,
  txId: bigint,
  use: Omit<MinedAt, 'outcome'>,
): Promise<boolean> {
  const columns = sql`state = 'nonce_taken', taken_by = ${use.hash},
    mined_block = ${use.block}, mined_block_hash = ${use.blockHash}`
  return change(sql, txId, sql`state = 'signed'`, columns)
}

/**
 * The account nonce may be ours after all: the transaction is signed again, and its key continues as before,
 * unless it is quarantined for another nonce as well. False when it was decided meanwhile.
 */
export async function reclaimNonce(sql: Transaction, tx: RelayerTx): Promise<boolean> {
  const expected = sql`state = 'nonce_taken' and confirmed_at is null`
  if (!(await change(sql, tx.id, expected, signedAgain(sql)))) return false
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

function signedAgain(sql: Queryable): Fragment {
  return sql`state = 'signed', taken_by = null, mined_block = null, mined_block_hash = null`
}

function isMinedAsSeen(sql: Queryable, { minedBlockHash }: RelayerTx): Fragment {
  return sql`state = 'mined' and mined_block_hash = ${minedBlockHash}`
}

/**
 * Ends transactions that no reorganisation is expected to reach any more: confirmed ones, whose gas is booked with it,
 * and taken nonces. One that still has an undecided item is not over: its item would never be decided.
 */
export async function endTransactions(
  database: Database,
  txs: readonly Pick<RelayerTx, 'id' | 'state'>[],
): Promise<void> {
  if (txs.length === 0) return
  await database.begin(async (sql) => {
    const rows = await sql<{ id: bigint }[]>`
      update relayer_tx t set confirmed_at = coalesce(t.confirmed_at, now()),
        state = case t.state when 'mined' then 'final' else t.state end
      from unnest(${txs.map(({ id }) => String(id))}::bigint[], ${txs.map(({ state }) => state)}::text[])
        as seen (id, state)
      where t.id = seen.id and t.state = seen.state and not ${hasOpenItems(sql)}
        and (t.state, t.confirmed_at is null) in (('mined', false), ('nonce_taken', true))
      returning t.id`
    await bookGas(sql, rows)
  })
}
