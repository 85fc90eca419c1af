/**
 * The real servers that tests run against. One Postgres and one Redis serve a whole test run and
 * start with the first test that asks for them; DATABASE_URL and REDIS_URL point to others instead, and
 * TEST_POSTGRES names the folder of another Postgres to start, e.g. /usr/lib/postgresql/15.
 * Every one of them is stopped even when the run is killed.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Running, stopOnParentDeath } from '../../../dev/processes/child.ts'
import { type Anvil, type AnvilOptions, startAnvil } from '../../../dev/servers/anvil.ts'
import { startPostgres } from '../../../dev/servers/postgres.ts'
import { startRedis } from '../../../dev/servers/redis.ts'
import { roomyFolder } from '../../../dev/servers/room.ts'

/** A database of its own for one test file. `drop` ends the sessions that are still open on it. */
export type TestDatabase = { url: string; drop(): Promise<void> }

/** Fills the template that later databases are copied from, for example by running migrations. */
export type Prepare = (url: string) => Promise<void>

let shared: { postgres?: Promise<string>; redis?: Promise<string> } = {}
const stops: (() => Promise<void>)[] = []
const FOR_ONE_RUN = {
  // Nothing is replicated, and nothing grows enough to be vacuumed: less to write and fewer processes.
  ...{ wal_level: 'minimal', max_wal_senders: '0', autovacuum: 'off', jit: 'off' },
}
const templates = new Map<Prepare, Promise<string>>()
let created = 0
let administrator: postgres.Sql | undefined

/** The URL of the run's Postgres, in which the user may create databases. */
export function postgresUrl(): Promise<string> {
  shared.postgres ??= process.env.DATABASE_URL
    ? Promise.resolve(process.env.DATABASE_URL)
    : start(async (dir) => {
        const native = process.env.TEST_POSTGRES
        const server = native === undefined ? {} : { native }
        return await startPostgres({
          ...{ dataDir: join(dir, 'data'), port: 0, durable: false, settings: FOR_ONE_RUN },
          ...server,
        })
      }, 'SIGINT')
  return shared.postgres
}

/** The URL of the run's Redis. Test files keep apart by a key prefix (see `redisPrefix`). */
export function redisUrl(): Promise<string> {
  shared.redis ??= process.env.REDIS_URL
    ? Promise.resolve(process.env.REDIS_URL)
    : start((dir) => startRedis({ dataDir: join(dir, 'data'), port: 0 }), 'SIGTERM')
  return shared.redis
}

/** A key prefix that no other test file and no other run uses. */
export function redisPrefix(): string {
  return `test-${crypto.randomUUID().slice(0, 8)}`
}

/**
 * Creates a new database. With `prepare`, a template is filled once per run and function, and
 * every database is a copy of it, which takes milliseconds.
 */
export async function createDatabase(prepare?: Prepare): Promise<TestDatabase> {
  if (prepare === undefined) return await emptyDatabase()
  let template = templates.get(prepare)
  if (template === undefined) {
    template = fillTemplate(prepare)
    templates.set(prepare, template)
  }
  return await copyOf(await template)
}

/** The template of each database that is a copy of one, by its name. */
const origins = new Map<string, string>()

/** The template of which a database is a copy; null for none. What a server shares, such as roles, its copies share. */
export function templateOf(url: string): string | null {
  return origins.get(new URL(url).pathname.slice(1)) ?? null
}

/** The next copy of each template, which is made while a test uses the one before. */
const spares = new Map<string, Promise<TestDatabase>>()

async function copyOf(template: string): Promise<TestDatabase> {
  const copy = await (spares.get(template) ?? emptyDatabase(template))
  const spare = emptyDatabase(template)
  spares.set(template, spare)
  whileOthersRun(spare.then(() => undefined))
  return copy
}

async function fillTemplate(prepare: Prepare): Promise<string> {
  const { url } = await emptyDatabase()
  await prepare(url)
  const name = new URL(url).pathname.slice(1)
  // A template with a session on it cannot be copied; no one needs one any more.
  await administer((sql) => endSessions(sql, name))
  return name
}

async function emptyDatabase(template = 'template0'): Promise<TestDatabase> {
  const name = `test_${process.pid}_${++created}`
  const url = new URL(await postgresUrl())
  url.pathname = `/${name}`
  // By files: what is copied page by page is written to the log as well.
  await administer(
    (sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`,
  )
  if (template !== 'template0') origins.set(name, template)
  const drop = () => administer((sql) => sql`drop database if exists ${sql(name)} with (force)`)
  if (process.env.DATABASE_URL) stops.push(drop)
  return { url: url.href, drop }
}

async function endSessions(sql: postgres.Sql, database: string): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`
}

/** One session creates and drops the run's databases: to connect takes the server longer than either. */
async function administer(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  if (administrator === undefined) {
    const sql = postgres(await postgresUrl(), { max: 1, onnotice: () => {} })
    administrator = sql
    stops.push(() => sql.end())
  }
  await work(administrator)
}

/** A chain in memory for one test file; a block per transaction unless the test wants otherwise. */
export async function startTestChain(options: Partial<AnvilOptions> = {}): Promise<Anvil> {
  const chain = await startAnvil({ chainId: 84_532, port: 0, mining: 'automine', ...options })
  return { ...chain, stop: keep(chain.stop) }
}

/** Stops everything that this run started, the last started first. */
export async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop()
  shared = {}
  administrator = undefined
  templates.clear()
  spares.clear()
}

/** Work that no test waits for, but the end of the run does. */
export function whileOthersRun(work: Promise<void>): void {
  stops.push(() => work)
}

async function start(
  launch: (dir: string) => Promise<Running & { url: string }>,
  signal: NodeJS.Signals,
): Promise<string> {
  // Outside the checkout, because the server's own uid may not be able to enter it.
  const dir = mkdtempSync(join(roomyFolder(), 'remit-test-'))
  // Postgres runs under another uid when the tests run as root.
  chmodSync(dir, 0o711)
  const server = await launch(dir)
  const release = stopOnParentDeath(server.pid, signal, dir)
  keep(async () => {
    await server.stop()
    release()
    rmSync(dir, { recursive: true, force: true })
  })
  return server.url
}

/** Remembers for stopAll how a server is stopped; the result stops it once. */
export function keep(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined
  const once = () => {
    stopping ??= stop()
    return stopping
  }
  stops.push(once)
  return once
}
