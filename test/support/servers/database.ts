import { urlOfRole } from '../../../store/database/access.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { migrate } from '../../../store/database/migrate.ts'
import { openAs } from './roles.ts'
import { createDatabase, whileOthersRun } from './run.ts'

const urls = new WeakMap<Database, string>()
const workers = new WeakMap<Database, Database>()
/** Each connection costs the server more than most tests do: one that holds a lock, one that waits, one that looks. */
const CONNECTIONS = 3
/** What a test has workers do happens beside the owner's connections. */
const OF_WORKERS = 2

/** A database of the test's own, with the schema and the rights of its owner. It is dropped once it is ended. */
export async function freshDatabase(): Promise<Database> {
  const { url, drop } = await createDatabase(prepareLedger)
  const database = openDatabase(url, { name: 'test', poolSize: CONNECTIONS })
  const worker = await openAs(url, 'worker', OF_WORKERS)
  urls.set(database, url)
  workers.set(database, worker)
  const end = database.end
  database.end = async (options) => {
    await worker.end(options)
    await end(options)
    whileOthersRun(drop())
  }
  return database
}

/** The URL of a database that `freshDatabase` made, for other processes. */
export function databaseUrlOf(database: Database): string {
  const url = urls.get(database)
  if (url === undefined) throw new Error('this database was not made here')
  return url
}

/** The URL of the same database for processes that are workers. */
export function workerUrlOf(database: Database): string {
  const url = new URL(databaseUrlOf(database))
  const { user } = asWorker(database).options
  return urlOfRole(url.href, typeof user === 'string' ? user : '', null)
}

/** The same database with a worker's rights, for what a test has workers do. */
export function asWorker(database: Database): Database {
  return workers.get(database) ?? database
}

/** Migrates a database. As a template it serves all tests of a run. */
export async function prepareLedger(url: string): Promise<void> {
  const database = openDatabase(url, { name: 'test-migrate', poolSize: 1 })
  await migrate(database)
  await database.end()
}
