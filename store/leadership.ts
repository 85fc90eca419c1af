import { openDatabase } from './database.ts'

/**
 * Leadership: a session lock in Postgres that vanishes with the connection, so that a killed leader is
 * followed at once. It saves work and is not relied on for correctness: every write of a leader is
 * guarded by row locks and unique keys as well.
 */
export interface Leadership {
  /** True when this process leads, or has just become the leader. */
  hold(): Promise<boolean>
  release(): Promise<void>
}

/** Classes of advisory locks, which separate these locks from all others in the database. */
const CHAIN_LOCKS = 7_733_101
const INDEXER_LOCKS = 7_733_102

/** Of all workers, one leads each chain. `chainId` is at most 2^31 - 1, as all of the registry are. */
export function chainLeadership(databaseUrl: string, chainId: number): Leadership {
  return openLeadership(databaseUrl, 'remit-leader', CHAIN_LOCKS, chainId)
}

/** One indexer works on a database; others wait for its end. */
export function indexerLeadership(databaseUrl: string): Leadership {
  return openLeadership(databaseUrl, 'remit-indexer-leader', INDEXER_LOCKS, 0)
}

/**
 * Opens a connection of its own, which no pool hands to anyone else. When it breaks it is made anew by
 * the next question, which then finds the lock gone and takes it again if nobody else has.
 */
function openLeadership(
  databaseUrl: string,
  name: string,
  lockClass: number,
  lock: number,
): Leadership {
  const session = openDatabase(databaseUrl, { name, poolSize: 1 })
  return {
    async hold() {
      const [row] = await session<{ leads: boolean }[]>`
        select case
          when exists (
            select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
              and classid = ${lockClass} and objid = ${lock} and granted)
          then true
          else pg_try_advisory_lock(${lockClass}, ${lock})
        end as leads`
      return row?.leads ?? false
    },
    release: () => session.end({ timeout: 1 }),
  }
}
