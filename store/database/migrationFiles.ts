import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How a file is carried out, by its first line, as `-- remit: statements`. */
export type MigrationKind =
  /** All of it in one transaction, the default. */
  | 'transaction'
  /**
   * Statement by statement: `concurrently` outside of a transaction, others in one of their own. Each can be repeated.
   */
  | 'statements'
  /** One statement that changes some rows, again and again until there is none left. */
  | 'batches'

export interface MigrationFile {
  readonly name: string
  readonly kind: MigrationKind
  readonly sql: string
  readonly checksum: string
}

export const MIGRATIONS = join(import.meta.dirname, '../migrations')
/** What an empty database gets first, a file for each subject. Its files are never changed: migrations are. */
const SCHEMA = join(import.meta.dirname, '../schema')
const KIND = /^-- remit: (\w+)\n/
const CONCURRENTLY = /create (?:unique )?index concurrently if not exists (\w+)/i

/** The files of the schema in their order, named with their folder. */
export async function schemaFiles(): Promise<MigrationFile[]> {
  const files = await migrationFiles(SCHEMA)
  return files.map((file) => ({ ...file, name: `schema/${file.name}` }))
}

/** The files of a folder in their order. @throws for one whose first line makes no sense. */
export async function migrationFiles(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8')
      const checksum = new Bun.CryptoHasher('sha256').update(sql).digest('hex')
      return { name, kind: kindOf(name, sql), sql, checksum }
    }),
  )
}

function kindOf(name: string, sql: string): MigrationKind {
  const [, kind = 'transaction'] = KIND.exec(sql) ?? []
  if (kind === 'transaction' || kind === 'statements' || kind === 'batches') return kind
  throw new Error(`migration ${name} is to be carried out in "${kind}", which is none of the ways`)
}

/**
 * The statements of a file that is no transaction: each ends with a semicolon at the end of a line, and no
 * body of a function is among them.
 */
export function statementsOf({ sql }: MigrationFile): string[] {
  const lines = sql.split('\n').filter((line) => !line.trimStart().startsWith('--'))
  const parts = lines.join('\n').split(/;[ \t]*(?:\n|$)/)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** The index that a statement builds concurrently, or null. */
export function concurrentIndex(statement: string): string | null {
  return CONCURRENTLY.exec(statement)?.[1] ?? null
}

/** The tables that exist already and that a file locks against writing while it works. */
export function lockedTables({ kind, sql }: MigrationFile): string[] {
  if (kind === 'batches') return []
  const code = sql.replaceAll(/--.*$/gm, '')
  const named = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, table = '']) => table)
  const made = named(/create table (?:if not exists )?(\w+)/gi)
  const locked = [
    ...named(/alter table (?:only |if exists )?(\w+)/gi),
    ...named(/create (?:unique )?index (?:if not exists )?\w+ on (\w+)/gi),
    ...named(/create (?:constraint )?trigger [\s\S]*? on (\w+)/gi),
    ...named(/drop table (?:if exists )?(\w+)/gi),
    ...named(/^lock table (?:only )?([\w, \n]+?) in /gim).flatMap((list) => list.split(/,\s*/)),
  ]
  return [...new Set(locked)].filter((table) => !made.includes(table)).sort()
}
