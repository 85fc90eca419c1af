import type { Queryable } from '../database/database.ts'

/** The least tips that nodes have named when they refused transactions. Pools change: they count for a day. */

/** Records that a node takes no tip below this, in wei per gas, and its words. The highest of a day counts. */
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
