import postgres from 'postgres'
import { singleServers } from '../../core/base/databaseUrl.ts'

/**
 * The connection to Postgres. Rows arrive with their columns in camelCase, and `bigint` and `numeric`
 * columns as bigint: the schema keeps no fractions. What the schema's domains and checks promise
 * (addresses in lower case, amounts of at least 0, known states) is written into the types of rows and
 * not checked again.
 */

const NUMERIC = { to: 1700, from: [1700], serialize: String, parse: BigInt }
const TYPES = { bigint: postgres.BigInt, numeric: NUMERIC }
/**
 * The arrays that Postgres itself knows, each after the type of its elements, as in `pg_type`. The driver
 * would query all types on every connection, which costs both sides more than the connection itself;
 * arrays of the schema's own types it reads as arrays of strings.
 */
const ARRAYS = Object.entries({
  ...{
    16: 1000,
    17: 1001,
    19: 1003,
    20: 1016,
    21: 1005,
    23: 1007,
    25: 1009,
    26: 1028,
    114: 199,
    701: 1022,
  },
  ...{ 1043: 1015, 1082: 1182, 1114: 1115, 1184: 1185, 1700: 1231, 2950: 2951, 3802: 3807 },
}).map(([element, array]) => [Number(element), array] as const)

interface Integers {
  readonly bigint: bigint
  readonly numeric: bigint
}

export type Database = postgres.Sql<{ [name in keyof Integers]: Integers[name] }>
export type Transaction = postgres.TransactionSql<{ [name in keyof Integers]: Integers[name] }>
/** Either of them: most queries don't care whether they run inside a transaction. */
export type Queryable = Database | Transaction

/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

export interface DatabaseOptions {
  /** Shown in pg_stat_activity. */
  readonly name: string
  readonly poolSize?: number
  /** How long a statement may run, in ms; 0 for no bound, e.g. for migrations. */
  readonly statementTimeoutMs?: number
  /** How long a server may be silent before it is probed, in ms. */
  readonly silenceMs?: number
  /** Called when a connection was given up because the server is silent on it. */
  readonly onSilence?: () => void
  /**
   * True through a pooler that lends a connection for a transaction at a time: nothing is prepared, and the
   * settings are those of the role (pooler.ts).
   */
  readonly isPooled?: boolean
}

/**
 * How statements are planned, over the server's own settings. Every statement is planned once: those with
 * arrays would otherwise be planned at each call, which takes longer than they do. A plan made while a table is
 * small must suit it when it is large. Compiling a plan, as Postgres before 18 does by default for what it
 * takes for costly, takes a hundred times as long as running it.
 */
export const PLANNING = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // What is read is in memory or on a solid-state disk, where any page is as near as the next one.
  random_page_cost: '1.1',
  effective_cache_size: '4GB',
  work_mem: '16MB',
}

const STATEMENT_MS = 60_000
/** As SILENCE_MS is by default. */
export const SILENCE_MS = 5_000
/** A session of which the server has heard nothing for so many silences is over, and its locks with it. */
const SILENCES_TO_END = 4

/**
 * Opens a pool. Connections are made when first needed, and made again when they break or fall silent: the driver
 * is patched to probe a server that owes an answer for too long, and idle connections now and then. The server
 * probes us the same way, because a client that is gone may seem alive from there. Of several servers it
 * takes the primary.
 */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const { name: application_name, isPooled = false, silenceMs = SILENCE_MS } = options
  const longestMs = (options.statementTimeoutMs ?? STATEMENT_MS) + silenceMs
  return postgres(url, {
    types: TYPES,
    fetch_types: ARRAYS,
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    max: options.poolSize ?? 10,
    prepare: !isPooled,
    connection: { application_name, ...(isPooled ? {} : sessionSettings(options)) },
    ...(hasOwnChoice(url) ? {} : { target_session_attrs: 'primary' }),
    keep_alive: 10,
    silence_timeout: silenceMs / 1_000,
    // A server behind a pooler knows the pooler's connections, and not this one.
    max_silence: isPooled ? longestMs / 1_000 : null,
    onsilence: options.onSilence ?? (() => {}),
    max_lifetime: null,
    connect_timeout: Math.max(1, silenceMs / 1_000),
    idle_timeout: 0,
    backoff,
    onnotice: () => {},
  })
}

