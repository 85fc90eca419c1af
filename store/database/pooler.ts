import {
  type Database,
  type DatabaseOptions,
  isDatabaseDown,
  openDatabase,
  PLANNING,
  type Queryable,
} from './database.ts'

/**
 * Poolers between a process and Postgres, such as PgBouncer. One that lends a connection for a transaction at a
 * time carries independent statements. A session lock through it passes to the next borrower of
 * that connection, so that two workers would lead a chain, and a subscription hears nothing.
 */

/** Opens a pool whose statements go through a pooler, where there is one, and whose subscriptions do not. */
export function openThroughPooler(
  { databaseUrl, directUrl }: { readonly databaseUrl: string; readonly directUrl: string },
  options: DatabaseOptions,
): Database {
  if (databaseUrl === directUrl) return openDatabase(databaseUrl, options)
  const database = openDatabase(databaseUrl, { ...options, isPooled: true })
  const direct = openDatabase(directUrl, { ...options, poolSize: 1 })
  const { end } = database
  database.listen = direct.listen
  database.end = async (ending) => {
    await Promise.all([direct.end(ending), end(ending)])
  }
  return database
}

/** The session is a pooler's and not this process's own. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError'

  constructor() {
    super('this connection leads through a pooler, where a lock belongs to everybody')
  }
}

/**
 * Whether the answer came from the session that the server gave this process when it connected. A pooler greets
 * with a process id of its own making, in any mode. `answer` has pg_backend_pid() as `pid`.
 */
export function isOwnSession(answer: {
  readonly state: { readonly pid: number }
  readonly [row: number]: { readonly pid: number }
}): boolean {
  return answer.state.pid === answer[0]?.pid
}

/**
 * Why a process that needs sessions of its own must not start with this URL, in a sentence. Empty while the
 * database is unavailable, which other checks report and which passes: leadership checks again at each session.
 */
export async function poolerProblems(directUrl: string): Promise<string[]> {
  // Without settings, which a pooler would refuse and so hide what it is.
  const database = openDatabase(directUrl, { name: 'remit-pooler', poolSize: 1, isPooled: true })
  try {
    const answer = await database<{ pid: number }[]>`select pg_backend_pid() as pid`
    if (isOwnSession(answer)) return []
    return [
      'DATABASE_DIRECT_URL (or DATABASE_URL, where it is not set) leads through a connection pooler: set ' +
        'DATABASE_DIRECT_URL to the server itself, because locks and subscriptions belong to a session',
    ]
  } catch (error) {
    if (isDatabaseDown(error)) return []
    throw error
  } finally {
    await database.end({ timeout: 1 })
  }
}

/**
 * What sessions through a pooler run with. It passes no settings on when it connects, so that they are the
 * role's: those that every process sets otherwise, and the limits of the API's requests.
 */
const POOLED_SETTINGS: Readonly<Record<string, string>> = {
  ...PLANNING,
  statement_timeout: '5s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '30s',
}

/** Gives a role these settings in this database, for sessions that begin from now on. */
export async function settlePooledRole(sql: Queryable, role: string): Promise<void> {
  for (const [setting, value] of Object.entries(POOLED_SETTINGS)) {
    const [row] = await sql<{ statement: string }[]>`
      select format('alter role %I in database %I set %I = %L',
        ${role}::text, current_database(), ${setting}::text, ${value}::text) as statement`
    await sql.unsafe(row?.statement ?? '')
  }
}

/** Why the API must not send its statements through this pooler, in a sentence; empty while it is away. */
export async function pooledProblems(databaseUrl: string): Promise<string[]> {
  const database = openDatabase(databaseUrl, { name: 'remit-pooled', poolSize: 1, isPooled: true })
  try {
    const lacking = await lackingSettings(database)
    if (lacking.length === 0) return []
    return [
      `connections through the pooler of DATABASE_URL have other settings than they need (${lacking.join(', ')}): ` +
        "`bun run remit database roles` gives them to the API's role, with which the pooler must then reconnect",
    ]
  } catch (error) {
    if (isDatabaseDown(error)) return []
    throw error
  } finally {
    await database.end({ timeout: 1 })
  }
}

async function lackingSettings(database: Database): Promise<string[]> {
  const rows = await database<{ name: string }[]>`
    select name from unnest(
      ${Object.keys(POOLED_SETTINGS)}::text[], ${Object.values(POOLED_SETTINGS)}::text[]
    ) as wanted (name, value)
    where current_setting(name) <> value order by name`
  return rows.map(({ name }) => name)
}
