import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopOnParentDeath, stopProcess, waitUntil } from '../../../dev/processes/child.ts'
import { canInstallPackages, installPackages } from '../../../dev/servers/debianPackages.ts'
import { freePort, isPortFree } from '../../../dev/servers/ports.ts'
import { createMerchant } from '../../../store/access/merchants.ts'
import { roleNames, settleAccess, urlOfRole } from '../../../store/database/access.ts'
import { openDatabase, sessionSettings } from '../../../store/database/database.ts'
import { chainLeadership } from '../../../store/database/leadership.ts'
import { PoolerError } from '../../../store/database/pooler.ts'
import { readConfig } from '../../support/api/rig.ts'
import { remit } from '../../support/cli/run.ts'
import { MACHINE } from '../../support/clock.ts'
import { killApi, runApiToEnd, startApi } from '../../support/servers/apiProcess.ts'
import { prepareLedger } from '../../support/servers/database.ts'
import { roleUrl } from '../../support/servers/roles.ts'
import {
  createDatabase,
  redisPrefix,
  redisUrl,
  type TestDatabase,
} from '../../support/servers/run.ts'

/**
 * PgBouncer in transaction mode between the processes and Postgres: the API works through it, and nothing else
 * starts. A part of `bun run check:long`, which installs Debian's package where it may.
 */

const ROOT = join(import.meta.dirname, '../../..')
/** Fewer than requests at once, so that connections are lent. */
const LENT = 3
const AT_ONCE = 40

let database: TestDatabase
let bouncer: { readonly port: number; stop(): Promise<void> }
let variables: Record<string, string> = {}
let secretKey = ''

beforeAll(async () => {
  database = await createDatabase(prepareLedger)
  await roleUrl(database.url, 'indexer')
  bouncer = await startBouncer()
  variables = {
    HUB_ADDRESS: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
    FEE_COLLECTOR: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
    HUB_OWNER: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
    PORT: '0',
    REDIS_URL: await redisUrl(),
    REDIS_PREFIX: redisPrefix(),
    CONFIG_SIGNER_KEY: `0x${'01'.repeat(32)}`,
    REFUND_SIGNER_KEY: `0x${'02'.repeat(32)}`,
    RELAYER_KEYS: `0x${'03'.repeat(32)}`,
  }
  const sql = openDatabase(database.url, { name: 'test', poolSize: 1 })
  const config = readConfig({ ...ofApi(), DATABASE_URL: database.url })
  const created = await createMerchant(sql, config, { name: 'Test', recipient: null })
  if (!created.ok) throw new Error(created.message)
  secretKey = created.secretKey
  await sql.end()
}, 240_000)

afterAll(async () => {
  await bouncer.stop()
  await database.drop()
})

test('two who ask for one lock through it both lead nothing', async () => {
  const url = through(database.url)
  const [one, other] = [chainLeadership(url, 1), chainLeadership(url, 1)]
  for (const leadership of [one, other, one]) {
    expect(leadership.hold()).rejects.toBeInstanceOf(PoolerError)
  }
  await Promise.all([one.release(), other.release()])
})

test('what needs sessions of its own refuses to start, and says what to set', async () => {
  const pooled = { ...variables, DATABASE_URL: through(database.url) }
  const entries = [
    ['workers/main.ts'],
    ['workers/main.ts', '--notifier'],
    ['indexer/main.ts'],
    ['cli/main.ts', 'migrate'],
  ]
  for (const entry of entries) {
    const { code, err } = await runToEnd(entry, pooled)
    expect([entry, code, err.trim().split('\n').length]).toEqual([entry, 1, 1])
    expect(err).toContain('set DATABASE_DIRECT_URL to the server itself')
  }
  const { code, err } = await runApiToEnd({ ...ofApi(), DATABASE_URL: pooled.DATABASE_URL })
  expect([code, err]).toEqual([1, expect.stringContaining('set DATABASE_DIRECT_URL')])
}, 120_000)

