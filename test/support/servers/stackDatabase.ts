import { type Database, openDatabase } from '../../../store/database/database.ts'
import type { DevStack } from './devStack.ts'

/** Works with the stack's database over one connection, which ends with the work. */
export async function withStackDatabase<T>(
  { description }: Pick<DevStack, 'description'>,
  work: (sql: Database) => PromiseLike<T>,
): Promise<T> {
  const sql = openDatabase(description.databaseUrl, { name: 'test', poolSize: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}
