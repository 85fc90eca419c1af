import type { Hex } from '../../core/chain/evm.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/** The signed bytes of relayers' transactions, each stored before it is sent, and how nodes took them. */

/** The errors of attempts that pay too little: the second where a pool names no least tip. */
export const UNDERPRICED = 'underpriced'
export const TIP_TOO_LOW = 'tip too low'

export interface Attempt {
  readonly hash: Hex
  readonly txId: bigint
  readonly seq: number
  /** In wei per gas. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly isCancel: boolean
  readonly lastError: string | null
  /** Since a node first took it, or since it was made; null when no node has taken it yet. */
  readonly acceptedForMs: number | null
}

/** All attempts of these transactions, by transaction and the order in which they were made. */
export async function readAttempts(
  sql: Queryable,
  txIds: readonly bigint[],
): Promise<Map<bigint, Attempt[]>> {
  if (txIds.length === 0) return new Map()
  const rows = await sql<Attempt[]>`
    select hash, tx_id, seq, max_fee_per_gas, max_priority_fee_per_gas, is_cancel, last_error,
      (extract(epoch from now() - broadcast_at) * 1000)::float8 as accepted_for_ms
    from relayer_attempt where tx_id = any(${txIds.map(String)}::bigint[]) order by tx_id, seq`
  return Map.groupBy(rows, (attempt) => attempt.txId)
}

/** The signed bytes of an attempt. */
export async function readRaw(sql: Queryable, networkId: string, hash: Hex): Promise<Hex> {
  const [row] = await sql<{ raw: Hex | null }[]>`
    select raw from relayer_attempt where network_id = ${networkId} and hash = ${hash}`
  if (row === undefined) throw new Error(`there is no attempt ${hash} on ${networkId}`)
  if (row.raw === null) throw new Error(`the attempt ${hash} on ${networkId} is over`)
  return row.raw
}

export interface NewAttempt
  extends Pick<Attempt, 'hash' | 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'isCancel'> {
  readonly raw: Hex
}

/** Stores signed bytes. This commits before they are sent anywhere. */
export async function insertAttempt(
  sql: Transaction,
  tx: { id: bigint; networkId: string },
  seq: number,
  attempt: NewAttempt,
): Promise<void> {
  await sql`
    insert into relayer_attempt
      (network_id, hash, tx_id, seq, raw, max_fee_per_gas, max_priority_fee_per_gas, is_cancel)
    values (${tx.networkId}, ${attempt.hash}, ${tx.id}, ${seq}, ${attempt.raw},
      ${attempt.maxFeePerGas.toString()}, ${attempt.maxPriorityFeePerGas.toString()},
      ${attempt.isCancel})`
}

/** Records how a node answered: not taken, and why; or taken, of which the first time counts. */
export async function recordBroadcast(
  sql: Queryable,
  networkId: string,
  hash: Hex,
  error: string | null,
): Promise<void> {
  await sql`
    update relayer_attempt set last_error = ${error},
      broadcast_at = case when ${error === null} then coalesce(broadcast_at, now()) else broadcast_at end
    where network_id = ${networkId} and hash = ${hash}`
}

/** The hash of the newest attempt that has ever carried the work of this row; null while there is none. */
export async function newestAttempt(sql: Queryable, subjectId: string): Promise<Hex | null> {
  const [row] = await sql<{ hash: Hex }[]>`
    select a.hash from work_item w
    join relayer_attempt a on a.tx_id = coalesce(w.tx_id, w.carried_by) and not a.is_cancel
    where w.subject_id = ${subjectId} order by a.seq desc limit 1`
  return row?.hash ?? null
}

/**
 * Records that a node takes no tip below this, in wei per gas, and its words. The highest of a day counts: pools
 * change.
 */
export async function noteTipFloor(
  sql: Queryable,
  networkId: string,
  { tip, words }: { readonly tip: bigint; readonly words: string },
): Promise<void> {
  await sql`
    insert into tip_floor as f (network_id, tip, words) values (${networkId}, ${tip.toString()}, ${words})
    on conflict (network_id) do update set tip = excluded.tip, words = excluded.words, named_at = now()
    where excluded.tip >= f.tip or f.named_at < now() - interval '1 day'`
}

/** The least tip that a node of the chain has named within a day, in wei per gas; null for none. */
export async function readTipFloor(sql: Queryable, networkId: string): Promise<bigint | null> {
  const [row] = await sql<{ tip: bigint }[]>`
    select tip from tip_floor
    where network_id = ${networkId} and named_at > now() - interval '1 day'`
  return row?.tip ?? null
}
