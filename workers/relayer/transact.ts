import {
  isContention,
  isStatementTimeout,
  type Transaction,
} from '../../store/database/database.ts'
import { type Sign, SigningError } from '../signers/signatures.ts'
import { isNews, type RelayerContext } from './context.ts'

/** How often it is logged that a store of keys is away, in ms. */
const LOG_ABSENT_MS = 60_000

/**
 * Runs one of a turn's database transactions. Null when it lost against another one, by a deadlock or a lock
 * that took too long: then nothing was changed, the rest of the turn continues, and the next turn does it
 * again. Every other error is thrown.
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
    // A statement that takes too long does so for what it is about: it may well do so again.
    if (!isContention(error) || isStatementTimeout(error)) throw error
    log.warn(
      { err: error },
      'a database transaction lost against another one; the next turn repeats it',
    )
    return null
  }
  return results[0] ?? null
}

/**
 * The same for what signs something: `run` is repeated until all signatures are made, which happens outside of
 * the transaction. Null also when that can't be done now; then the operator is alerted. @throws
 * DatabaseBehindError where the database has lost what was sent.
 */
export async function transactSigned<T>(
  context: RelayerContext,
  run: (sql: Transaction, sign: Sign) => Promise<T>,
): Promise<T | null> {
  try {
    return await context.signatures.around((sign) =>
      transact(context, async (sql) => {
        await context.guard?.compare(sql)
        return run(sql, sign)
      }),
    )
  } catch (error) {
    if (!(error instanceof SigningError)) throw error
    const { address } = error.signer
    context.alarms.raise('signer', address, error.message)
    if (isNews(context, `signer ${address}`, LOG_ABSENT_MS)) {
      context.log.error(
        { err: error, address },
        'nothing can be signed with a key: work waits for it',
      )
    }
    return null
  }
}
