import postgres from 'postgres'

/**
 * The connection to Postgres. `bigint` columns arrive as bigint, `numeric` ones as strings of digits,
 * which the files of this room turn into base units.
 */

const TYPES = { bigint: postgres.BigInt }

export type Database = postgres.Sql<{ bigint: bigint }>
export type Transaction = postgres.TransactionSql<{ bigint: bigint }>
/** Either of them: most queries don't care whether they run inside a transaction. */
export type Queryable = Database | Transaction

export interface DatabaseOptions {
  /** Shown in pg_stat_activity. */
  readonly name: string
  readonly poolSize?: number
}

/** Opens a pool. Connections are made when first needed, and made again when they break. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  return postgres(url, {
    types: TYPES,
    max: options.poolSize ?? 10,
    connection: { application_name: options.name },
    connect_timeout: 5,
    idle_timeout: 0,
    // A server that was restarted is found again quickly, without a storm of connections.
    backoff: (attempt) => Math.min(2, 0.05 * 2 ** attempt),
    onnotice: () => {},
  })
}

/** True for errors that say the database couldn't be reached or is going away. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  return (
    code.startsWith('CONNECT') ||
    code.startsWith('ECONN') ||
    code.startsWith('CONNECTION_') ||
    code.startsWith('08') ||
    ['57P01', '57P02', '57P03', '53300', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(code)
  )
}
