import { AppError } from '../../core/base/errors.ts'
import type { Database } from '../../store/database/database.ts'
import type { LongRead, Reader } from '../../store/database/longReads.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/** Retry-After, in seconds. */
const RETRY_AFTER_S = 5

/**
 * Starts a long read, which must be ended. Throws `report_in_progress`, with Retry-After,
 * while another one of the same caller is running.
 */
export async function beginLongRead(
  { longReads }: Pick<ApiDependencies, 'longReads'>,
  exchange: Exchange,
  reader: Reader,
): Promise<LongRead> {
  const read = await longReads.begin(reader)
  if (read !== null) return read
  exchange.set.headers['retry-after'] = String(RETRY_AFTER_S)
  throw new AppError('report_in_progress')
}

/** A long read in a single step. */
export async function readLong<T>(
  deps: Pick<ApiDependencies, 'longReads'>,
  exchange: Exchange,
  reader: Reader,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const read = await beginLongRead(deps, exchange, reader)
  try {
    return await read.read(work)
  } finally {
    read.end()
  }
}
