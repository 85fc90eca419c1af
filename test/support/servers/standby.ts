import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopOnParentDeath, waitUntil } from '../../../dev/processes/child.ts'
import { freePort } from '../../../dev/servers/ports.ts'
import { type PostgresServer, startPostgres } from '../../../dev/servers/postgres.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'

/** A primary and a standby that follows its log, both with full durability. */
export interface Pair {
  /** Names both servers. */
  readonly url: string
  readonly primary: PostgresServer
  /** Ends the primary as a power cut does, and makes the standby the primary. */
  failOver(): Promise<void>
  /** Has the standby hear of nothing more, as when the network between them breaks. */
  cutOff(): Promise<void>
  stop(): Promise<void>
}

const NAME = 'standby1'

/** With `isSynchronous`, a commit waits until the standby has it on its disk. */
export async function startPair(isSynchronous: boolean): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'remit-pair-'))
  chmodSync(folder, 0o711)
  const [data, copy] = [join(folder, 'primary'), join(folder, 'standby')]
  const primary = await startPostgres({ dataDir: data, port: await freePort() })
  const releases = [stopOnParentDeath(primary.pid, 'SIGINT', folder)]
  await asOwner(primary.url, async (sql) => {
    await sql`select pg_backup_start('standby', true)`
    Bun.spawnSync(['cp', '-a', data, copy])
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`
    rmSync(join(copy, 'postmaster.pid'))
    writeFileSync(join(copy, 'backup_label'), label?.labelfile ?? '')
  })
  const source = `host=127.0.0.1 port=${primary.port} user=remit application_name=${NAME}`
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  writeFileSync(join(copy, 'standby.signal'), '')
  Bun.spawnSync(['chown', '--reference', copy, join(copy, 'standby.signal')])
  Bun.spawnSync(['chown', '--reference', copy, join(copy, 'backup_label')])
  const standby = await startPostgres({ dataDir: copy, port: await freePort() })
  releases.push(stopOnParentDeath(standby.pid, 'SIGINT'))
  if (isSynchronous) {
    await asOwner(primary.url, async (sql) => {
      await sql.unsafe(`alter system set synchronous_standby_names = 'ANY 1 (${NAME})'`)
      await sql`select pg_reload_conf()`
    })
  }
  await follows(primary.url, isSynchronous)
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`
  return {
    url: `postgres://remit@${hosts}/remit?target_session_attrs=primary`,
    primary,
    async failOver() {
      process.kill(primary.pid, 'SIGKILL')
      await primary.exited
      await asOwner(standby.url, (sql) => sql`select pg_promote()`)
    },
    async cutOff() {
      await asOwner(standby.url, async (sql) => {
        await sql`alter system set primary_conninfo = ''`
        await sql`select pg_reload_conf()`
      })
      await waitUntil(() => asOwner(primary.url, hasNoFollower), 10_000)
    },
    async stop() {
      await standby.stop()
      await primary.stop()
      for (const release of releases) release()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function hasNoFollower(sql: Database): Promise<boolean> {
  return (await sql`select 1 from pg_stat_replication`).length === 0
}

async function follows(url: string, isSynchronous: boolean): Promise<void> {
  const look = () =>
    asOwner(url, async (sql) => {
      const [row] = await sql<{ syncState: string }[]>`
        select sync_state from pg_stat_replication
        where application_name = ${NAME} and state = 'streaming'`
      return row !== undefined && (!isSynchronous || row.syncState === 'quorum')
    })
  if (!(await waitUntil(look, 30_000))) throw new Error('the standby does not follow')
}

async function asOwner<T>(url: string, work: (sql: Database) => PromiseLike<T>): Promise<T> {
  const sql = openDatabase(url, { name: 'test-owner', poolSize: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
