import type { Logger } from 'pino'
import type { Database } from '../../store/database/database.ts'
import { SCHEMA_PREFIX, VIEWS_SCHEMA } from './schemaName.ts'

/** Ponder's own schemas in our database: who works on one, and how it is released or dropped. */

const POLL_MS = 50
/** The sessions of an orphan that has not ended by then are terminated. */
const ORPHAN_GRACE_MS = 8_000
/** A Ponder that works leaves no transaction open for so long without a statement. */
const LEFT_OPEN_S = 5

/**
 * Makes a schema free for a new Ponder. After kill -9 its lock stays for 25 seconds without a holder: once no
 * session of that Ponder is left, the lock is removed. The caller is the only indexer of this schema, so a
 * session that remains belongs to an orphan, which has noticed that its parent is gone and is about to end,
 * unless `isGone`: then it was a child of this process that has ended, and the server does not know it yet.
 */
export async function releaseSchema(
  database: Database,
  schema: string,
  isGone: boolean,
  log: Logger,
): Promise<void> {
  if (isGone) await endLeftOpen(database)
  if (!(await isLocked(database, schema))) return
  const deadline = performance.now() + (isGone ? 0 : ORPHAN_GRACE_MS)
  let sessions = await sessionsOf(database, schema)
  while (sessions.length > 0) {
    if (performance.now() > deadline) {
      log.warn(
        { schema, sessions: sessions.length },
        'terminating the sessions of an orphaned Ponder',
      )
      await database`select pg_terminate_backend(pid) from unnest(${sessions}::int[]) pid`
    }
    await Bun.sleep(POLL_MS)
    sessions = await sessionsOf(database, schema)
  }
  // It may have released the schema itself while it ended; then this changes nothing.
  await database`
    update ${database(schema)}._ponder_meta set value = jsonb_set(value, '{is_locked}', '0')`
  log.info({ schema }, 'released the schema of a Ponder that was killed')
}

/**
 * Drops everything that Ponder has stored: the deployments with their views, and the sync cache. The views go
 * first and one by one, so that a reader of two of them can't deadlock with this.
 */
export async function dropIndex(database: Database): Promise<void> {
  const views = await database<{ name: string }[]>`
    select viewname as name from pg_views where schemaname = ${VIEWS_SCHEMA}`
  for (const { name } of views) {
    await database`drop view if exists ${database(VIEWS_SCHEMA)}.${database(name)} cascade`
  }
  const rows = await database<{ name: string }[]>`
    select nspname as name from pg_namespace where starts_with(nspname, ${SCHEMA_PREFIX})`
  for (const { name } of rows) await database`drop schema if exists ${database(name)} cascade`
  await database`drop schema if exists ponder_sync cascade`
}

/**
 * Ends transactions of Ponder's that are left open: what they have written, no other connection can write. The pool has
 * one name for all deployments, and one that works is not hurt: it connects again.
 */
async function endLeftOpen(database: Database): Promise<void> {
  await database`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name = 'ponder_sync'
      and starts_with(state, 'idle in transaction')
      and state_change < now() - make_interval(secs => ${LEFT_OPEN_S})`
}

async function isLocked(database: Database, schema: string): Promise<boolean> {
  const [table] = await database<{ exists: boolean }[]>`
    select to_regclass(${`${schema}._ponder_meta`}) is not null as exists`
  if (!table?.exists) return false
  const rows = await database<{ locked: boolean }[]>`
    select value->>'is_locked' = '1' as locked from ${database(schema)}._ponder_meta`
  return rows.some((row) => row.locked)
}

/** The backends of a Ponder, which names its connections after its schema. */
async function sessionsOf(database: Database, schema: string): Promise<number[]> {
  const names = ['internal', 'user', 'readonly'].map((pool) => `${schema}_${pool}`)
  const rows = await database<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = any(${names})`
  return rows.map((row) => row.pid)
}
