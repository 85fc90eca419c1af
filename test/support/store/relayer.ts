import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Database, Queryable } from '../../../store/database/database.ts'
import type { KeyStatus } from '../../../store/relayer/keys.ts'
import type { TxOutcome, TxState } from '../../../store/relayer/transactions.ts'
import type { WorkState } from '../../../store/relayer/workItems.ts'
import { newAddress, newHash } from './database.ts'
import { NETWORK } from './invoice.ts'

/** Relayers' keys, their transactions and the work, stored as a test says they are. */

export interface StoredKey {
  readonly networkId: string
  readonly address: Address
}

/** An active key that no one holds, unless the test wants otherwise. `heldForMs` may be negative. */
export async function storeKey(
  sql: Queryable,
  change: {
    networkId?: string
    address?: Address
    status?: KeyStatus
    nextNonce?: bigint
    owner?: string | null
    heldForMs?: number
    fence?: bigint
  } = {},
): Promise<StoredKey> {
  const { networkId = NETWORK, address = newAddress(), status = 'active', nextNonce = 0n } = change
  const { owner = null, heldForMs = -3_600_000, fence = 0n } = change
  await sql`
    insert into relayer_key (network_id, address, status, next_nonce, lease_owner, lease_until, fence)
    values (${networkId}, ${address}, ${status}, ${nextNonce}, ${owner},
      now() + ${heldForMs} * interval '1 millisecond', ${fence})`
  return { networkId, address }
}

export interface TransactionChange {
  readonly accountNonce?: bigint
  readonly state?: TxState
  readonly outcome?: TxOutcome
  readonly minedHash?: Hex
  readonly minedBlock?: bigint
  readonly minedBlockHash?: Hex
  readonly isConfirmed?: boolean
  readonly kind?: string
}

/** A signed transaction of this key; a mined one succeeded, unless the test wants otherwise. */
export async function storeTransaction(
  sql: Queryable,
  { networkId, address }: StoredKey,
  change: TransactionChange = {},
): Promise<bigint> {
  const { accountNonce = 0n, state = 'signed', isConfirmed = false, kind = 'sweep' } = change
  const isMined = state === 'mined' || state === 'final'
  const [row] = await sql<{ id: bigint }[]>`
    insert into relayer_tx (network_id, address, account_nonce, kind, target, calldata, gas_limit,
      state, outcome, mined_hash, mined_block, mined_block_hash, confirmed_at)
    values (${networkId}, ${address}, ${accountNonce}, ${kind}, ${newAddress()}, '0x', 21000,
      ${state}, ${isMined ? (change.outcome ?? 'succeeded') : null},
      ${isMined ? (change.minedHash ?? newHash()) : null}, ${change.minedBlock ?? null},
      ${change.minedBlockHash ?? null}, ${isConfirmed ? new Date() : null})
    returning id`
  if (!row) throw new Error('the transaction was not stored')
  return row.id
}

export async function storeAttempt(
  sql: Queryable,
  txId: bigint,
  change: { networkId?: string; hash?: Hex; seq?: number; isCancel?: boolean; raw?: Hex } = {},
): Promise<Hex> {
  const { networkId = NETWORK, hash = newHash(), seq = 1, isCancel = false, raw = '0x00' } = change
  await sql`
    insert into relayer_attempt (network_id, hash, tx_id, seq, raw, max_fee_per_gas,
      max_priority_fee_per_gas, is_cancel)
    values (${networkId}, ${hash}, ${txId}, ${seq}, ${raw}, 2, 1, ${isCancel})`
  return hash
}

export interface ItemChange {
  readonly networkId?: string
  readonly dedupeKey?: string
  readonly state?: WorkState
  readonly txId?: bigint | null
  readonly waitsFor?: bigint | null
  /** From now; negative for what is due already. */
  readonly dueInMs?: number
  readonly batchLimit?: number
  readonly tries?: number
  readonly result?: Readonly<Record<string, string>> | null
}

/** Queued work that may be sent at once, unless the test wants otherwise. */
export async function storeItem(
  sql: Queryable,
  kind: string,
  payload: Readonly<Record<string, string>> = {},
  change: ItemChange = {},
): Promise<bigint> {
  const { networkId = NETWORK, dedupeKey = crypto.randomUUID(), state = 'queued' } = change
  const { txId = null, waitsFor = null, dueInMs = -1_000, batchLimit = 100, tries = 0 } = change
  const [row] = await sql<{ id: bigint }[]>`
    insert into work_item (network_id, kind, dedupe_key, payload, state, tx_id, waits_for, not_before,
      batch_limit, tries, result)
    values (${networkId}, ${kind}, ${dedupeKey}, ${sql.json(payload)}, ${state}, ${txId}, ${waitsFor},
      now() + ${dueInMs} * interval '1 millisecond', ${batchLimit}, ${tries},
      ${change.result ? sql.json(change.result) : null})
    returning id`
  if (!row) throw new Error('the work item was not stored')
  return row.id
}

/** Whether another transaction holds a lock on this row. */
export async function isLocked(
  sql: Database,
  table: 'invoice' | 'work_item' | 'relayer_key' | 'relayer_tx',
  id: string | bigint,
): Promise<boolean> {
  const column = table === 'relayer_key' ? 'address' : 'id'
  const rows = await sql`
    select from ${sql(table)} where ${sql(column)}::text = ${String(id)} for update skip locked`
  return rows.length === 0
}
