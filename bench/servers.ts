import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Variables } from '../core/config/reader.ts'
import {
  lastLines,
  type Running,
  spawnDetached,
  stopOnParentDeath,
  stopProcess,
  waitUntil,
} from '../dev/processes/child.ts'
import { claimPort } from '../dev/servers/ports.ts'
import { startPostgres } from '../dev/servers/postgres.ts'
import { startRedis } from '../dev/servers/redis.ts'
import { type Database, openDatabase } from '../store/database/database.ts'
import { migrate } from '../store/database/migrate.ts'

const ROOT = join(import.meta.dirname, '..')
const UP_WITHIN_MS = 30_000

/** The servers of one measurement, with a database of the present schema. */
export interface Servers {
  /** A folder for logs, deleted at the end. */
  readonly dir: string
  readonly database: Database
  /** Of Postgres' first process. */
  readonly postgresPid: number
  readonly redisPid: number
  /** A free port for the API. */
  readonly port: number
  /** The environment of entry points. */
  readonly variables: Readonly<Record<'DATABASE_URL' | 'REDIS_URL' | 'PORT', string>>
  /** Has something stopped before all that was started earlier. */
  beforeStop(end: () => Promise<unknown>): void
  /** Stops everything, the last started first. */
  stop(): Promise<void>
}

/**
 * Starts Postgres and Redis, and what `start` starts beside them. Postgres waits for the disk at each commit,
 * unless `durable` is false, and has these `settings` beside its own. When that fails all is stopped again, and so
 * it is when this process is killed.
 */
export async function withServers<T>(
  start: (servers: Servers) => Promise<T>,
  durable = true,
  settings: Readonly<Record<string, string>> = {},
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
    const dataDir = join(dir, 'postgres')
    const postgres = await startPostgres({ dataDir, port: 0, durable, settings })
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
      redisPid: redis.pid,
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

/** A script of the project in a process of its own, stopped at the latest when this process is gone. */
export interface ServerProcess {
  readonly pid: number
  /** Its output so far. */
  words(): string
  stop(): Promise<void>
}

/** Starts a script, with `more` arguments. With a port, resolves once the script answers there. */
export async function startScript(
  script: string,
  environment: Variables,
  log: string,
  port: number | null = null,
  more: readonly string[] = [],
): Promise<ServerProcess> {
  const { running } = spawnDetached({
    command: process.execPath,
    args: [join(ROOT, script), ...more],
    cwd: ROOT,
    env: { ...process.env, ...environment },
    output: { file: log },
  })
  const release = stopOnParentDeath(running.pid, 'SIGTERM')
  const isUp = () => running.ended() !== undefined || port === null || answers(port)
  await waitUntil(isUp, UP_WITHIN_MS)
  if (running.ended() !== undefined || (port !== null && !(await answers(port)))) {
    await stopProcess(running.pid)
    throw new Error(`${script} did not come up:\n${lastLines(log)}`)
  }
  return {
    pid: running.pid,
    words: () => readFileSync(log, 'utf8'),
    async stop() {
      await stopProcess(running.pid, 'SIGTERM')
      release()
    },
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`)
    return true
  } catch {
    // It doesn't listen yet; the caller retries.
    return false
  }
}
