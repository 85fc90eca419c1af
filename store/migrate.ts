import { type Database, isDatabaseDown, isLostLock, openDatabase } from './database.ts'
import {
  concurrentIndex,
  lockedTables,
  MIGRATIONS,
  type MigrationFile,
  type MigrationKind,
  migrationFiles,
  statementsOf,
} from './migrationFiles.ts'

/** Any number that nothing else in the database locks. */
const LOCK = 7_733_100
/**
 * How long a file waits for a table. Whoever comes after it waits behind it, so that it gives up soon, lets
 * the others through, and tries again.
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
  /** Where the files are; those of this release unless a test has its own. */
  readonly directory?: string
  /** Hears of each try that lost to somebody who holds a table. */
  readonly onWait?: (name: string, attempt: number) => void
  /** Hears of each batch, and how many rows it changed. */
  readonly onBatch?: (name: string, rows: number) => void
}

type Session = Awaited<ReturnType<Database['reserve']>>

/**
 * Brings the schema up to date: forward only, in the order of the file names, and one process at a time. What
 * was interrupted is taken up where it was left. Throws when a file that was applied has changed since.
 */
export async function migrate(
  database: Database,
  options: MigrateOptions = {},
): Promise<AppliedMigration[]> {
  const session = await database.reserve()
  try {
    // Whatever this connection or this role is bound by: an index of a large table takes its time. It takes one
    // processor and leaves the others to those who are served meanwhile.
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
    const applied: AppliedMigration[] = []
    for (const file of await migrationFiles(options.directory ?? MIGRATIONS)) {
      const before = known.get(file.name)
      if (before === file.checksum) continue
      if (before !== undefined)
        throw new Error(`migration ${file.name} was changed after it was applied`)
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

async function apply(session: Session, file: MigrationFile, options: MigrateOptions) {
  if (file.kind === 'transaction') return await inTransaction(session, file, options)
  const statements = statementsOf(file)
  if (file.kind === 'statements') {
    for (const statement of statements) await byItself(session, statement)
  } else {
    for (const statement of statements) await inBatches(session, file.name, statement, options)
  }
  await session`insert into migration ${session(record(file))}`
}

function record({ name, checksum }: MigrationFile) {
  return { name, checksum }
}

/** Tries until it gets its locks: a report that reads for minutes delays it, and it delays nobody. */
async function inTransaction(session: Session, file: MigrationFile, { onWait }: MigrateOptions) {
  let pause = FIRST_PAUSE_MS
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.unsafe(`begin;\nset local lock_timeout = ${LOCK_TIMEOUT_MS};\n${file.sql}\n`)
      await session`insert into migration ${session(record(file))}`
      await session`commit`
      return
    } catch (error) {
      await session`rollback`.catch(() => undefined)
      if (!isLostLock(error)) throw error
      onWait?.(file.name, attempt)
      await Bun.sleep(pause)
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2)
    }
  }
}

/** An index whose building was interrupted is there and good for nothing: it is dropped and built anew. */
async function byItself(session: Session, statement: string): Promise<void> {
  const index = concurrentIndex(statement)
  if (index !== null) {
    const [broken] = await session`
      select 1 from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`
    if (broken !== undefined) await session.unsafe(`drop index concurrently ${index}`)
  }
  await session.unsafe(statement)
}

/** Each batch is a transaction of its own and finds by itself what is left to do. */
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

/** The names of the migrations that are not applied yet. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  return (await pendingFiles(database, MIGRATIONS)).map(({ name }) => name)
}

/** What `migrate` would do: how each file is carried out, and which tables it locks. */
export async function planMigrations(
  database: Database,
  directory: string = MIGRATIONS,
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

async function pendingFiles(database: Database, directory: string): Promise<MigrationFile[]> {
  const files = await migrationFiles(directory)
  const [table] = await database<{ exists: boolean }[]>`
    select to_regclass('migration') is not null as exists`
  if (!table?.exists) return files
  const rows = await database<{ name: string }[]>`select name from migration`
  const applied = new Set(rows.map((row) => row.name))
  return files.filter(({ name }) => !applied.has(name))
}

/**
 * Why a process that is about to start must not work on this schema, in a sentence: it is older than the
 * process needs. A newer one is good, because migrations leave what the release before them needs. Empty while
 * the database is away, which is said elsewhere and passes.
 */
export async function schemaProblems(databaseUrl: string): Promise<string[]> {
  const database = openDatabase(databaseUrl, { name: 'remit-schema', poolSize: 1 })
  try {
    const pending = await pendingMigrations(database)
    if (pending.length === 0) return []
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
