import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './database.ts'

const DIRECTORY = join(import.meta.dirname, 'migrations')
/** Any number that nothing else in the database locks. */
const LOCK = 7_733_100

export interface AppliedMigration {
  readonly name: string
  readonly durationMs: number
}

/**
 * Brings the schema up to date: forward only, in the order of the file names, one transaction per
 * file, and one process at a time. Throws when a file that was applied has changed since.
 */
export async function migrate(database: Database): Promise<AppliedMigration[]> {
  const connection = await database.reserve()
  try {
    await connection`select pg_advisory_lock(${LOCK})`
    await connection`
      create table if not exists migration (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`
    const rows = await connection<{ name: string; checksum: string }[]>`
      select name, checksum from migration`
    const known = new Map(rows.map((row) => [row.name, row.checksum]))
    const applied: AppliedMigration[] = []
    for (const { name, sql, checksum } of await migrationFiles()) {
      const before = known.get(name)
      if (before === checksum) continue
      if (before !== undefined)
        throw new Error(`migration ${name} was changed after it was applied`)
      const started = performance.now()
      await connection.unsafe(`begin;\n${sql}\n`)
      await connection`insert into migration (name, checksum) values (${name}, ${checksum})`
      await connection`commit`
      applied.push({ name, durationMs: performance.now() - started })
    }
    return applied
  } catch (error) {
    await connection`rollback`.catch(() => undefined)
    throw error
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => undefined)
    connection.release()
  }
}

/** The names of the migrations that are not applied yet. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const files = await migrationFiles()
  const [table] = await database<{ exists: boolean }[]>`
    select to_regclass('migration') is not null as exists`
  if (!table?.exists) return files.map((file) => file.name)
  const rows = await database<{ name: string }[]>`select name from migration`
  const applied = new Set(rows.map((row) => row.name))
  return files.map((file) => file.name).filter((name) => !applied.has(name))
}

async function migrationFiles() {
  const names = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(DIRECTORY, name), 'utf8')
      const checksum = new Bun.CryptoHasher('sha256').update(sql).digest('hex')
      return { name, sql, checksum }
    }),
  )
}
