import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, stopOnParentDeath } from '../dev/processes/child.ts'
import { claimPort } from '../dev/servers/ports.ts'
import { startPostgres } from '../dev/servers/postgres.ts'
import { startRedis } from '../dev/servers/redis.ts'
import { type Database, openDatabase } from '../store/database/database.ts'
import { migrate } from '../store/database/migrate.ts'

/** The servers of one measurement, with a database of the present schema. */
export interface Servers {
  /** A folder for logs, which goes with them. */
  readonly dir: string
  readonly database: Database
  /** Of Postgres' first process. */
  readonly postgresPid: number
  /** A free port for the API. */
  readonly port: number
  /** Where entry points find all this. */
  readonly variables: Readonly<Record<'DATABASE_URL' | 'REDIS_URL' | 'PORT', string>>
  /** Has something stopped before all that was started earlier. */
  beforeStop(end: () => Promise<unknown>): void
  /** Stops everything, the last started first. */
  stop(): Promise<void>
}

/**
 * Starts Postgres and Redis, and what `start` starts beside them. Postgres waits for the disk at each commit,
 * unless `durable` is false. When that fails all is stopped again, and so
 * it is when this process is killed.
 */
export async function withServers<T>(
  start: (servers: Servers) => Promise<T>,
  durable = true,
): Promise<T> {
  const dir = mkdtempSync('/tmp/remit-bench-')
  // Postgres runs under another uid when this runs as root.
  chmodSync(dir, 0o711)
  const ends: (() => Promise<unknown>)[] = [
    async () => rmSync(dir, { recursive: true, force: true }),
  ]
  const beforeStop = (end: () => Promise<unknown>) => void ends.push(end)
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  const keep = (server: Running, signal: NodeJS.Signals, ownDir?: string) => {
    const release = stopOnParentDeath(server.pid, signal, ownDir)
    beforeStop(async () => release())
    beforeStop(server.stop)
  }
  try {
    const postgres = await startPostgres({ dataDir: join(dir, 'postgres'), port: 0, durable })
    keep(postgres, 'SIGINT', dir)
    const redis = await startRedis({ dataDir: join(dir, 'redis'), port: 0 })
    keep(redis, 'SIGTERM')
    const database = openDatabase(postgres.url, { name: 'remit-bench', poolSize: 4 })
    beforeStop(() => database.end({ timeout: 2 }))
    await migrate(database)
    const port = await claimPort(0, 'the API')
    const variables = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      PORT: String(port),
    }
    return await start({
      dir,
      database,
      postgresPid: postgres.pid,
      port,
      variables,
      beforeStop,
      stop,
    })
  } catch (error) {
    await stop()
    throw error
  }
}
