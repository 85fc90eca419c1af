import type { Hex } from '../../core/chain/evm.ts'
import type { Database, Queryable } from '../database/database.ts'

/** What is known about a chain's newest blocks. One process per chain writes it: the leader. */

export interface BlockHeader {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  readonly time: Date
}

export interface ChainState {
  readonly genesisHash: Hex
  readonly head: bigint
  readonly headHash: Hex | null
  readonly projectedBlock: bigint
  readonly healedAt: Date | null
  /** When a read of the hubs that is still due was last requested; null when none is due. */
  readonly hubReadRequestedAt: Date | null
}

/** Reads the state of a chain, or null when it was never watched. */
export async function readChainState(
  sql: Queryable,
  networkId: string,
): Promise<ChainState | null> {
  const [row] = await sql<ChainState[]>`
    select genesis_hash, head, head_hash, projected_block, healed_at, hub_read_requested_at
    from chain_state where network_id = ${networkId}`
  return row ?? null
}

/** What the ledger knows of a chain, to recognise nodes of another one. */
export interface ChainRecord {
  /** Null for a chain that was never watched. */
  readonly genesis: Hex | null
  /** A block that is deeper than reorganisations reach; null while none is stored. */
  readonly anchor: { readonly number: bigint; readonly hash: Hex } | null
}

export async function readChainRecord(
  sql: Queryable,
  networkId: string,
  finalityDepth: number,
): Promise<ChainRecord> {
  const [row] = await sql<{ genesis: Hex; number: bigint | null; hash: Hex | null }[]>`
    select s.genesis_hash as genesis, b.number, b.hash
    from chain_state s
    left join chain_block b
      on b.network_id = s.network_id and b.number = s.head - ${finalityDepth}::integer
    where s.network_id = ${networkId}`
  if (row === undefined) return { genesis: null, anchor: null }
  const { genesis, number, hash } = row
  return { genesis, anchor: number === null || hash === null ? null : { number, hash } }
}

/** Notes a chain when it is watched for the first time. */
export async function insertChainState(
  sql: Queryable,
  networkId: string,
  chainId: number,
  genesisHash: Hex,
): Promise<void> {
  await sql`
    insert into chain_state (network_id, chain_id, genesis_hash)
    values (${networkId}, ${chainId}, ${genesisHash})
    on conflict (network_id) do nothing`
}

/** The stored hash of the block at this height, or null when it is not among the newest. */
export async function blockHashAt(
  sql: Queryable,
  networkId: string,
  number: bigint,
): Promise<Hex | null> {
  const [row] = await sql<{ hash: Hex }[]>`
    select hash from chain_block where network_id = ${networkId} and number = ${number}`
  return row ? row.hash : null
}

/** The stored blocks from..to, both included, in ascending order; those that are not kept are missing. */
export async function blocksBetween(
  sql: Queryable,
  networkId: string,
  from: bigint,
  to: bigint,
): Promise<{ readonly number: bigint; readonly hash: Hex }[]> {
  return sql<{ number: bigint; hash: Hex }[]>`
    select number, hash from chain_block
    where network_id = ${networkId} and number between ${from} and ${to} order by number`
}

/**
 * The lowest block of a chain that is still kept, in a query: what lies below it can't be compared with
 * the kept blocks, and need not be read.
 */
export function lowestKept(sql: Queryable, networkId: string) {
  return sql`(select min(number) from chain_block where network_id = ${networkId})`
}

/** So many of a chain's newest blocks are kept, however far apart they are, and this many more at most. */
const BLOCKS_KEPT = 1_000
const REMOVED_EVERY = 64n

/**
 * Stores a new head. `headers` replace everything from the first of them upward, so that a reorganisation and
 * an ordinary new block are the same write. `mended` replace single blocks further down, which changed between
 * polls.
 */
export async function saveHead(
  database: Database,
  networkId: string,
  headers: readonly BlockHeader[],
  mended: readonly BlockHeader[],
  now: Date,
): Promise<void> {
  const first = headers[0]
  const lowest = mended.at(-1) ?? first
  if (!first || !lowest) return
  if (mended.length > 0 || !(await saveOnTop(database, networkId, headers, first, now))) {
    await database.begin(async (sql) => {
      await sql`
        delete from chain_block where network_id = ${networkId}
          and (number >= ${first.number} or number = any(${mended.map(numberOf)}::bigint[]))`
      await saveOnTop(sql, networkId, headers, lowest, now)
      await noteBlocks(sql, networkId, mended)
      // After that, so that what is being written of such a block just now is seen.
      await sql`
        update x402_channel set base_hash = null
        where network_id = ${networkId} and base_block >= ${lowest.number} and base_hash is not null`
    })
  }
  if (!headers.some(({ number }) => number % REMOVED_EVERY === 0n)) return
  await database`
    delete from chain_block where network_id = ${networkId} and number < (
      select number from chain_block where network_id = ${networkId}
      order by number desc offset ${BLOCKS_KEPT} limit 1)`
}

const numberOf = ({ number }: BlockHeader) => String(number)

