import type { Database } from '../../store/database/database.ts'

/** The statements that cost most, as Postgres counts them (pg_stat_statements, which the server has to load). */

export const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
}

/** How much of a statement a table shows. */
const TEXT_MAX = 110

export async function openStatements(database: Database) {
  await database`create extension if not exists pg_stat_statements`
  return {
    async forget(): Promise<void> {
      await database`select pg_stat_statements_reset()`
    },
    /** The ten that took longest since, with what each did for one of so many pieces of work. */
    async top(pieces: number): Promise<string[][]> {
      const rows = await database<
        { calls: number; took: number; rows: number; wal: number; query: string }[]
      >`
        select calls::float8, total_exec_time as took, rows::float8, wal_bytes::float8 as wal, query
        from pg_stat_statements where toplevel and query !~* 'pg_stat_statements'
        order by total_exec_time desc limit 10`
      return rows.map(({ calls, took, rows: read, wal, query }) => [
        (took / pieces).toFixed(3),
        (calls / pieces).toFixed(2),
        (read / pieces).toFixed(1),
        (wal / pieces).toFixed(0),
        `\`${query.replaceAll(/\s+/g, ' ').replaceAll(/[`|]/g, ' ').trim().slice(0, TEXT_MAX)}\``,
      ])
    },
  }
}
