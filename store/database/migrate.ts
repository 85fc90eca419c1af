import { type Database, isDatabaseDown, isLostLock, openDatabase } from './database.ts'
import {
  concurrentIndex,
  lockedTables,
  MIGRATIONS,
  type MigrationFile,
  type MigrationKind,
  migrationFiles,
  schemaFiles,
  statementsOf,
} from './migrationFiles.ts'

/** Any number that nothing else in the database locks. */
const LOCK = 7_733_100
/**
 * How long a file waits for a table's lock. Later statements queue behind it, so it gives up soon, lets them
 * through, and tries again.
 */
const LOCK_TIMEOUT_MS = 1_000
/** Longer than a try: what has piled up behind it is to be done before the next one. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 5_000

export interface AppliedMigration {
  readonly name: string
  readonly durationMs: number
}

export interface PlannedMigration {
  readonly name: string
  readonly kind: MigrationKind
  /** Tables that can't be written meanwhile, with about how many rows each has. */
  readonly locks: readonly { readonly table: string; readonly rows: number }[]
}

export interface MigrateOptions {
  /** A folder of a test's own files; the schema and the migrations of this release otherwise. */
  readonly directory?: string
  /** Called after each try that timed out on a locked table. */
  readonly onWait?: (name: string, attempt: number) => void
  /** Hears of each batch, and how many rows it changed. */
  readonly onBatch?: (name: string, rows: number) => void
}

type Session = Awaited<ReturnType<Database['reserve']>>
/** The checksums of what was applied, by name. */
type Applied = ReadonlyMap<string, string>

/** The files and what was applied of them don't match. The message has the remedy. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

const TOO_OLD =
  'the database was made by a development version before the first schema (store/schema), and is not upgraded: ' +
  'start with `bun run dev --fresh`, or point DATABASE_URL to an empty database'

/**
 * Brings the schema up to date: forward only, in the order of the file names, and one process at a time. An
 * empty database gets the schema first, all of it or nothing. What was interrupted is resumed where it stopped.
 *
 * @throws SchemaError when a file that was applied has changed since, or the database is older than the schema.
 */
export async function migrate(
  database: Database,
  options: MigrateOptions = {},
): Promise<AppliedMigration[]> {
  const session = await database.reserve()
  try {
    // Lifts the limits of this connection and role: an index of a large table takes its time. It uses one
    // processor and leaves the others to the traffic.
    await session`select set_config('statement_timeout', '0', false),
      set_config('lock_timeout', '0', false),
      set_config('max_parallel_maintenance_workers', '0', false),
      set_config('idle_in_transaction_session_timeout', '0', false)`
    await session`select pg_advisory_lock(${LOCK})`
    await session`
      create table if not exists migration (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`
    const rows = await session<{ name: string; checksum: string }[]>`
      select name, checksum from migration`
    const known = new Map(rows.map((row) => [row.name, row.checksum]))
    const applied = options.directory === undefined ? await applySchema(session, known) : []
    for (const file of await migrationFiles(options.directory ?? MIGRATIONS)) {
      if (isApplied(file, known)) continue
      const started = performance.now()
      await apply(session, file, options)
      applied.push({ name: file.name, durationMs: performance.now() - started })
    }
    return applied
  } finally {
    await session`select pg_advisory_unlock(${LOCK})`.catch(() => undefined)
    await session`reset all`.catch(() => undefined)
    session.release()
  }
}

/** @throws SchemaError when the file has changed since it was applied. */
function isApplied({ name, checksum }: MigrationFile, known: Applied): boolean {
  const before = known.get(name)
  if (before !== undefined && before !== checksum)
    throw new SchemaError(`migration ${name} was changed after it was applied`)
  return before !== undefined
}

/** Applies the files of the schema to an empty database, in one transaction. */
async function applySchema(session: Session, known: Applied): Promise<AppliedMigration[]> {
  const files = await schemaFiles()
  const missing = files.filter((file) => !isApplied(file, known))
  if (missing.length === 0) return []
  if (known.size > 0) throw new SchemaError(TOO_OLD)
  const applied: AppliedMigration[] = []
  await session`begin`
  try {
    for (const file of files) {
      const started = performance.now()
      await session.unsafe(file.sql)
      await session`insert into migration ${session(record(file))}`
      applied.push({ name: file.name, durationMs: performance.now() - started })
    }
    await session`commit`
  } catch (error) {
    await session`rollback`.catch(() => undefined)
    throw error
  }
  return applied
}