/**
 * Stores a new head and its blocks, of which `lowest` or the first is the lowest that changes. Returns false, and
 * stores nothing, where they would replace others.
 */
async function saveOnTop(
  sql: Queryable,
  networkId: string,
  headers: readonly BlockHeader[],
  lowest: BlockHeader,
  now: Date,
): Promise<boolean> {
  const [first, head] = [headers[0], headers.at(-1)]
  if (!first || !head) return false
  // What was read of a block does not apply to the one that replaced it.
  const stored = await sql`
    with moved as (
      update chain_state set
        head = ${head.number}, head_hash = ${head.hash}, head_time = ${head.time},
        head_seen_at = ${now}, head_moved_at = ${now}, rpc_error = null,
        distributions_block = case when distributions_block >= ${lowest.number}
          then ${lowest.number - 1n} else distributions_block end,
        channels_block = case when channels_block >= ${lowest.number}
          then ${lowest.number - 1n} else channels_block end
      where network_id = ${networkId} and not exists (
        select from chain_block where network_id = ${networkId} and number >= ${first.number})
      returning network_id
    )
    insert into chain_block (network_id, number, hash, parent_hash, time)
    select moved.network_id, b.number, b.hash, b.parent_hash, b.time
    from moved cross join unnest(
      ${headers.map(numberOf)}::bigint[], ${headers.map(({ hash }) => hash)}::text[],
      ${headers.map(({ parentHash }) => parentHash)}::text[],
      ${headers.map(({ time }) => time.toISOString())}::timestamptz[]
    ) as b (number, hash, parent_hash, time)
    on conflict (network_id, number) do update set
      hash = excluded.hash, parent_hash = excluded.parent_hash, time = excluded.time
    returning number`
  return stored.length > 0
}

/** Records single blocks that were skipped between polls; known ones stay. */
export async function noteBlocks(
  sql: Queryable,
  networkId: string,
  headers: readonly BlockHeader[],
): Promise<void> {
  for (const { number, hash, parentHash, time } of headers) {
    await sql`
      insert into chain_block (network_id, number, hash, parent_hash, time)
      values (${networkId}, ${number}, ${hash}, ${parentHash}, ${time})
      on conflict (network_id, number) do nothing`
  }
}

/** Notes that the node answered, although nothing is new. */
export async function touchHead(sql: Queryable, networkId: string, now: Date): Promise<void> {
  await sql`
    update chain_state set head_seen_at = ${now}, rpc_error = null where network_id = ${networkId}`
}

/** Records why the chain can't be followed at the moment, for the health checks. */
export async function saveRpcError(
  sql: Queryable,
  networkId: string,
  message: string,
): Promise<void> {
  await sql`
    update chain_state set rpc_error = ${message.slice(0, 500)} where network_id = ${networkId}`
}

/** Notes up to which block the indexer's transfers are in the ledger. */
export async function saveProjectedBlock(
  sql: Queryable,
  networkId: string,
  block: bigint,
): Promise<void> {
  await sql`
    update chain_state set projected_block = ${block} where network_id = ${networkId}`
}

/** The chain's time, by the newest head; null before the first. */
export async function headTime(sql: Queryable, networkId: string): Promise<Date | null> {
  const [row] = await sql<{ time: Date | null }[]>`
    select head_time as time from chain_state where network_id = ${networkId}`
  return row?.time ?? null
}

/**
 * Moves the confirmed time on to that of the newest confirmed block, but no further than what is in
 * the ledger: an expiry must not overtake a payment that was received in time.
 */
export async function saveConfirmedTime(
  sql: Queryable,
  networkId: string,
  confirmed: bigint,
): Promise<void> {
  await sql`
    update chain_state s set confirmed_time = b.time
    from chain_block b
    where s.network_id = ${networkId} and b.network_id = s.network_id
      and b.number = least(${confirmed}::bigint, s.projected_block)
      and s.confirmed_time is distinct from b.time`
}

/** The least sweeps that a leader last worked with, by token in base units; null when none has yet. */
export async function readLeastSweeps(
  sql: Queryable,
  networkId: string,
): Promise<Readonly<Record<string, string>> | null> {
  const [row] = await sql<{ leastSweeps: Record<string, string> | null }[]>`
    select least_sweeps from chain_state where network_id = ${networkId}`
  return row?.leastSweeps ?? null
}

export async function saveLeastSweeps(
  sql: Queryable,
  networkId: string,
  least: Readonly<Record<string, string>>,
): Promise<void> {
  await sql`
    update chain_state set least_sweeps = ${JSON.stringify(least)}::text::jsonb
    where network_id = ${networkId}`
}

export async function saveHealedAt(sql: Queryable, networkId: string, at: Date): Promise<void> {
  await sql`update chain_state set healed_at = ${at} where network_id = ${networkId}`
}

/** The newest block that each chain's watcher has seen. */
export async function chainHeads(sql: Queryable): Promise<ReadonlyMap<string, bigint>> {
  const rows = await sql<{ networkId: string; head: bigint }[]>`
    select network_id, head from chain_state`
  return new Map(rows.map((row) => [row.networkId, row.head]))
}
