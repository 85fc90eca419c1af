import { isRpcFault } from '../../chain/faults.ts'
import { AppError } from '../../core/errors.ts'
import type { Database } from '../../store/database.ts'
import type { ApiDependencies } from './exchange.ts'

/** Works with the database. Throws DatabaseUnavailable, at once while it is known to be away. */
export function guardDatabase<T>(
  { availability, database }: Pick<ApiDependencies, 'availability' | 'database'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return availability.guard(() => work(database))
}

/** Works with a node. One that doesn't answer makes the service unavailable, which passes. */
export async function withNode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRpcFault(error)) throw new AppError('service_unavailable', [], { cause: error })
    throw error
  }
}
