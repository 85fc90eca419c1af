import { join } from 'node:path'
import { sandboxKeyring } from '../core/base/keyring.ts'
import { waitUntil } from '../dev/processes/child.ts'
import type { Database } from '../store/database/database.ts'
import { seal } from '../store/database/seal.ts'
import { openMailbox } from '../store/redis/mailbox.ts'
import { ms, percentile, type Report } from './report.ts'
import { startScript, withServers } from './servers.ts'

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
  const { ledger, merchantId, receivers, stop } = await openNotified()
  try {
    await warmUp(ledger, merchantId, receivers.arrivals)
    const committed = await commitEvents(ledger, [merchantId], count, pace)
    const expected = count * (ENDPOINTS - HANGING)
    const isDone = await waitUntil(async () => receivers.arrivals.length >= expected, 120_000)
    if (!isDone) throw new Error(`${receivers.arrivals.length} of ${expected} webhooks arrived`)
    return rowOf(count, pace, committed, receivers.arrivals)
  } finally {
    await stop()
  }
}

/** A notifier, and a merchant whose endpoints it notifies. */
function openNotified() {
  return withServers(async ({ dir, database, variables, beforeStop, stop }) => {
    const redisUrl = variables.REDIS_URL
    const mailbox = openMailbox({ redisUrl, prefix: PREFIX, onError: console.error })
    beforeStop(() => mailbox.close())
    const receivers = startReceivers()
    beforeStop(receivers.stop)
    const merchantId = await prepareEndpoints(database, receivers.url, HANGING)
    const environment = {
      ...variables,
      REMIT_ENV: 'sandbox',
      REDIS_PREFIX: PREFIX,
      HUB_ADDRESS: '0x00000000000000000000000000000000000b00b5',
      FEE_COLLECTOR: '0x00000000000000000000000000000000000c011e',
      RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
    }
    const log = join(dir, 'notifier.log')
    const notifier = await startScript('workers/main.ts', environment, log, null, ['--notifier'])
    beforeStop(notifier.stop)
    const ledger = { database, ring: mailbox.wakeNotifier }
    return { ledger, merchantId, receivers, stop }
  })
}

/** A received webhook. */
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

/** Delivers one event to all endpoints before the measurement. */
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
