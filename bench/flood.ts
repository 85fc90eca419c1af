import { statSync } from 'node:fs'
import { join } from 'node:path'
import { lowerCaseAddress } from '../core/chain/evm.ts'
import { openDatabase } from '../store/database/database.ts'
import type { Flood, Flooded } from './flood/flooder.ts'
import { fillHistory, newShop, type Shop } from './flood/ledger.ts'
import { ms, percentile, type Report } from './report.ts'
import { startScript, withServers } from './servers.ts'

/** Measures other merchants' latency while one client floods the API, and whether limits stay exact. */

const HUB = lowerCaseAddress('0x00000000000000000000000000000000000b00b5')
const FLOODER = join(import.meta.dirname, 'flood/flooder.ts')
const AUTHENTICATED = 120
const UTILITY = 60
const X402 = 3_000
/** Ordinary calls are sequential, by enough merchants to stay below the limits. */
const CALLS_PER_SHOP = 100
const CALL_EVERY_MS = 15
const ADDRESSES = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4', '198.51.100.5']

interface Bench {
  readonly url: string
  readonly log: string
  newShop(): Promise<Shop>
}

interface Scene {
  readonly title: string
  /** What the limit admits; null without a flood. */
  readonly limit: number | null
  /** The answers that the limit has admitted. */
  readonly admitted: readonly string[]
  flood(bench: Bench, seconds: number): Promise<Flood | null>
}

interface Measured {
  readonly latencies: readonly number[]
  readonly failures: number
  readonly flooded: Flooded | null
  readonly logBytes: number
}

/** `bun run bench flood`. */
export async function measureFlood(report: Report, quick: boolean): Promise<void> {
  const [seconds, invoices] = quick ? [5, 20_000] : [20, 200_000]
  const { long, stop, ...bench } = await openBench(invoices)
  try {
    await measureScene(bench, QUIET, 3)
    const rows = []
    for (const scene of [QUIET, ...floodsOf(long), QUIET]) {
      rows.push(rowOf(scene, await measureScene(bench, scene, seconds)))
    }
    report.table(
      'A flood beside other merchants',
      `Ordinary calls of other merchants (create an invoice, read it, list), one every ${CALL_EVERY_MS} ms, while one caller floods the API for ${seconds} s; flood, API and stores share the machine. The reports are of a merchant with ${invoices} invoices. "admitted" is what the flood got beyond 429, and what its limits allow.`,
      [['flood', 'p50', 'p99', 'slowest', 'failures', 'flood asked', 'admitted', 'log'], ...rows],
    )
  } finally {
    await stop()
  }
}

/** An API process with a merchant of so many invoices. */
function openBench(invoices: number) {
  return withServers(async ({ dir, database, port, variables, beforeStop, stop }) => {
    const long = await newShop(database, HUB)
    const filling = openDatabase(variables.DATABASE_URL, {
      name: 'remit-bench',
      poolSize: 1,
      statementTimeoutMs: 0,
    })
    await fillHistory(filling, long, invoices).finally(() => filling.end())
    const log = join(dir, 'api.log')
    const environment = {
      ...variables,
      REMIT_ENV: 'sandbox',
      HUB_ADDRESS: HUB,
      FEE_COLLECTOR: HUB,
      // Switches the chain on; the API never calls it here.
      RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
      TRUSTED_PROXIES: '127.0.0.0/8',
      RATE_LIMIT_AUTHENTICATED: String(AUTHENTICATED),
      RATE_LIMIT_UTILITY: String(UTILITY),
      RATE_LIMIT_X402: String(X402),
    }
    const api = await startScript('api/main.ts', environment, log, port)
    beforeStop(api.stop)
    const url = `http://127.0.0.1:${port}`
    return { url, log, newShop: () => newShop(database, HUB), long, stop }
  })
}

const QUIET: Scene = { title: 'none', limit: null, admitted: [], flood: async () => null }