async function apply(session: Session, file: MigrationFile, options: MigrateOptions) {
  const recordIt = () => session`insert into migration ${session(record(file))}`
  if (file.kind === 'transaction') {
    return await inTransaction(session, file, options, async () => {
      await session.unsafe(file.sql)
      await recordIt()
    })
  }
  for (const statement of statementsOf(file)) {
    if (file.kind === 'batches') await inBatches(session, file.name, statement, options)
    else if (/\bconcurrently\b/i.test(statement)) await outsideTransaction(session, statement)
    else await inTransaction(session, file, options, () => session.unsafe(statement))
  }
  await recordIt()
}

function record({ name, checksum }: MigrationFile) {
  return { name, checksum }
}

/** Tries until it gets its locks: a report that reads for minutes delays it, and it delays no traffic. */
async function inTransaction(
  session: Session,
  { name }: MigrationFile,
  { onWait }: MigrateOptions,
  work: () => Promise<unknown>,
): Promise<void> {
  let pause = FIRST_PAUSE_MS
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.unsafe(`begin;\nset local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await work()
      await session`commit`
      return
    } catch (error) {
      await session`rollback`.catch(() => undefined)
      if (!isLostLock(error)) throw error
      onWait?.(name, attempt)
      await Bun.sleep(pause)
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2)
    }
  }
}

/** Without a limit to wait, as it delays no one. An index whose build was interrupted exists but is invalid: it is dropped and built again. */
async function outsideTransaction(session: Session, statement: string): Promise<void> {
  const index = concurrentIndex(statement)
  if (index !== null) {
    const [broken] = await session`
      select 1 from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`
    if (broken !== undefined) await session.unsafe(`drop index concurrently ${index}`)
  }
  await session.unsafe(statement)
}

/** Each batch is a transaction of its own that finds what is left to do. */
async function inBatches(
  session: Session,
  name: string,
  statement: string,
  { onBatch }: MigrateOptions,
): Promise<void> {
  for (;;) {
    const { count } = await session.unsafe(statement)
    if (count === 0) return
    onBatch?.(name, count)
  }
}

/** The names of the files that are not applied yet. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  return (await pendingFiles(database)).map(({ name }) => name)
}

/** Whether the schema was made by a development version that no release upgrades, in a sentence; null if not. */
export async function tooOldSchema(database: Database): Promise<string | null> {
  const names = await appliedNames(database)
  const files = await schemaFiles()
  return names.size > 0 && files.some(({ name }) => !names.has(name)) ? TOO_OLD : null
}

/** What `migrate` would do: how each file is carried out, and which tables it locks. */
export async function planMigrations(
  database: Database,
  directory?: string,
): Promise<PlannedMigration[]> {
  const files = await pendingFiles(database, directory)
  const sizes = await database<{ table: string; rows: number }[]>`
    select relname::text as table, greatest(reltuples, 0)::float8 as rows
    from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`
  const rowsOf = new Map(sizes.map(({ table, rows }) => [table, rows]))
  return files.map((file) => ({
    name: file.name,
    kind: file.kind,
    locks: lockedTables(file).map((table) => ({ table, rows: rowsOf.get(table) ?? 0 })),
  }))
}

async function pendingFiles(database: Database, directory?: string): Promise<MigrationFile[]> {
  const files = [
    ...(directory === undefined ? await schemaFiles() : []),
    ...(await migrationFiles(directory ?? MIGRATIONS)),
  ]
  const applied = await appliedNames(database)
  return files.filter(({ name }) => !applied.has(name))
}

async function appliedNames(database: Database): Promise<Set<string>> {
  const [table] = await database<{ exists: boolean }[]>`
    select to_regclass('migration') is not null as exists`
  if (!table?.exists) return new Set()
  const rows = await database<{ name: string }[]>`select name from migration`
  return new Set(rows.map(({ name }) => name))
}

/**
 * Why a process that is about to start must not work on this schema, in a sentence: it is older than the
 * process needs. A newer one is good, because migrations leave what the release before them needs. Empty while
 * the database is unavailable, which other checks report and which passes.
 */
export async function schemaProblems(databaseUrl: string): Promise<string[]> {
  const database = openDatabase(databaseUrl, { name: 'remit-schema', poolSize: 1 })
  try {
    const pending = await pendingMigrations(database)
    if (pending.length === 0) return []
    const tooOld = await tooOldSchema(database)
    if (tooOld !== null) return [tooOld]
    return [
      `the schema is older than this release needs: it lacks ${pending.length} migrations (${pending[0]} first); ` +
        'run `bun run remit migrate` and start this again',
    ]
  } catch (error) {
    if (isDatabaseDown(error)) return []
    throw error
  } finally {
    await database.end({ timeout: 1 })
  }
}
