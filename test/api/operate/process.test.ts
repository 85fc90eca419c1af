import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../../../dev/processes/child.ts'
import { createMerchant } from '../../../store/access/merchants.ts'
import { openDatabase, type Queryable } from '../../../store/database/database.ts'
import { HUB, readConfig } from '../../support/api/rig.ts'
import {
  type ApiProcess,
  killApi,
  runApiToEnd,
  startApi,
} from '../../support/servers/apiProcess.ts'
import { prepareLedger } from '../../support/servers/database.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { roleUrl } from '../../support/servers/roles.ts'
import {
  createDatabase,
  redisPrefix,
  redisUrl,
  type TestDatabase,
} from '../../support/servers/run.ts'

/** The entry point as production runs it. */

const NOWHERE = {
  DATABASE_URL: 'postgres://remit@127.0.0.1:1/remit',
  REDIS_URL: 'redis://127.0.0.1:1',
}
const GOOD = {
  REMIT_ENV: 'sandbox',
  HUB_ADDRESS: HUB,
  FEE_COLLECTOR: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
  PORT: '0',
  OPERATOR_TOKEN: 'token-of-the-operator',
}

const running: ApiProcess[] = []
/** One that no test has killed. */
let steady: ApiProcess | undefined
let database: TestDatabase
let secretKey = ''
let variables: Record<string, string> = {}

beforeAll(async () => {
  database = await createDatabase(prepareLedger)
  variables = {
    ...GOOD,
    DATABASE_URL: await roleUrl(database.url, 'api'),
    REDIS_URL: await redisUrl(),
    REDIS_PREFIX: redisPrefix(),
  }
  const sql = openDatabase(database.url, { name: 'test', poolSize: 1 })
  const wanted = { name: 'Test', recipient: null }
  const created = await createMerchant(sql, readConfig(variables), wanted)
  if (!created.ok) throw new Error(created.message)
  secretKey = created.secretKey
  await sql.end()
}, 120_000)

afterEach(async () => {
  for (const api of running.splice(0)) await killApi(api)
})

afterAll(async () => {
  if (steady) await killApi(steady)
  await database.drop()
})