function floodsOf(long: Shop): readonly Scene[] {
  const json = { 'content-type': 'application/json' }
  const base = { addresses: ADDRESSES, headers: {}, body: 'none' } as const
  return [
    {
      title: '50 clients of 5 addresses on /openapi.json',
      limit: UTILITY * ADDRESSES.length,
      admitted: ['200'],
      flood: async ({ url }, seconds) => ({
        ...{ ...base, method: 'GET', url: `${url}/openapi.json`, connections: 50, seconds },
      }),
    },
    {
      title: '115 reports of one merchant at once',
      limit: AUTHENTICATED,
      // A report that waits for another one is refused after it was counted.
      admitted: ['200', '429 another'],
      flood: async ({ url }, seconds) => ({
        ...base,
        ...{ method: 'GET', url: `${url}/v1/reports/transactions.csv`, connections: 115, seconds },
        headers: { 'x-service-key': long.key },
      }),
    },
    {
      title: 'bodies of 250 KB',
      limit: AUTHENTICATED,
      admitted: ['400'],
      flood: async ({ url, newShop }, seconds) => ({
        ...base,
        ...{ method: 'POST', url: `${url}/v1/invoices`, connections: 16, seconds, body: 'array' },
        headers: { ...json, 'x-service-key': (await newShop()).key },
      }),
    },
    {
      title: '150 KB to be logged, without a key',
      limit: X402 * ADDRESSES.length,
      admitted: ['200', '429 request budget'],
      flood: async ({ url }, seconds) => ({
        ...base,
        ...{ method: 'POST', url: `${url}/v1/x402/verify`, connections: 32, seconds },
        ...{ headers: json, body: 'network' },
      }),
    },
  ]
}

async function measureScene(bench: Bench, scene: Scene, seconds: number): Promise<Measured> {
  const wanted = await scene.flood(bench, seconds)
  const before = statSync(bench.log).size
  const flooding = wanted === null ? null : runFlooder(wanted)
  const { latencies, failures } = await ordinaryCalls(bench, seconds)
  const flooded = await flooding
  await Bun.sleep(500)
  return { latencies, failures, flooded, logBytes: statSync(bench.log).size - before }
}

async function runFlooder(flood: Flood): Promise<Flooded> {
  const child = Bun.spawn([process.execPath, FLOODER, JSON.stringify(flood)], { stdout: 'pipe' })
  return JSON.parse(await new Response(child.stdout).text())
}

async function ordinaryCalls(bench: Bench, seconds: number) {
  const latencies: number[] = []
  let failures = 0
  let shop = await bench.newShop()
  let invoiceId = ''
  const end = performance.now() + seconds * 1_000
  for (let n = 0; performance.now() < end; n += 1) {
    if (n % CALLS_PER_SHOP === 0) {
      shop = await bench.newShop()
      invoiceId = ''
    }
    const headers = { 'x-service-key': shop.key, 'content-type': 'application/json' }
    const isCreation = n % 3 === 0 || invoiceId === ''
    const body = JSON.stringify({ tokenSymbol: 'USDC', amountExpected: '12.5' })
    const path = isCreation ? '' : n % 3 === 1 ? `/${invoiceId}` : '?limit=20'
    const started = performance.now()
    const init = isCreation ? { method: 'POST', headers, body } : { headers }
    const response = await fetch(`${bench.url}/v1/invoices${path}`, init)
    const answer = await response.json()
    latencies.push(performance.now() - started)
    if (!response.ok) failures += 1
    else if (isCreation) invoiceId = answer.data.id
    await Bun.sleep(CALL_EVERY_MS)
  }
  return { latencies, failures }
}

function rowOf(scene: Scene, { latencies, failures, flooded, logBytes }: Measured): string[] {
  const all = Object.entries(flooded?.statuses ?? {})
  const asked = all.reduce((sum, [, count]) => sum + count, 0)
  const admitted = all
    .filter(([status]) => scene.admitted.some((one) => status.startsWith(one)))
    .reduce((sum, [, count]) => sum + count, 0)
  return [
    scene.title,
    ms(percentile(latencies, 0.5)),
    ms(percentile(latencies, 0.99)),
    ms(Math.max(...latencies)),
    String(failures),
    scene.limit === null ? '-' : String(asked),
    scene.limit === null ? '-' : `${admitted} of ${Math.min(scene.limit, asked)}`,
    `${(logBytes / 1_000).toFixed(0)} kB`,
  ]
}
