import {
  openRole,
  type Process,
  roleNames,
  settleAccess,
  urlOfRole,
} from '../../../store/database/access.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { templateOf } from './run.ts'

/** Databases as the processes themselves see them, each by its own role. */

/** Roles belong to the server: copies of one template share them, and each is opened once. */
const opened = new Map<string, Promise<string>>()

/**
 * The URL by which a process connects to a database that has the schema. Its role may do what the
 * migrations say and no more, so that a right that is missing shows in whatever is tested.
 */
export async function roleUrl(databaseUrl: string, process: Process): Promise<string> {
  const key = `${new URL(databaseUrl).host} ${templateOf(databaseUrl) ?? databaseUrl} ${process}`
  // A database that was copied has the rules of its tables, and not those of the database itself.
  const role =
    process === 'indexer'
      ? openedRole(databaseUrl, process)
      : (opened.get(key) ?? openedRole(databaseUrl, process))
  opened.set(key, role)
  return urlOfRole(databaseUrl, await role, null)
}

async function openedRole(databaseUrl: string, process: Process): Promise<string> {
  const owner = openDatabase(databaseUrl, { name: 'test-roles', poolSize: 1 })
  try {
    const role = (await roleNames(owner))[process]
    if (process === 'indexer') await settleAccess(owner)
    await openRole(owner, role, null)
    return role
  } finally {
    await owner.end()
  }
}

export async function openAs(
  databaseUrl: string,
  process: Process,
  poolSize = 3,
): Promise<Database> {
  return openDatabase(await roleUrl(databaseUrl, process), { name: `test-${process}`, poolSize })
}
