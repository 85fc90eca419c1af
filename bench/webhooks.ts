import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxKeyring } from '../core/base/keyring.ts'
import { spawnDetached, stopProcess, waitUntil } from '../dev/processes/child.ts'
import { startPostgres } from '../dev/servers/postgres.ts'
import { startRedis } from '../dev/servers/redis.ts'
import { type Database, openDatabase } from '../store/database/database.ts'
import { migrate } from '../store/database/migrate.ts'
import { seal } from '../store/database/seal.ts'
import { openMailbox } from '../store/redis/mailbox.ts'
import { ms, percentile, type Report } from './report.ts'

const ROOT = join(import.meta.dirname, '..')
/** Of the merchant that `prepareEndpoints` makes. */
export const ENDPOINTS = 20
const HANGING = 5
const PREFIX = 'remit-bench'
/** Events per second; null for all of them at once. */
const PACES = [20, 50, 200, null]
/** The size of an invoice's event. */
const DATA = JSON.stringify({ id: 'x', status: 'paid', metadata: { text: 'x'.repeat(1_800) } })

/** How long webhooks take from the commit of their events, beside endpoints that never answer. */
export async function measureWebhooks(report: Report, quick: boolean): Promise<void> {
  const count = quick ? 100 : 1_000
  const rows = [['events', 'pace', 'deliveries', 'deliveries/s', 'p50', 'p99', 'longest']]
  for (const pace of PACES) rows.push(await measurePace(count, pace))
  report.table(
    'Webhooks',
    `Every event goes to ${ENDPOINTS} endpoints, of which ${HANGING} never answer; the time is from the commit of an event to the arrival of its webhook at each of the others. One notifier; receivers and database share the machine.`,
    rows,
  )
}

async function measurePace(count: number, pace: number | null): Promise<string[]> {
  const dir = mkdtempSync('/tmp/remit-bench-')
  const postgres = await startPostgres({ dataDir: join(dir, 'postgres'), port: 0 })
  const redis = await startRedis({ dataDir: join(dir, 'redis'), port: 0 })
  const receivers = startReceivers()
  const database = openDatabase(postgres.url, { name: 'remit-bench', poolSize: 8 })
  const mailbox = openMailbox({ redisUrl: redis.url, prefix: PREFIX, onError: console.error })
  const ledger = { database, ring: mailbox.wakeNotifier }
  await migrate(database)
  const merchantId = await prepareEndpoints(database, receivers.url, HANGING)
  const notifier = startNotifier(postgres.url, redis.url)
  try {
    await warmUp(ledger, merchantId, receivers.arrivals)
    const committed = await commitEvents(ledger, [merchantId], count, pace)
    const expected = count * (ENDPOINTS - HANGING)
    const isDone = await waitUntil(async () => receivers.arrivals.length >= expected, 120_000)
    if (!isDone) throw new Error(`${receivers.arrivals.length} of ${expected} webhooks arrived`)
    return rowOf(count, pace, committed, receivers.arrivals)
  } finally {
    await stopProcess(notifier, 'SIGTERM')
    await receivers.stop()
    await mailbox.close()
    await database.end()
    await redis.stop()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** A webhook that has arrived. */
export interface Arrival {
  readonly eventId: string
  readonly at: number
}

/** One server for all endpoints; some take a request and never answer it. */
export function startReceivers() {
  const arrivals: Arrival[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    routes: {
      '/hanging/:endpoint': () => new Promise(() => {}),
      '/:endpoint': async (request) => {
        const at = performance.now()
        arrivals.push({ eventId: request.headers.get('webhook-id') ?? '', at })
        await request.bytes()
        return new Response(null, { status: 204 })
      },
    },
  })
  return { arrivals, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

/** A merchant with more endpoints than one may have, so that every event goes to all of them. */
export async function prepareEndpoints(
  database: Database,
  url: string,
  hanging: number,
): Promise<string> {
  const merchantId = Bun.randomUUIDv7()
  await database`insert into merchant (id, name) values (${merchantId}, 'Bench')`
  for (let i = 0; i < ENDPOINTS; i += 1) {
    await addEndpoint(database, merchantId, `${url}${i < hanging ? '/hanging' : ''}/${i}`, i)
  }
  return merchantId
}

/** An endpoint that has proven its URL; `number` makes its secret. */
export async function addEndpoint(
  database: Database,
  merchantId: string,
  url: string,
  number: number,
): Promise<void> {
  const rowId = Bun.randomUUIDv7()
  const plain = `test_whsec_${new Uint8Array(32).fill(number).toBase64()}`
  const secret = seal(sandboxKeyring([]), { column: 'webhook_endpoint.secret', rowId }, plain)
  await database`
    insert into webhook_endpoint (id, merchant_id, url, secret, proven_at)
    values (${rowId}, ${merchantId}, ${url}, ${secret}, now())`
}

function startNotifier(databaseUrl: string, redisUrl: string): number {
  const { running } = spawnDetached({
    command: process.execPath,
    args: [join(ROOT, 'workers/main.ts'), '--notifier'],
    cwd: ROOT,
    env: {
      ...process.env,
      REMIT_ENV: 'sandbox',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: PREFIX,
      HUB_ADDRESS: '0x00000000000000000000000000000000000b00b5',
      FEE_COLLECTOR: '0x00000000000000000000000000000000000c011e',
      RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
    },
    output: 'ignore',
  })
  return running.pid
}

/** One event has arrived everywhere before anything is measured. */
async function warmUp(ledger: Ledger, merchantId: string, arrivals: Arrival[]): Promise<void> {
  await commitEvents(ledger, [merchantId], 1, null)
  await waitUntil(async () => arrivals.length === ENDPOINTS - HANGING, 20_000)
  arrivals.splice(0)
}

/** Where events are written, and how their writers notify the notifier. */
export interface Ledger {
  readonly database: Database
  ring(): void
}

/** Commits events one by one, of these merchants in turn. Returns when each was committed, by its id. */
export async function commitEvents(
  { database, ring }: Ledger,
  merchants: readonly string[],
  count: number,
  pace: number | null,
): Promise<Map<string, number>> {
  const committed = new Map<string, number>()
  const commits = Array.from({ length: count }, async (_, i) => {
    if (pace !== null) await Bun.sleep((i * 1_000) / pace)
    const id = Bun.randomUUIDv7()
    const merchantId = merchants[i % merchants.length] ?? ''
    await database`
      insert into outbox (id, merchant_id, type, object_id, version, data)
      values (${id}, ${merchantId}, 'invoice.paid', ${id}, 1, ${DATA}::text::json)`
    committed.set(id, performance.now())
    ring()
  })
  await Promise.all(commits)
  return committed
}

function rowOf(
  count: number,
  pace: number | null,
  committed: ReadonlyMap<string, number>,
  arrivals: readonly Arrival[],
): string[] {
  const times = arrivals.map(({ eventId, at }) => at - (committed.get(eventId) ?? Number.NaN))
  const first = Math.min(...committed.values())
  const last = arrivals.reduce((latest, { at }) => Math.max(latest, at), 0)
  return [
    String(count),
    pace === null ? 'at once' : `${pace}/s`,
    String(arrivals.length),
    ((arrivals.length * 1_000) / (last - first)).toFixed(0),
    ms(percentile(times, 0.5)),
    ms(percentile(times, 0.99)),
    ms(percentile(times, 1)),
  ]
}
