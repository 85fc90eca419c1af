import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { stopProcess, waitUntil } from '../../../dev/processes/child.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { migrate } from '../../../store/database/migrate.ts'
import { MACHINE } from '../../support/clock.ts'
import { startApi } from '../../support/servers/apiProcess.ts'
import {
  callApi,
  createHome,
  type DevStack,
  eventually,
  expectReconciled,
  getInvoice,
  type Part,
  restart,
  startDevStack,
  variablesOf,
} from '../../support/servers/devStack.ts'
import { startTraffic, type Tally, type Traffic } from '../../support/traffic/traffic.ts'
import { type Receiver, startReceiver } from '../../support/webhooks.ts'

/**
 * Upgrades under traffic: the release before on the new schema, every process restarted, a large index, and
 * a report that reads while a table is altered. Prints the worst pause of each, for callers and for
 * payments. A part of `bun run check:long`.
 */

const ROOT = join(import.meta.dirname, '../../..')
/** Offered per second; what the machine reaches is printed. */
const PAYMENTS = Number(process.env.UPGRADE_PAYMENTS ?? 20)
const ROWS = Number(process.env.UPGRADE_ROWS ?? 200_000)
/** The commit of the schema, which every upgrade starts from. */
const BEFORE = process.env.UPGRADE_FROM ?? git('log', '-1', '--format=%H', '--', 'store/schema')
/** The migrations since then. Without any, there is nothing to upgrade. */
const LATER = git('diff', '--name-only', '--diff-filter=A', BEFORE, '--', 'store/migrations/*.sql')
/** No caller waits longer than this. */
const PAUSE_MS = Number(process.env.UPGRADE_PAUSE_MS ?? 2_000)
/** For no longer is nothing paid: a process that starts takes both processors of a small machine for two seconds. */
const UNPAID_MS = 2.5 * PAUSE_MS
const TIMEOUT_MS = 240_000
const START_MS = 60_000
/** What the launcher was given itself, and other processes are not told by its file. */
const NO_LIMITS = { RATE_LIMIT_X402: '1000000', RATE_LIMIT_AUTHENTICATED: '1000000' }

const folder = mkdtempSync('/tmp/remit-upgrade-')
const homes: { readonly home: string; remove(): void }[] = []
const stacks: DevStack[] = []
let shared: Promise<DevStack> | undefined
/** What was printed since the last test ended. */
const pauses: { readonly what: string; readonly worstMs: number; readonly gapMs: number }[] = []

