import postgres from 'postgres'
import { type Database, openDatabase } from '../../store/database/database.ts'
import { migrate } from '../../store/database/migrate.ts'
import { createDatabase } from '../support/servers/run.ts'
import type { Signed } from './commits.ts'
import type { Descriptions } from './conversation.ts'
import { INDEXED } from './indexed.ts'
import type { Closable, Kernel, Process } from './kernel.ts'
import { NOTICE, Subscriptions } from './notifications.ts'
import { TOLD } from './oracle/told.ts'
import { pause } from './real.ts'
import { type Session, Sessions } from './sessions.ts'

/** The real Postgres of a run, and what the simulator does there by itself. */

/**
 * Time as the session was told it last. The time of a transaction is set for as long as it lasts; a statement by itself
 * has the time of the clock. What is asked outside of a run gets the real one.
 */
const SIMULATED = `
create schema sim;
grant usage on schema sim to public;
create function sim.now() returns timestamptz language sql stable as
  $$ select coalesce(nullif(current_setting('sim.now', true), ''),
    nullif(current_setting('sim.clock', true), ''), pg_catalog.now()::text)::timestamptz $$;
create function sim.clock_timestamp() returns timestamptz language sql stable as
  $$ select coalesce(nullif(current_setting('sim.clock', true), '')::timestamptz, pg_catalog.clock_timestamp()) $$;
create function sim.statement_timestamp() returns timestamptz language sql stable as
  $$ select sim.clock_timestamp() $$;
create function sim.transaction_timestamp() returns timestamptz language sql stable as $$ select sim.now() $$;
create sequence sim.uuids;
grant usage on sequence sim.uuids to public;
create function sim.gen_random_uuid() returns uuid language sql volatile as
  $$ select overlay(overlay(pg_catalog.md5('sim' || pg_catalog.nextval('sim.uuids'))
    placing '4' from 13) placing '8' from 17)::uuid $$;
create function sim.random() returns double precision language sql volatile as
  $$ select ('x' || pg_catalog.substr(pg_catalog.md5('random' || pg_catalog.nextval('sim.uuids')), 1, 8))::bit(32)::bigint
    / 4294967296.0::double precision + 0 $$;
create sequence sim.servers;
select nextval('sim.servers');
grant select on sequence sim.servers to public;
create function sim.pg_postmaster_start_time() returns timestamptz language sql stable as
  $$ select to_timestamp(last_value) from sim.servers $$;
create function sim.pg_notify(channel text, payload text) returns void language plpgsql as
  $$ begin raise info '${NOTICE}%', json_build_array(channel, coalesce(payload, '')); end $$`

const SEARCH_PATH = 'public, sim, pg_catalog'

/** Of the database, which are not part of its copy. */
const SETTINGS = {
  search_path: SEARCH_PATH,
  deadlock_timeout: "'10ms'",
  // Most of what a statement costs would be its plan, five times for each connection.
  plan_cache_mode: 'force_generic_plan',
}

/** How long it takes at most until another server answers, in ms. */
const PROMOTION_MS = 2_000

/** When the schema was made, in every run. */
const BIRTH = '2027-01-14T00:00:00Z'

/** Migrates a database that has the simulated time. Every run gets a copy of it. */
export async function prepareSimulated(url: string): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  await admin.unsafe(SIMULATED)
  const name = new URL(url).pathname.slice(1)
  await admin.unsafe(`alter database ${name} set search_path = ${SEARCH_PATH}`)
  await admin.unsafe(`alter database ${name} set sim.clock = '${BIRTH}'`)
  await admin.end()
  const database = openDatabase(url, { name: 'simulation-migrate', poolSize: 1 })
  await migrate(database)
  await ownTime(database)
  await database.unsafe(INDEXED)
  await database.unsafe(TOLD)
  await database.end()
}

/** Functions with a search path of their own find the simulated time as well. */
async function ownTime(database: Database): Promise<void> {
  const functions = await database<{ signature: string; path: string }[]>`
    select p.oid::regprocedure::text as signature, substring(setting from '=(.*)') as path
    from pg_proc p cross join unnest(p.proconfig) setting
    where setting like 'search_path=%' and p.pronamespace <> 'pg_catalog'::regnamespace`
  for (const { signature, path } of functions) {
    const rest = path
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== 'pg_catalog')
    const own = ['sim', 'pg_catalog', ...rest].join(', ')
    await database.unsafe(`alter function ${signature} set search_path = ${own}`)
  }
  const [missed] = await database`
    select from pg_proc p where prosecdef and pronamespace = 'public'::regnamespace
      and not coalesce(exists (
        select from unnest(p.proconfig) setting where setting like 'search_path=sim%'), false)`
  if (missed) throw new Error('a function would see the real time')
}

/** The connection of a process, as far as its statement may have to wait. */
export interface Waiter extends Closable {
  readonly pid: number
  readonly hasAnswer: boolean
  /** It has waited for a lock for too long. */
  hasLostLock: boolean
}

interface Waiting {
  readonly socket: Waiter
  onAnswer(): void
}

