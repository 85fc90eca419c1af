import { openDatabase } from './database.ts'

/**
 * Leadership of a chain: a session lock in Postgres that vanishes with the connection, so that a
 * killed leader is followed at once. It saves work and is not relied on for correctness: every write
 * of a leader is guarded by row locks and unique keys as well.
 */
export interface Leadership {
  /** True when this process leads, or has just become the leader. */
  hold(): Promise<boolean>
  release(): Promise<void>
}

/** Separates these locks from all other advisory locks in the database. */
const LOCK_CLASS = 7_733_101

/**
 * Opens a connection of its own, which no pool hands to anyone else. When it breaks it is made anew by
 * the next question, which then finds the lock gone and takes it again if nobody else has. `chainId`
 * is at most 2^31 - 1, as all chain ids of the registry are.
 */
export function createLeadership(databaseUrl: string, chainId: number): Leadership {
  const session = openDatabase(databaseUrl, { name: 'remit-leader', poolSize: 1 })
  return {
    async hold() {
      const [row] = await session<{ leads: boolean }[]>`
        select case
          when exists (
            select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
              and classid = ${LOCK_CLASS} and objid = ${chainId} and granted)
          then true
          else pg_try_advisory_lock(${LOCK_CLASS}, ${chainId})
        end as leads`
      return row?.leads ?? false
    },
    release: () => session.end({ timeout: 1 }),
  }
}
