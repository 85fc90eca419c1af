import { shortMessage } from '../../core/base/logging.ts'
import type { Variables } from '../../core/config/reader.ts'
import { missingRoles } from '../../store/database/access.ts'
import { openDatabase } from '../../store/database/database.ts'
import { pendingMigrations, tooOldSchema } from '../../store/database/migrate.ts'
import { poolerProblems } from '../../store/database/pooler.ts'
import { type Finding, Findings } from './finding.ts'

/** The database: its version, schema, roles, connections, clock and settings. */

const OLDEST = 150_000
/** Connections of one process of each kind, operators and backups. */
const CONNECTIONS_LEAST = 60
const CLOCKS_APART_MS = 2_000

export async function checkDatabase(variables: Variables): Promise<Finding[]> {
  const url = variables.DATABASE_DIRECT_URL?.trim() || variables.DATABASE_URL
  const found = new Findings('database')
  if (!url) {
    found.problem('DATABASE_URL is missing', 'set the postgres:// URL of the ledger')
    return found.all
  }
  const [pooled] = await poolerProblems(url).catch(() => [])
  if (pooled !== undefined) {
    found.problem(
      'it is reached through a connection pooler',
      'set DATABASE_DIRECT_URL to the server',
    )
    return found.all
  }
  const database = openDatabase(url, { name: 'remit-doctor', poolSize: 2 })
  try {
    const sentAt = Date.now()
    const [server] = await database<ServerRow[]>`
      select current_setting('server_version') as version,
        current_setting('server_version_num')::integer as number,
        current_setting('max_connections')::integer as connections,
        (select count(*)::integer from pg_stat_activity) as used,
        current_setting('synchronous_commit') as commits, current_setting('fsync') as fsync,
        pg_is_in_recovery() as is_standby, clock_timestamp() as now,
        pg_database_size(current_database()) as size`
    if (server !== undefined) checkServer(found, server, (sentAt + Date.now()) / 2)
    await checkSchema(found, database)
  } catch (error) {
    found.problem(
      `it does not respond: ${shortMessage(error)}`,
      'is Postgres up, and are host, port, role and password of DATABASE_URL right?',
    )
  } finally {
    await database.end({ timeout: 2 })
  }
  return found.all
}

interface ServerRow {
  readonly version: string
  readonly number: number
  readonly connections: number
  readonly used: number
  readonly commits: string
  readonly fsync: string
  readonly isStandby: boolean
  readonly now: Date
  /** In bytes. */
  readonly size: bigint
}

function checkServer(found: Findings, server: ServerRow, sentAt: number): void {
  const { version, number, connections, used, commits, fsync, isStandby, now, size } = server
  if (number < OLDEST) found.problem(`it is Postgres ${version}`, 'use Postgres 15 or newer')
  else found.good(`Postgres ${version}, ${size / 1_048_576n} MB`)
  if (isStandby) {
    found.problem('it is a standby, which accepts no writes', 'set DATABASE_URL to the primary')
  }
  if (connections < CONNECTIONS_LEAST) {
    found.warning(`max_connections is ${connections}`, `set it to ${CONNECTIONS_LEAST} or more`)
  } else found.good(`${used} of ${connections} connections are used`)
  if (fsync !== 'on' || commits === 'off') {
    found.problem(
      `fsync is ${fsync}, synchronous_commit ${commits}`,
      'set both to on: committed transactions must survive a crash',
    )
  }
  const apart = Math.round(now.getTime() - sentAt)
  if (Math.abs(apart) > CLOCKS_APART_MS) {
    found.warning(`its clock differs from this machine's by ${apart} ms`, 'synchronise both by NTP')
  } else found.good(`its clock differs from this machine's by ${apart} ms`)
}

async function checkSchema(
  found: Findings,
  database: ReturnType<typeof openDatabase>,
): Promise<void> {
  const tooOld = await tooOldSchema(database)
  if (tooOld !== null) {
    found.problem('the schema is that of a development version', tooOld)
    return
  }
  const pending = await pendingMigrations(database)
  if (pending.length > 0) {
    const what = `${pending.length} migrations are missing, ${pending[0]} first`
    found.problem(what, 'run `bun run remit migrate`')
    return
  }
  found.good('the schema is up to date')
  const roles = await missingRoles(database)
  if (roles.length > 0) {
    found.warning(
      `the roles ${roles.join(', ')} are missing`,
      'run `bun run remit migrate` as a user that may create roles, then `remit database roles`',
    )
  } else found.good('each process has its own role')
}