/**
 * How long after so many failed attempts a connection is tried again, in seconds: a server that was restarted
 * is found again quickly, without a storm of connections.
 */
export function backoff(attempt: number): number {
  return Math.min(2, 0.05 * 2 ** attempt)
}

/** Whether the URL names one server only, or selects one of several itself. */
function hasOwnChoice(url: string): boolean {
  return singleServers(url).length < 2 || /[?&]target_session_attrs=/.test(url)
}

/** What is set for each session when it begins. A pooler between has to ignore these by name. */
export function sessionSettings({ statementTimeoutMs, silenceMs = SILENCE_MS }: DatabaseOptions) {
  return {
    ...PLANNING,
    // A process that froze or was cut off must not hold its locks for long.
    statement_timeout: statementTimeoutMs ?? STATEMENT_MS,
    lock_timeout: statementTimeoutMs === 0 ? 0 : 10_000,
    idle_in_transaction_session_timeout: Math.min(30_000, silenceMs * SILENCES_TO_END),
    idle_session_timeout: silenceMs * SILENCES_TO_END,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
  }
}

/**
 * Has the transaction's commit not wait for the disk. A server that crashes within the next moment
 * loses it, whole, so this is for what would merely be repeated.
 */
export async function commitWithoutWaiting(sql: Transaction): Promise<void> {
  await sql`set local synchronous_commit = off`
}

/** The same for a statement that is a transaction by itself, as a condition of all that it writes, which always holds. */
export function isNotWaitedFor(sql: Queryable) {
  return sql`set_config('synchronous_commit', 'off', true) is not null`
}

/** The database has lost committed rows: a failover reverted them, so its state must not be acted on. */
export class DatabaseBehindError extends Error {
  override readonly name = 'DatabaseBehindError'
}

/**
 * True for errors that mean the database couldn't be reached, is going away, has fallen behind, or takes no
 * writes, as a standby does: the driver then closes the connection, so that the next one finds the primary.
 */
export function isDatabaseDown(error: unknown): boolean {
  if (error instanceof DatabaseBehindError) return true
  const code = codeOf(error)
  return (
    code.startsWith('CONNECT') ||
    code.startsWith('ECONN') ||
    code.startsWith('08') ||
    [
      ...['25006', '25P03', '53300', '57P01', '57P02', '57P03', '57P05'],
      ...['ENOENT', 'EPIPE', 'ETIMEDOUT'],
    ].includes(code)
  )
}

/** True for transactions that lost against others and need only be tried again. */
export function isContention(error: unknown): boolean {
  // serialization_failure, deadlock_detected, lock_not_available, query_canceled
  return ['40001', '40P01', '55P03', '57014'].includes(codeOf(error))
}

/** True for a statement that took longer than any may. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** True for statements that gave up waiting for a lock, or were chosen to end a deadlock. */
export function isLostLock(error: unknown): boolean {
  return ['55P03', '40P01'].includes(codeOf(error))
}

/** True for errors about a wrong role, password or missing rights. */
export function isRefusal(error: unknown): boolean {
  // insufficient_privilege, invalid_authorization_specification, invalid_password
  return ['42501', '28000', '28P01'].includes(codeOf(error))
}

/** True for the error of a row whose unique value exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/**
 * True for an error that one row of a statement with many may have caused: it lost against others, or is of values
 * that can't be stored, as where what it refers to was just deleted (classes 22 and 23 of SQLSTATE).
 */
export function isRowError(error: unknown): boolean {
  return isContention(error) || /^2[23]/.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
