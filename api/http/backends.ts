import { isRpcFault } from '../../chain/rpc/faults.ts'
import { AppError, type ErrorCode } from '../../core/base/errors.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Database } from '../../store/database/database.ts'
import { found } from './errors.ts'
import type { ApiDependencies } from './exchange.ts'

/** Runs `work` on the database. Throws DatabaseUnavailable, at once during a known outage. */
export function guardDatabase<T>(
  { availability, database }: Pick<ApiDependencies, 'availability' | 'database'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return availability.guard(() => work(database))
}

/** Reads an object of a merchant by its id. Throws `code` if there is none, or it is another merchant's. */
export function reading<Id, T>(
  find: (database: Database, merchantId: MerchantId, id: Id) => Promise<T | null>,
  code: ErrorCode,
) {
  return async (
    deps: Pick<ApiDependencies, 'availability' | 'database'>,
    merchantId: MerchantId,
    id: Id,
  ): Promise<T> =>
    found(await guardDatabase(deps, (database) => find(database, merchantId, id)), code)
}

/** Runs `work` on a node. A failure is reported as `service_unavailable`. */
export async function withNode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRpcFault(error)) throw new AppError('service_unavailable', [], { cause: error })
    throw error
  }
}
