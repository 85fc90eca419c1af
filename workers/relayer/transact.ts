import { isContention, type Transaction } from '../../store/database.ts'
import type { RelayerContext } from './context.ts'

/**
 * Runs one of a turn's database transactions. Null when it lost against another one, by a deadlock or
 * a lock that took too long: then nothing was changed, the rest of the turn goes on, and the next
 * turn does it again. Every other error is thrown.
 */
export async function transact<T>(
  { database, log }: RelayerContext,
  run: (sql: Transaction) => Promise<T>,
): Promise<T | null> {
  const results: T[] = []
  try {
    await database.begin(async (sql) => {
      results.push(await run(sql))
    })
  } catch (error) {
    if (!isContention(error)) throw error
    log.warn(
      { err: error },
      'a database transaction lost against another one; the next turn repeats it',
    )
    return null
  }
  return results[0] ?? null
}