test('the API works through it with the settings of its role, and not without them', async () => {
  const direct = await roleUrl(database.url, 'api')
  const api = { ...ofApi(), DATABASE_URL: through(direct), DATABASE_DIRECT_URL: direct }
  const refused = await runApiToEnd(api)
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('plan_cache_mode, random_page_cost'),
  ])
  const settled = await remit({ ...variables, DATABASE_URL: database.url }, 'database', 'roles')
  expect(settled.code).toBe(0)
  await endPooled()

  const running = await startApi(api)
  const created = await Promise.all(
    Array.from({ length: AT_ONCE }, () => call(running.url, '/v1/invoices', INVOICE)),
  )
  expect(created.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201))
  const listed = await Promise.all(
    Array.from({ length: AT_ONCE }, () => call(running.url, '/v1/invoices?limit=100')),
  )
  for (const { status, total } of listed) expect([status, total]).toEqual([200, AT_ONCE])
  expect((await call(running.url, '/v1/reports/daily')).status).toBe(200)
  await killApi(running)
}, 120_000)

const INVOICE = { tokenSymbol: 'USDC', amountExpected: '1' }

/** The variables of an API, which must hold no key. */
function ofApi(): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.includes('_KEY')))
}

async function call(url: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    headers: { 'X-Service-Key': secretKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.status >= 400) console.error(answer)
  return { status: response.status, total: answer.metadata?.pagination.total }
}

async function runToEnd(entry: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = Bun.spawn([process.execPath, ...entry], {
    cwd: ROOT,
    env: { ...MACHINE, REMIT_HOME: '/nonexistent', ...environment },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [err, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { code, err }
}

/** The same database through PgBouncer. */
function through(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.port = String(bouncer.port)
  return url.href
}

/** Has the pooler connect again, as its `reconnect` does. */
async function endPooled(): Promise<void> {
  const sql = openDatabase(database.url, { name: 'test', poolSize: 1 })
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await sql.end()
}

async function startBouncer() {
  const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => Bun.which(path))
  const found = program ?? (await installBouncer())
  const owner = openDatabase(database.url, { name: 'test', poolSize: 1 })
  await settleAccess(owner)
  const users = [new URL(database.url).username, ...Object.values(await roleNames(owner))]
  await owner.end()
  const { hostname, port: postgresPort } = new URL(database.url)
  const folder = mkdtempSync(join(tmpdir(), 'remit-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  writeFileSync(join(folder, 'users'), users.map((user) => `"${user}" ""\n`).join(''))
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${postgresPort}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    `pool_mode = transaction\ndefault_pool_size = ${LENT}`,
    // As operators do whose clients send settings.
    `ignore_startup_parameters = ${Object.keys(sessionSettings({ name: 'test' })).join()}`,
    `auth_type = trust\nauth_file = ${join(folder, 'users')}`,
  ]
  writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'))
  const withoutAccount = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(found, ['-q', ...withoutAccount, join(folder, 'pgbouncer.ini')], {
    detached: true,
    stdio: 'ignore',
  })
  const pid = child.pid ?? 0
  const release = stopOnParentDeath(pid, 'SIGINT', folder)
  if (!(await waitUntil(async () => !(await isPortFree(port)), 10_000))) {
    throw new Error('PgBouncer did not start')
  }
  return {
    port,
    async stop() {
      await stopProcess(pid, 'SIGTERM', 10_000)
      release()
      rmSync(folder, { recursive: true })
    },
  }
}

async function installBouncer(): Promise<string> {
  const { signal } = new AbortController()
  const isThere = canInstallPackages() && (await installPackages(['pgbouncer'], signal))
  if (!isThere) throw new Error('PgBouncer is missing: install Debian package pgbouncer')
  return '/usr/sbin/pgbouncer'
}

test('a role keeps its settings for sessions of this database alone', async () => {
  const elsewhere = await createDatabase()
  const role = new URL(await roleUrl(database.url, 'api')).username
  const sql = openDatabase(urlOfRole(elsewhere.url, role, null), {
    name: 'test',
    poolSize: 1,
    isPooled: true,
  })
  expect(await sql`show plan_cache_mode`).toEqual([{ planCacheMode: 'auto' }] as never)
  await sql.end()
  await elsewhere.drop()
})
