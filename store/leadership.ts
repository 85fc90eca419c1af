import type { Database } from './database.ts'

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

type Reserved = Awaited<ReturnType<Database['reserve']>>

/** `chainId` is at most 2^31 - 1, as all chain ids of the registry are. */
export function createLeadership(database: Database, chainId: number): Leadership {
  let connection: Reserved | null = null
  let isLeader = false

  async function drop(): Promise<void> {
    const dropped = connection
    connection = null
    isLeader = false
    dropped?.release()
  }

  return {
    async hold() {
      try {
        connection ??= await database.reserve()
        if (isLeader) {
          const rows = await connection<{ held: boolean }[]>`
            select exists (
              select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
                and classid = ${LOCK_CLASS} and objid = ${chainId} and granted) as held`
          isLeader = rows[0]?.held ?? false
        }
        if (!isLeader) {
          const rows = await connection<{ locked: boolean }[]>`
            select pg_try_advisory_lock(${LOCK_CLASS}, ${chainId}) as locked`
          isLeader = rows[0]?.locked ?? false
        }
        return isLeader
      } catch (error) {
        await drop()
        throw error
      }
    },
    async release() {
      if (connection && isLeader) {
        await connection`select pg_advisory_unlock(${LOCK_CLASS}, ${chainId})`
      }
      await drop()
    },
  }
}