afterAll(async () => {
  for (const stack of stacks) await stack.stop()
  for (const { remove } of homes) remove()
  Bun.spawnSync(['git', 'worktree', 'remove', '--force', join(folder, 'before')], { cwd: ROOT })
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

test.skipIf(LATER === '')(
  'API and workers of the release before go on while the schema becomes the new one',
  async () => {
    const stack = await start(checkOut(BEFORE))
    const traffic = await drive(stack, () => [stack.description.apiUrl])
    await Bun.sleep(5_000)
    const before = traffic.look()
    const applied = await onDatabase(stack, (sql) => migrate(sql))
    expect(applied.length).toBeGreaterThan(0)
    await Bun.sleep(10_000)
    const after = await traffic.stop()
    show(`${applied.length} migrations below the release before`, after)
    await settles(stack, [before, after])
    await stacks.pop()?.stop()
  },
  900_000,
)

test('every process is restarted, and callers notice resets at most', async () => {
  const stack = await current()
  const urls: string[] = [stack.description.apiUrl]
  const receiver = startReceiver()
  await callApi(stack, '/v1/webhooks/endpoints', { url: receiver.url })
  const traffic = await drive(stack, () => urls)
  await Bun.sleep(5_000)
  const before = traffic.look()
  const variables = { ...variablesOf(stack), ...MACHINE }

  const api = await startApi({ ...variables, ...NO_LIMITS, PORT: '0' })
  urls.push(api.url)
  await restart(stack, 'api')
  const isBack = async () => (await fetch(`${urls[0]}/health`).catch(() => null))?.ok === true
  expect(await waitUntil(isBack, 30_000)).toBe(true)
  urls.pop()
  await stopProcess(api.child.pid, 'SIGTERM', 15_000)
  const ofApi = traffic.look()
  const looks = [before, ofApi]
  show('restart of the API', ofApi)
  for (const [part, entry] of [
    ['worker', 'workers/main.ts'] as const,
    ['indexer', 'indexer/main.ts'] as const,
  ]) {
    const isReady = join(folder, `${part}-ready`)
    const other = Bun.spawn([process.execPath, entry], {
      cwd: ROOT,
      env: { ...variables, GRAPHQL_PORT: '0', READY_FILE: isReady },
      stdio: ['ignore', Bun.file(join(folder, `${part}.log`)), 'ignore'],
    })
    const starts = async () => {
      expect(await waitUntil(() => existsSync(isReady), START_MS)).toBe(true)
      await Bun.sleep(2_000)
    }
    const restarts = async () => {
      const before = timesReady(stack, part)
      await restart(stack, part)
      expect(await waitUntil(() => timesReady(stack, part) > before, START_MS)).toBe(true)
      await Bun.sleep(2_000)
    }
    const steps: [string, () => Promise<unknown>][] = [
      [`${part}: a second one starts`, starts],
      [`${part}: the first is restarted`, restarts],
      [`${part}: the second ends`, () => stopProcess(other.pid, 'SIGTERM', 15_000)],
    ]
    for (const [what, step] of steps) {
      await step()
      if (what.endsWith('ends')) await Bun.sleep(3_000)
      const look = traffic.look()
      show(what, look)
      looks.push(look)
    }
  }
  looks.push(await traffic.stop())
  await settles(stack, looks)
  await notifiesAll(looks, receiver)
  await receiver.stop()
}, 900_000)

test(`an index on ${ROWS} rows, and a table that is altered while a report reads it`, async () => {
  const stack = await current()
  await onDatabase(stack, async (sql) => {
    await sql.begin(async (own) => {
      await own`set local session_replication_role = replica`
      await own`
        insert into watched (address, kind, merchant_id)
        select '0xe' || lpad(to_hex(n), 39, '0'), 'forwarder', owner.id
        from generate_series(1, ${ROWS}::integer) n, (select id from merchant limit 1) owner`
    })
    await sql`vacuum analyze watched`
  })
  const traffic = await drive(stack, () => [stack.description.apiUrl])
  await Bun.sleep(3_000)
  const before = traffic.look()
  await apply(
    stack,
    '9001_index.sql',
    '-- remit: statements\ncreate index concurrently if not exists watched_upgrade on watched (kind, invoice_id, address);\n',
  )
  const ofIndex = traffic.look()
  const reader = readForSeconds(stack, 6)
  await Bun.sleep(500)
  const waited = await apply(
    stack,
    '9002_column.sql',
    'alter table watched add column upgrade boolean;\n',
  )
  await reader
  const ofColumn = await traffic.stop()
  show(`an index on ${ROWS} rows`, ofIndex)
  show(`alter table beside a reader of 6 s, after ${waited} tries that gave way`, ofColumn)
  expect(waited).toBeGreaterThan(0)
  await settles(stack, [before, ofIndex, ofColumn])
}, 900_000)

/** How often a part has said in its log that others may be ended now: it works, or waits for its like to end. */
function timesReady({ home }: DevStack, part: Part): number {
  const log = readFileSync(join(home, `logs/${part}.log`), 'utf8')
  return log.split(/"worker is ready"|"another indexer works|"the index is up to date"/).length
}

function drive(stack: DevStack, urls: () => readonly string[]): Promise<Traffic> {
  return startTraffic(stack, { payments: PAYMENTS, invoices: 5, urls })
}

function show(what: string, { settled, seconds, retries, worstMs, gapMs }: Tally): void {
  const rate = (settled / seconds).toFixed(0)
  console.log(
    `${what}: callers waited at most ${Math.round(worstMs)} ms, ${Math.round(gapMs)} ms without a payment; ` +
      `${rate} payments/s of ${PAYMENTS} offered, ${retries} tries more; load ${loadavg()[0]?.toFixed(1)}`,
  )
  pauses.push({ what, worstMs, gapMs })
}

/** Nothing failed, no pause was too long, every invoice is paid out, and ledger and chains agree. */
async function settles(stack: DevStack, tallies: readonly Tally[]): Promise<void> {
  expect(tallies.flatMap(({ errors }) => errors)).toEqual([])
  const isLong = ({ worstMs, gapMs }: (typeof pauses)[number]) =>
    worstMs >= PAUSE_MS || gapMs >= UNPAID_MS
  expect(pauses.splice(0).filter(isLong)).toEqual([])
  for (const id of tallies.flatMap(({ invoices }) => invoices)) {
    await eventually(
      () => getInvoice(stack, id),
      ({ status }) => status === 'completed',
      TIMEOUT_MS,
    )
  }
  await expectReconciled(stack, 60)
}

/** No event is lost: of each invoice and each paid request of these the merchant has heard. */
async function notifiesAll(tallies: readonly Tally[], receiver: Receiver) {
  const ids = tallies.flatMap(({ invoices }) => invoices)
  const told = ['invoice.created', 'invoice.paid', 'invoice.completed']
  const wanted = ids.flatMap((id) => told.map((type) => `${type} ${id}`))
  const heard = () =>
    receiver.received.map(({ body }) => {
      const { type, data }: { type: string; data: { id: string } } = JSON.parse(body)
      return `${type} ${data.id}`
    })
  await eventually(
    async () => {
      const all = new Set(heard())
      return wanted.filter((one) => !all.has(one))
    },
    ({ length }) => length === 0,
    TIMEOUT_MS,
  )
  const settled = tallies.reduce((sum, tally) => sum + tally.settled, 0)
  await eventually(
    async () => new Set(heard().filter((one) => one.startsWith('x402.payment.settled '))).size,
    (payments) => payments >= settled,
    TIMEOUT_MS,
  )
}

async function start(root?: string): Promise<DevStack> {
  const home = createHome()
  homes.push(home)
  const stack = await startDevStack(home.home, NO_LIMITS, root)
  stacks.push(stack)
  return stack
}

function current(): Promise<DevStack> {
  shared ??= start()
  return shared
}

function git(...args: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args], {
    cwd: join(import.meta.dirname, '../../..'),
  })
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString().trim()
}

/** The tree of another commit, with the packages of this one. */
function checkOut(commit: string): string {
  const tree = join(folder, 'before')
  const { exitCode, stderr } = Bun.spawnSync(['git', 'worktree', 'add', '--detach', tree, commit], {
    cwd: ROOT,
  })
  if (exitCode !== 0) throw new Error(stderr.toString())
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  return tree
}

async function onDatabase<T>(
  { description }: DevStack,
  work: (sql: Database) => Promise<T>,
): Promise<T> {
  const options = { name: 'test-upgrade', poolSize: 2, statementTimeoutMs: 0 }
  const sql = openDatabase(description.databaseUrl, options)
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** Carries a migration out by the runner; how often it gave way to others. */
async function apply(stack: DevStack, name: string, text: string): Promise<number> {
  const directory = mkdtempSync(join(folder, 'migrations-'))
  writeFileSync(join(directory, name), text)
  let tries = 0
  await onDatabase(stack, (sql) =>
    migrate(sql, {
      directory,
      onWait: (_, attempt) => {
        tries = attempt
      },
    }),
  )
  return tries
}

function readForSeconds(stack: DevStack, seconds: number): Promise<unknown> {
  return onDatabase(stack, (sql) =>
    sql.begin(async (own) => {
      await own`select count(*) from watched`
      await own`select pg_sleep(${seconds})`
    }),
  )
}
