import postgres from 'postgres'

/**
 * Whose turn it is: one indexer works on a database and others wait for its end. The turn is a
 * session lock in Postgres, which ends with the connection and therefore with the process.
 */
export interface Turn {
  /** True when this process has the turn, or has just got it. */
  hold(): Promise<boolean>
  end(): Promise<void>
}

/** Separates this lock from all other advisory locks in the database. */
const LOCK_CLASS = 7_733_102
const LOCK = 0

/**
 * Opens a connection for the lock alone, which nothing but a fault closes. After a fault it connects
 * again, without the lock, which is then asked for again.
 */
export function openTurn(databaseUrl: string): Turn {
  const sql = postgres(databaseUrl, {
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: 5,
    backoff: (attempt) => Math.min(2, 0.05 * 2 ** attempt),
    connection: { application_name: 'remit-indexer-turn' },
  })
  return {
    async hold() {
      const [row] = await sql<{ held: boolean }[]>`
        select case
          when exists (
            select from pg_locks
            where locktype = 'advisory' and granted and pid = pg_backend_pid()
              and classid = ${LOCK_CLASS} and objid = ${LOCK}
          ) then true
          else pg_try_advisory_lock(${LOCK_CLASS}, ${LOCK})
        end as held`
      return row?.held ?? false
    },
    end: () => sql.end({ timeout: 2 }),
  }
}
