import { singleServers } from '../../core/base/databaseUrl.ts'
import { type Fragment, openDatabase, type Queryable } from './database.ts'

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

/** The server that answers, by when it began: another one's clock differs in its microseconds. */
export async function readServer(sql: Queryable): Promise<string> {
  const [row] = await sql<{ server: string }[]>`select ${serverOf(sql)} as server`
  if (row === undefined) throw new Error('the database does not say when it began')
  return row.server
}

export function serverOf(sql: Queryable): Fragment {
  return sql`extract(epoch from pg_postmaster_start_time())::text`
}
