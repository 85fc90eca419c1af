import { type Database, openDatabase } from '../../../store/database.ts'
import { migrate } from '../../../store/migrate.ts'
import { createDatabase } from './run.ts'

const urls = new WeakMap<Database, string>()

/** A database of the test's own, with the schema. */
export async function freshDatabase(): Promise<Database> {
  const { url } = await createDatabase(prepared)
  const database = openDatabase(url, { name: 'test' })
  urls.set(database, url)
  return database
}

/** The URL of a database that `freshDatabase` made, for other processes. */
export function databaseUrlOf(database: Database): string {
  const url = urls.get(database)
  if (url === undefined) throw new Error('this database was not made here')
  return url
}

async function prepared(url: string): Promise<void> {
  const database = openDatabase(url, { name: 'test-migrate', poolSize: 1 })
  await migrate(database)
  await database.end()
}
