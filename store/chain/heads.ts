import type { Database, Fragment, Queryable } from '../database/database.ts'
import { networkListener } from '../database/listen.ts'
import type { BlockHeader } from './state.ts'

/**
 * The newest header of each chain, announced by the one process that follows it for all others. Rows
 * and their ages are by the database's clock.
 */

/** A header with what a transaction for the next block must know. */
export interface HeadHeader extends BlockHeader {
  /** In wei. */
  readonly baseFeePerGas: bigint
  readonly gasLimit: bigint
}

/**
 * Why a node is not used, or used last: it answers for another chain, is on a branch that parts too deep, or
 * names a block far above what every other node shows.
 */
export type NodeFault = 'wrong_chain' | 'forked' | 'ahead'

/** What the node behind one RPC URL shows. */
export interface NodeHead {
  /** The URL's host; never its path, which may be a key. */
  readonly host: string
  /** Null while it has shown none. */
  readonly head: bigint | null
  /** For how long it has shown the same, in ms. */
  readonly unmovedMs: number
  readonly fault: NodeFault | null
}

export interface Announced {
  readonly head: HeadHeader
  /** How long ago the nodes last showed it, in ms. */
  readonly ageMs: number
}

/** The channel that announces each new head, and heads that are no longer followed. */
const CHANNEL = 'remit_head'

/** Announces what a chain's nodes show, and notifies when it is another head than before. */
export async function announceHead(
  database: Database,
  networkId: string,
  head: HeadHeader,
  nodes: readonly NodeHead[],
): Promise<void> {
  const { number, hash, parentHash, time, baseFeePerGas, gasLimit } = head
  await database`
    with before as (select hash from chain_head where network_id = ${networkId}),
    announced as (
      insert into chain_head as h (
        network_id, number, hash, parent_hash, time, base_fee_per_gas, gas_limit,
        announced_at, moved_at
      ) values (
        ${networkId}, ${number}, ${hash}, ${parentHash}, ${time}, ${baseFeePerGas}, ${gasLimit},
        clock_timestamp(), clock_timestamp()
      )
      on conflict (network_id) do update set
        number = excluded.number, hash = excluded.hash, parent_hash = excluded.parent_hash,
        time = excluded.time, base_fee_per_gas = excluded.base_fee_per_gas,
        gas_limit = excluded.gas_limit, announced_at = excluded.announced_at,
        moved_at = case when h.hash = excluded.hash then h.moved_at else excluded.moved_at end
    ), removed as (
      delete from chain_node where network_id = ${networkId} and position >= ${nodes.length}
    ), shown as (
      insert into chain_node (network_id, position, host, head, moved_at, fault)
      select ${networkId}, n.place - 1, n.host, n.head,
        clock_timestamp() - n.unmoved_ms * interval '1 ms', n.fault
      from unnest(
        ${nodes.map((node) => node.host)}::text[],
        ${nodes.map((node) => node.head?.toString() ?? null)}::bigint[],
        ${nodes.map((node) => String(node.unmovedMs))}::text[]::double precision[],
        ${nodes.map((node) => node.fault)}::text[]
      ) with ordinality as n (host, head, unmoved_ms, fault, place)
      on conflict (network_id, position) do update set
        host = excluded.host, head = excluded.head, moved_at = excluded.moved_at,
        fault = excluded.fault
    )
    select pg_notify(${CHANNEL}, ${networkId})
    where not exists (select from before where hash = ${hash})`
}

/**
 * Withdraws the announcements of a process that has ended: the others then read the nodes at once, and not only
 * when they notice the silence.
 */
export async function retractHeads(
  database: Database,
  networkIds: readonly string[],
): Promise<void> {
  await database`
    with retracted as (
      update chain_head set announced_at = 'epoch' where network_id = any(${[...networkIds]}::text[])
      returning network_id
    )
    select pg_notify(${CHANNEL}, network_id) from retracted`
}

/** The head that was announced last, however old; null when none ever was. */
export async function readAnnounced(sql: Queryable, networkId: string): Promise<Announced | null> {
  const [row] = await sql<AnnouncedRow[]>`
    select ${announcedColumns(sql)} from chain_head h where network_id = ${networkId}`
  return row === undefined ? null : announcedOf(row)
}

/** The columns of an announced head `h`, all null where there is none. */
export type AnnouncedRow =
  | (HeadHeader & { readonly ageMs: number })
  | { readonly [Column in keyof HeadHeader | 'ageMs']: null }

export function announcedColumns(sql: Queryable): Fragment {
  return sql`h.number, h.hash, h.parent_hash, h.time, h.base_fee_per_gas, h.gas_limit,
    (extract(epoch from clock_timestamp() - h.announced_at) * 1000)::double precision as age_ms`
}

export function announcedOf(row: AnnouncedRow): Announced | null {
  if (row.number === null) return null
  const { ageMs, ...head } = row
  return { head, ageMs }
}

/** The node behind one RPC URL, as the process that announces heads sees it. */
export interface WatchedNode {
  readonly networkId: string
  readonly host: string
  readonly head: bigint | null
  /** When it last showed a new block. */
  readonly movedAt: Date
  readonly fault: NodeFault | null
}

/** The nodes of every chain whose heads are announced; of others nothing is known at present. */
export async function watchedNodes(sql: Queryable): Promise<readonly WatchedNode[]> {
  return sql<WatchedNode[]>`
    select n.network_id, n.host, n.head, n.moved_at, n.fault
    from chain_node n join chain_head h using (network_id)
    where h.announced_at > now() - interval '1 minute'
    order by network_id, position`
}

/** Wakes at each head that is announced. */
export const listenForHeads = networkListener(CHANNEL)
