import type { KnownRate, OfferedRate } from '../../core/fiat/known.ts'
import type { Database, Queryable } from '../database/database.ts'

/** The rates that are known, one row for each pair, shared by all processes. */

/** Decides what is known of a pair after an offer. */
type Judge = (known: KnownRate | null, offered: OfferedRate) => KnownRate

/** Records a source's offer. Offers of several processes are evaluated one after the other. */
export async function noteRates(
  database: Database,
  offered: readonly OfferedRate[],
  judge: Judge,
): Promise<void> {
  const ordered = offered.toSorted((a, b) => (a.pair < b.pair ? -1 : 1))
  await database.begin(async (sql) => {
    for (const offer of ordered) {
      const { pair } = offer
      const inserted = await sql`
        insert into fiat_rate ${sql(judge(null, offer))} on conflict (pair) do nothing returning pair`
      if (inserted.length > 0) continue
      const [known] = await sql<KnownRate[]>`
        select * from fiat_rate where pair = ${pair} for update`
      const { rate, at, source, anchor, anchoredAt, refused, refusedSince } = judge(
        known ?? null,
        offer,
      )
      await sql`
        update fiat_rate set rate = ${rate}, at = ${at}, source = ${source}, anchor = ${anchor},
          anchored_at = ${anchoredAt}, refused = ${refused}, refused_since = ${refusedSince}
        where pair = ${pair}`
    }
  })
}

/** What is known of these pairs. */
export async function readRates(sql: Queryable, pairs: readonly string[]): Promise<KnownRate[]> {
  return sql<KnownRate[]>`select * from fiat_rate where pair = any(${[...pairs]})`
}
