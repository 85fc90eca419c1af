import { openDatabase } from './database.ts'
import { isOwnSession, PoolerError } from './pooler.ts'

/**
 * Leadership: a session lock in Postgres that vanishes with the connection, so that a killed leader is
 * followed at once. It saves work and is not relied on for correctness: every write of a leader is
 * guarded by row locks and unique keys as well.
 */
export interface Leadership {
  /**
   * True when this process leads, or has just become the leader.
   * @throws PoolerError when the session is a pooler's, which others may be given, too, and with it the lock.
   */
  hold(): Promise<boolean>
  /** Gives it to somebody else, and may ask for it again. */
  leave(): Promise<void>
  release(): Promise<void>
}

/** Classes of advisory locks, which separate these locks from all others in the database. */
const CHAIN_LOCKS = 7_733_101
const INDEXER_LOCKS = 7_733_102
const SCHEMA_LOCKS = 7_733_103

/** Of all workers, one leads each chain. `chainId` is at most 2^31 - 1, as all of the registry are. */
export function chainLeadership(databaseUrl: string, chainId: number): Leadership {
  return openLeadership(databaseUrl, 'remit-leader', CHAIN_LOCKS, chainId)
}

/** The indexer whose tables readers are shown. */
export function indexerLeadership(databaseUrl: string): Leadership {
  return openLeadership(databaseUrl, 'remit-indexer-leader', INDEXER_LOCKS, 0)
}

/** One indexer writes the tables of a schema, whose name ends with a hash in hexadecimal. */
export function schemaLeadership(databaseUrl: string, schema: string): Leadership {
  const lock = Number.parseInt(schema.slice(-7), 16)
  return openLeadership(databaseUrl, 'remit-indexer-schema', SCHEMA_LOCKS, lock)
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
  // The session that is known to be this process's own.
  let own = 0
  const ask = () => session<{ pid: number; leads: boolean | null }[]>`
    select pg_backend_pid() as pid, case
      when pg_backend_pid() <> ${own} then null
      when exists (
        select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
          and classid = ${lockClass} and objid = ${lock} and granted)
      then true
      else pg_try_advisory_lock(${lockClass}, ${lock})
    end as leads`
  return {
    async hold() {
      let answer = await ask()
      if (answer[0]?.leads === null) {
        if (!isOwnSession(answer)) throw new PoolerError()
        own = answer[0].pid
        answer = await ask()
      }
      return answer[0]?.leads ?? false
    },
    async leave() {
      await session`select pg_advisory_unlock(${lockClass}, ${lock})`
    },
    release: () => session.end({ timeout: 1 }),
  }
}
