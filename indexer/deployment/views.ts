import type { Database } from '../../store/database/database.ts'
import { VIEWS_SCHEMA } from './schemaName.ts'

/** The views that readers use, and which deployment's tables they show. */

/** Readers of several views wait for no longer than this, in ms; then it is tried again. */
const LOCK_MS = 500

/** The schema that the views show; null while there are none. */
export async function shownSchema(database: Database): Promise<string | null> {
  const [row] = await database<{ schema: string }[]>`
    select n.nspname::text as schema
    from pg_rewrite r
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
    join pg_class t on d.refclassid = 'pg_class'::regclass and t.oid = d.refobjid
    join pg_namespace n on n.oid = t.relnamespace
    where r.ev_class = to_regclass(${`${VIEWS_SCHEMA}._ponder_checkpoint`})
      and t.oid <> r.ev_class
    limit 1`
  return row?.schema ?? null
}

/**
 * Whether a deployment has come as far as the one that is shown, on every chain that both follow. It is ready
 * when the past is indexed, which is many blocks before that. A block less is caught up within milliseconds.
 */
export async function hasCaughtUp(database: Database, schema: string): Promise<boolean> {
  const [row] = await database<{ isReady: boolean; isBehind: boolean }[]>`
    select
      coalesce((select value->>'is_ready' = '1' from ${database(schema)}._ponder_meta), false)
        as is_ready,
      exists (
        select from ${database(schema)}._ponder_checkpoint own
        join ${database(VIEWS_SCHEMA)}._ponder_checkpoint shown using (chain_id)
        where substring(own.latest_checkpoint from 27 for 16)::bigint
          < substring(shown.latest_checkpoint from 27 for 16)::bigint - 1
      ) as is_behind`
  return row?.isReady === true && !row.isBehind
}

/** Has the views show another deployment, all at once. */
export async function showSchema(database: Database, schema: string): Promise<void> {
  await database.begin(async (sql) => {
    await sql`select set_config('lock_timeout', ${String(LOCK_MS)}, true)`
    // Transfers before checkpoints, as everybody locks them who names both.
    const relations = await sql<{ name: string; isOurs: boolean }[]>`
      select name, is_ours from (
        select c.relname::text as name, bool_or(nspname = ${schema}) as is_ours
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where (nspname = ${schema} and relkind in ('r', 'v') and not starts_with(relname, '_reorg'))
          or (nspname = ${VIEWS_SCHEMA} and relkind = 'v')
        group by 1
      ) relation order by starts_with(name, '_ponder'), name desc`
    for (const { name, isOurs } of relations) {
      await sql`drop view if exists ${sql(VIEWS_SCHEMA)}.${sql(name)}`
      if (!isOurs) continue
      await sql`
        create view ${sql(VIEWS_SCHEMA)}.${sql(name)} as select * from ${sql(schema)}.${sql(name)}`
    }
  })
}