describe('bun run api', () => {
  test('names everything that is missing or wrong, each in a sentence, and exits with 1', async () => {
    const { code, err } = await runApiToEnd({
      HUB_ADDRESS: '0x00',
      PORT: 'http',
      TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.0/33',
      RATE_LIMIT_UTILITY: '0',
    })
    expect(code).toBe(1)
    for (const name of [
      'DATABASE_URL is missing',
      'REDIS_URL is missing',
      'HUB_ADDRESS must be',
      'FEE_COLLECTOR is missing',
      'RPC_URL_BASE_SEPOLIA',
      'PORT must be',
      'TRUSTED_PROXIES holds 10.0.0.0/33',
      'RATE_LIMIT_UTILITY must be',
    ]) {
      expect(err).toContain(name)
    }
    expect(err).not.toContain('    at ')
  })

  test('refuses a signing key in live, without repeating it', async () => {
    const key = `0x${'ab'.repeat(32)}`
    const { RPC_URL_BASE_SEPOLIA: url, ...rest } = GOOD
    const live = {
      ...rest,
      ...NOWHERE,
      REMIT_ENV: 'live',
      RPC_URL_BASE: url,
      CONFIG_SIGNER_KEY: key,
    }
    const { code, err } = await runApiToEnd(live)
    expect(code).toBe(1)
    expect(err).toContain('CONFIG_SIGNER_KEY must not be given to this process')
    expect(err).not.toContain(key)
  })

  test('does not start without its addon where the operator counts on it', async () => {
    expect((await call(await alive(), '/health')).status).toBe(200)
    const dir = mkdtempSync(join(tmpdir(), 'remit-api-'))
    const preload = join(dir, 'without.ts')
    // As on a machine without libstdc++.
    writeFileSync(
      preload,
      `Bun.plugin({ name: 'without', setup: (build) => void build.module('secp256k1/bindings', () => {
        throw new Error('libstdc++.so.6: cannot open shared object file')
      }) })`,
    )
    const { code, err } = await runApiToEnd(needed(), ['--preload', preload])
    expect(code).toBe(1)
    expect(err).toContain('SIGNATURE_RECOVERY is native and the addon')
    rmSync(dir, { recursive: true })
  })

  test('reads URLs from files, and says which file it cannot read', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'remit-api-'))
    writeFileSync(join(dir, 'database'), `${database.url}\n`)
    const { DATABASE_URL: _, ...rest } = variables
    const api = await start({ ...rest, DATABASE_URL_FILE: join(dir, 'database') })
    expect((await call(api, '/v1/invoices')).status).toBe(200)
    rmSync(dir, { recursive: true })
    const gone = await runApiToEnd({ ...rest, DATABASE_URL_FILE: join(dir, 'database') })
    expect([gone.code, gone.err.split('\n').length]).toEqual([1, 2])
    expect(gone.err).toContain(`DATABASE_URL_FILE names ${join(dir, 'database')}`)
    const both = await runApiToEnd({ ...variables, DATABASE_URL_FILE: '/dev/null' })
    expect(both.err).toContain('DATABASE_URL and DATABASE_URL_FILE are both set')
  })

  test('says when its port is taken', async () => {
    const api = await alive()
    const { code, err } = await runApiToEnd({ ...variables, PORT: new URL(api.url).port })
    expect(code).toBe(1)
    expect(err).toContain(`the API can't listen on 127.0.0.1, port ${new URL(api.url).port}`)
  })

  test('starts and stays up while Postgres and Redis are away', async () => {
    const api = await start({ ...GOOD, ...NOWHERE })
    expect((await call(api, '/health')).status).toBe(200)
    expect((await call(api, '/v1/utils/chains')).status).toBe(200)
    const refused = await call(api, '/v1/invoices')
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('traceId')])
    const ready = await call(api, '/ready', { authorization: `Bearer ${GOOD.OPERATOR_TOKEN}` })
    expect(ready.status).toBe(503)
    expect(ready.text).toContain('the database does not respond')
    expect(ready.text).toContain('Redis does not respond')
    await Bun.sleep(300)
    expect(api.child.exitCode).toBeNull()
  })

  test('logs one JSON line per request, without keys', async () => {
    const api = await alive()
    const answer = await call(api, '/v1/invoices?limit=3')
    const traceId = answer.headers.get('x-trace-id')
    const lines = await eventually(
      async () => api.lines,
      (seen) => seen.some((line) => line.traceId === traceId),
    )
    const line = lines.find((entry) => entry.traceId === traceId)
    expect(line).toMatchObject({
      method: 'GET',
      route: '/v1/invoices',
      status: 200,
      process: 'api',
    })
    expect(JSON.stringify(lines)).not.toContain(secretKey)
  })

  test('counts clients by the address of their socket', async () => {
    const api = await start({ ...variables, RATE_LIMIT_UTILITY: '3' })
    const left: (string | null)[] = []
    for (let i = 0; i < 4; i++) {
      const headers = { 'x-forwarded-for': `192.0.2.${i}` }
      const answer = await fetch(`${api.url}/v1/utils/chains`, { headers })
      left.push(answer.headers.get('x-ratelimit-remaining'))
    }
    expect(left).toEqual(['2', '1', '0', '0'])
  })

  test('answers 413 over a socket before a long body has arrived', async () => {
    const api = await alive()
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(new Uint8Array(65_536).fill(32))
        await Bun.sleep(1)
      },
    })
    const answer = await fetch(`${api.url}/v1/invoices`, {
      method: 'POST',
      headers: { 'x-service-key': secretKey, 'content-type': 'application/json' },
      body,
    })
    expect([answer.status, await answer.text()]).toEqual([
      413,
      expect.stringContaining('too large'),
    ])
    expect((await call(api, '/v1/invoices')).status).toBe(200)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`finishes what it has begun on ${signal} and exits with 0`, async () => {
      const api = await takeAlive()
      const sql = openDatabase(database.url, { name: 'test', poolSize: 1 })
      const lock = await sql.reserve()
      await lock`begin`
      await lock`lock table invoice_tally in access exclusive mode`
      const slow = call(api, '/v1/invoices')
      expect(await waitUntil(() => isWaitedFor(lock), 30_000)).toBe(true)
      api.child.kill(signal)
      await Bun.sleep(200)
      expect(api.child.exitCode).toBeNull()
      await lock`rollback`
      lock.release()
      expect((await slow).status).toBe(200)
      expect(await api.child.exited).toBe(0)
      await sql.end()
    })
  }

  test.each([
    ['after its invoice was stored', true],
    ['before anything was stored', false],
  ])(
    'killed in the middle of a creation, %s, leaves one invoice to those who ask again',
    async (_, isStored) => {
      const sql = openDatabase(database.url, { name: 'test', poolSize: 2 })
      const lock = await sql.reserve()
      await sql`
        create function wait_for_test() returns trigger language plpgsql as $$ begin
          perform pg_advisory_xact_lock(4711);
          return new;
        end $$`
      await sql`
        create trigger wait_for_test before insert on invoice for each row
        execute function wait_for_test()`
      await lock`select pg_advisory_lock(4711)`
      const key = crypto.randomUUID()
      const create = (api: ApiProcess) =>
        fetch(`${api.url}/v1/invoices`, {
          method: 'POST',
          headers: {
            'x-service-key': secretKey,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({ tokenSymbol: 'USDC', amountExpected: '10', metadata: { key } }),
        })
      const first = await takeAlive()
      const lost = create(first).catch(() => 'lost')
      expect(await waitUntil(() => isWaitedFor(lock), 30_000)).toBe(true)
      await killApi(first)
      expect(await lost).toBe('lost')
      if (!isStored) {
        await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory'`
      }
      await lock`select pg_advisory_unlock(4711)`
      lock.release()
      const count = async () => {
        const [row] = await sql<{ invoices: number }[]>`
        select count(*)::integer as invoices from invoice where metadata ->> 'key' = ${key}`
        return row?.invoices
      }
      if (isStored) expect(await waitUntil(async () => (await count()) === 1, 10_000)).toBe(true)
      const lease = (interval: string) => sql`
        update idempotency_key set leased_until = now() + ${interval}::interval where key = ${key}`
      await lease('1 hour')
      const second = await alive()
      const tooSoon = await create(second)
      expect([tooSoon.status, tooSoon.headers.get('retry-after')]).toEqual([409, '1'])
      await lease('-1 second')
      const answers = [await create(second), await create(second)]
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
      const [id, again] = await Promise.all(answers.map(async (one) => (await one.json()).data.id))
      expect(again).toBe(id)
      expect(await count()).toBe(1)
      await sql`drop function wait_for_test cascade`
      await sql.end()
    },
  )
})

/** Whether someone in this database waits for a lock, as a request does that has begun. */
async function isWaitedFor(sql: Queryable): Promise<boolean> {
  const waiting = await sql`
    select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where datname = current_database() and not granted`
  return waiting.length > 0
}

/** An API that the tests share which leave it as it was, on a machine with the addon that it counts on. */
async function alive(): Promise<ApiProcess> {
  steady ??= await startApi(needed())
  return steady
}

/** The same, for a test that ends it. */
async function takeAlive(): Promise<ApiProcess> {
  const api = await alive()
  steady = undefined
  running.push(api)
  return api
}

function needed(): Record<string, string> {
  return { ...variables, SIGNATURE_RECOVERY: 'native' }
}

/** Starts an API that the end of the test kills. */
async function start(environment: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const api = await startApi(environment)
  running.push(api)
  return api
}

async function call(api: ApiProcess, path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(api.url + path, {
    headers: { 'x-service-key': secretKey, ...headers },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