/** Longer than the server takes to find a deadlock, by the settings above. */
export const DEADLOCK_MS = 25

export class DatabaseServer {
  private waiting: Waiting[] = []
  private readonly connections = new Set<Waiter>()
  private readonly counts = new Map<Process, number>()
  readonly sessions: Sessions
  readonly descriptions: Descriptions = new Map()
  readonly subscriptions = new Subscriptions()
  /** How many statements have waited for a lock. */
  waits = 0
  /** How long a statement is on its way at most, in ms. */
  latencyMs = 0
  /** When the connection of a process's statement breaks. */
  breaks: (process: Process) => 'before' | 'after' | null = () => null
  /** Whether the commit of what was signed is the last one of its server, which another one lacks. */
  isLast: (signed: Signed) => boolean = () => false
  /** The hashes of what was signed in commits that were lost. */
  readonly lost = new Set<string>()
  /** Connections are answered from this moment on, in ms since 1970. */
  upFrom = 0

  private constructor(
    readonly url: string,
    /** With the rights of the owner, and outside of the run. */
    readonly admin: postgres.Sql,
    private readonly drop: () => Promise<void>,
  ) {
    const { hostname, port } = new URL(url)
    this.sessions = new Sessions({ host: hostname, port: Number(port) })
  }

  static async open(): Promise<DatabaseServer> {
    const { url, drop } = await createDatabase(prepareSimulated)
    const name = new URL(url).pathname.slice(1)
    const admin = postgres(url, { max: 1, onnotice: () => {} })
    const settings = Object.entries(SETTINGS).map(
      ([setting, value]) => `alter database ${name} set ${setting} = ${value}`,
    )
    await admin.unsafe(settings.join(';'))
    return new DatabaseServer(url, admin, drop)
  }

  async close(): Promise<void> {
    this.sessions.close()
    await this.admin.end({ timeout: 1 })
    await this.drop()
  }

  /** Takes in the next connection of a process, and names it. */
  join(socket: Waiter, process: Process): string {
    this.connections.add(socket)
    const count = (this.counts.get(process) ?? 0) + 1
    this.counts.set(process, count)
    return `c${count}`
  }

  /** Whether a commit is lost, because another server takes the place of its own. */
  loses(signed: Signed): boolean {
    const isLost = this.isLast(signed)
    if (isLost) for (const hash of signed.hashes) this.lost.add(hash)
    return isLost
  }

  /** Another server takes its place: all sessions are over, and new ones begin when that is up. */
  async failOver(kernel: Kernel): Promise<void> {
    kernel.note('another server takes the place of the database, and lacks the last commit')
    this.upFrom = kernel.now + kernel.latency.next() * PROMOTION_MS
    await this.admin`select nextval('sim.servers')`
    for (const each of [...this.connections]) await each.lose()
  }

  /** Whether a session waits for a lock. */
  async isWaiting(pid: number): Promise<boolean> {
    if (pid === 0) return false
    const rows = await this.admin`select from pg_locks where pid = ${pid} and not granted limit 1`
    return rows.length > 0
  }

  /** Remembers a statement that waits; `onAnswer` is called once it has its answer. */
  wait(socket: Waiter, onAnswer: () => void): void {
    this.waiting.push({ socket, onAnswer })
  }

  forget(socket: Waiter): void {
    this.connections.delete(socket)
    this.waiting = this.waiting.filter((one) => one.socket !== socket)
  }

  /** After a statement: those that waited for its locks get on until they are done or wait again. */
  async settleWaiting(): Promise<void> {
    for (let i = 0; i < this.waiting.length; ) {
      const one = this.waiting[i]
      if (one === undefined) return
      while (!one.socket.hasAnswer && !(await this.isWaiting(one.socket.pid))) await pause(1)
      if (one.socket.hasAnswer) {
        this.waiting.splice(i, 1)
        one.onAnswer()
        // What it has done may let others on.
        i = 0
      } else i += 1
    }
  }

  /** Gives up a statement that has waited for too long, and those behind it that wait for the same lock next. */
  async cancel(socket: Waiter): Promise<void> {
    socket.hasLostLock = true
    while (!socket.hasAnswer) {
      await this.admin`select pg_cancel_backend(${socket.pid})`
      await pause(DEADLOCK_MS)
      while (!socket.hasAnswer && !(await this.isWaiting(socket.pid))) await pause(1)
    }
    await this.settleWaiting()
  }

  /** Leaves a session to others, or ends it and waits until the server has, too: its locks are free then. */
  async giveBack(session: Session, isWhole: boolean): Promise<void> {
    const { sessions } = this
    if (isWhole && !session.isKnown && (await session.reset())) return sessions.leave(session)
    session.wire.close()
    await this.endSession(session.pid)
  }

  /** Postgres itself looks for the end of a session ten times a second only. */
  private async endSession(pid: number): Promise<void> {
    const { admin } = this
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where pid = ${pid}`
    while ((await admin`select from pg_stat_activity where pid = ${pid}`).length > 0) await pause(1)
  }
}
