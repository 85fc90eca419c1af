import { singleServers } from '../../core/base/databaseUrl.ts'
import { openDatabase } from './database.ts'

/**
 * Of the servers that a URL names, the URL of the one that takes writes, for clients that know one server only.
 * Throws when there is none at the moment.
 */
export async function primaryUrl(databaseUrl: string): Promise<string> {
  const servers = singleServers(databaseUrl)
  if (servers.length < 2) return databaseUrl
  const found = await Promise.all(servers.map(isPrimary))
  const primary = servers.find((_, place) => found[place])
  if (primary === undefined) throw new Error('none of the servers of the database is the primary')
  return primary
}

async function isPrimary(server: string): Promise<boolean> {
  const database = openDatabase(server, { name: 'remit-primary', poolSize: 1 })
  try {
    const [row] = await database<{ isStandby: boolean }[]>`
      select pg_is_in_recovery() as is_standby`
    return row?.isStandby === false
  } catch {
    // One that does not answer takes no writes.
    return false
  } finally {
    await database.end({ timeout: 1 })
  }
}
