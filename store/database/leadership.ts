import { openDatabase, SILENCE_MS } from './database.ts'
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
  /** Releases it; the process may acquire it again. */
  leave(): Promise<void>
  release(): Promise<void>
}

/** Classes of advisory locks, which separate these locks from all others in the database. */
const CHAIN_LOCKS = 7_733_101
const INDEXER_LOCKS = 7_733_102
const SCHEMA_LOCKS = 7_733_103
const STATEMENT_MS = 5_000
/** How long the server may take to end a session, in ms. */
const ENDING_MS = 2_000

/** Of all workers, one leads each chain. `chainId` is at most 2^31 - 1, as all of the registry are. */
export function chainLeadership(
  databaseUrl: string,
  chainId: number,
  silenceMs?: number,
): Leadership {
  return openLeadership(databaseUrl, 'remit-leader', [CHAIN_LOCKS, chainId], silenceMs)
}

/** The indexer whose tables readers are shown. */
export function indexerLeadership(databaseUrl: string, silenceMs?: number): Leadership {
  return openLeadership(databaseUrl, 'remit-indexer-leader', [INDEXER_LOCKS, 0], silenceMs)
}

/** One indexer writes the tables of a schema, whose name ends with a hash in hexadecimal. */
export function schemaLeadership(
  databaseUrl: string,
  schema: string,
  silenceMs?: number,
): Leadership {
  const lock = Number.parseInt(schema.slice(-7), 16)
  return openLeadership(databaseUrl, 'remit-indexer-schema', [SCHEMA_LOCKS, lock], silenceMs)
}

/**
 * Opens a connection of its own, which no pool hands to anyone else. When it breaks, the next query reconnects,
 * finds the lock gone, and takes it again if it is free.
 */
function openLeadership(
  databaseUrl: string,
  name: string,
  [lockClass, lock]: readonly [lockClass: number, lock: number],
  silenceMs: number = SILENCE_MS,
): Leadership {
  const session = openDatabase(databaseUrl, {
    ...{ name, poolSize: 1, silenceMs },
    // It is queried at every turn, and never waits for anything.
    statementTimeoutMs: STATEMENT_MS,
  })
  // The session that is known to be this process's own.
  let own = 0
  const query = () => session<{ pid: number; leads: boolean | null }[]>`
    select pg_backend_pid() as pid, case
      when pg_backend_pid() <> ${own} then null
      when exists (
        select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
          and classid = ${lockClass} and objid = ${lock} and granted)
      then true
      else pg_try_advisory_lock(${lockClass}, ${lock})
    end as leads`
  /** A session that fell silent is ours no more, which the server may not know, and holds the lock. */
  const endFormer = () => session`
    select pg_terminate_backend(pid, ${ENDING_MS}) from pg_locks
    where locktype = 'advisory' and classid = ${lockClass} and objid = ${lock} and granted
      and pid = ${own} and database = (select oid from pg_database where datname = current_database())`
  return {
    async hold() {
      let answer = await query()
      if (answer[0]?.leads === null) {
        if (!isOwnSession(answer)) throw new PoolerError()
        if (own !== 0) await endFormer()
        own = answer[0].pid
        answer = await query()
      }
      return answer[0]?.leads ?? false
    },
    async leave() {
      await session`select pg_advisory_unlock(${lockClass}, ${lock})`
    },
    release: () => session.end({ timeout: 1 }),
  }
}
