import type { MerchantId } from '../../core/base/ids.ts'
import type { Database } from './database.ts'

/**
 * Tables of sums that the database keeps of others: a trigger writes each change as a row of its own, so that
 * no two transactions wait for each other, and the changes are added to the sums here.
 */
export interface Tally {
  /** An advisory lock that is held while changes are added up; nothing else in the database takes it. */
  readonly lock: number
  /** The table of changes, with an `id` in their order. */
  readonly changes: string
  /** The columns that are added up. */
  readonly sums: readonly string[]
  /** The tables of sums, each with the columns of its key. */
  readonly into: Readonly<Record<string, readonly string[]>>
}

const CHANGES_AT_ONCE = 10_000

/**
 * Adds up some of the changes, of one merchant where that is given, in one process at a time. Returns how many
 * there were. In one statement, so that a reader sees each change once, in the changes or in the sums.
 */
export async function foldChanges(
  sql: Database,
  { lock, changes, sums, into }: Tally,
  merchantId: MerchantId | null = null,
): Promise<number> {
  const isWanted = merchantId === null ? sql`true` : sql`merchant_id = ${merchantId}`
  const totals = sums.map((column) => sql`, sum(${sql(column)})`)
  const added = sums.map((column, index) => {
    const name = sql(column)
    return sql`${index === 0 ? sql`` : sql`, `} ${name} = t.${name} + excluded.${name}`
  })
  const insertions = Object.entries(into).map(
    ([table, key]) => sql`, ${sql(`into_${table}`)} as (
      insert into ${sql(table)} as t (${sql([...key, ...sums])})
      select ${sql(key)} ${totals} from taken group by ${sql(key)}
      on conflict (${sql(key)}) do update set ${added}
    )`,
  )
  const [row] = await sql<{ changes: number }[]>`
    with turn as materialized (
      select pg_try_advisory_xact_lock(${lock}) as is_ours
    ), taken as (
      delete from ${sql(changes)} where id = any(array(
        select id from ${sql(changes)} where (select is_ours from turn) and ${isWanted}
        order by id limit ${CHANGES_AT_ONCE}))
      returning *
    ) ${insertions}
    select count(*)::integer as changes from taken`
  return row?.changes ?? 0
}

/** Merchants with changes that are not added up: those of as many changes as are added up at once. */
export async function merchantsOfChanges(
  database: Database,
  { changes }: Tally,
): Promise<MerchantId[]> {
  const rows = await database<{ merchantId: MerchantId }[]>`
    select distinct merchant_id from (
      select merchant_id from ${database(changes)} order by id limit ${CHANGES_AT_ONCE}) changes
    order by merchant_id`
  return rows.map(({ merchantId }) => merchantId)
}
