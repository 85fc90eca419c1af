import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { baseUnits } from '../core/base/money.ts'
import { lowerCaseAddress } from '../core/chain/evm.ts'
import { spawnDetached, stopProcess, waitUntil } from '../dev/processes/child.ts'
import { claimPort } from '../dev/servers/ports.ts'
import { startPostgres } from '../dev/servers/postgres.ts'
import { startRedis } from '../dev/servers/redis.ts'
import { createMerchant } from '../store/access/merchants.ts'
import { openDatabase } from '../store/database/database.ts'
import { migrate } from '../store/database/migrate.ts'
import { cellsOf, inAll, type LoadResult, runLoad } from './load.ts'
import type { Report } from './report.ts'

const CONNECTIONS = [1, 16, 64]
/** Until the servers' code is compiled, which takes longer for the longer one. */
const WARM_UP_SECONDS = 10
/** They take turns, so that neither alone runs while the machine is less busy. */
const TURNS = 5
const ROOT = join(import.meta.dirname, '..')
const HUB = lowerCaseAddress('0x00000000000000000000000000000000000b00b5')
const COLLECTOR = '0x00000000000000000000000000000000000c011e'

/** Creations per second beside an endpoint that inserts one row through the same stack. */
export async function measureCreation(report: Report, quick: boolean): Promise<void> {
  const seconds = quick ? 0.8 : 2
  const dir = mkdtempSync('/tmp/remit-bench-')
  const postgres = await startPostgres({ dataDir: join(dir, 'postgres'), port: 0 })
  const redis = await startRedis({ dataDir: join(dir, 'redis'), port: 0 })
  const servers: number[] = []
  try {
    const key = await prepareLedger(postgres.url)
    const environment = {
      REMIT_ENV: 'sandbox',
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      HUB_ADDRESS: HUB,
      FEE_COLLECTOR: COLLECTOR,
      // Switches the chains on; the API never calls them.
      RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9',
      RPC_URL_SEPOLIA: 'http://127.0.0.1:9',
      RATE_LIMIT_AUTHENTICATED: '100000000',
      LOG_LEVEL: 'warn',
    }
    const api = await startServer('api/main.ts', environment, servers)
    const bare = await startServer('bench/bareServer.ts', environment, servers)
    const create = (connections: number, duration = seconds) =>
      runLoad({
        urls: [`${api}/v1/invoices`],
        connections,
        seconds: duration,
        headers: { 'X-Service-Key': key, 'content-type': 'application/json' },
        body: (n) =>
          JSON.stringify({
            tokenSymbol: 'USDC',
            amountExpected: '25.5',
            externalRef: `bench-${n}`,
          }),
      })
    const insert = (connections: number, duration = seconds) =>
      runLoad({
        urls: [`${bare}/rows`],
        connections,
        seconds: duration,
        headers: { 'content-type': 'application/json' },
        body: (n) => JSON.stringify({ note: `bench-${n}` }),
      })
    await create(16, WARM_UP_SECONDS)
    await insert(16, WARM_UP_SECONDS)
    const rows = [['connections', 'invoices/s', 'p50', 'p99', 'bare rows/s', 'p50', 'p99', 'ratio']]
    for (const connections of CONNECTIONS) {
      const own: LoadResult[] = []
      const peer: LoadResult[] = []
      for (let turn = 0; turn < TURNS; turn += 1) {
        peer.push(await insert(connections))
        own.push(await create(connections))
      }
      const [ours, bareResult] = [inAll(own), inAll(peer)]
      rows.push([
        String(connections),
        ...cellsOf(ours),
        ...cellsOf(bareResult),
        (ours.perSecond / bareResult.perSecond).toFixed(2),
      ])
    }
    report.table(
      'Creating invoices',
      'An invoice with an externalRef: key lookup, rate limit, invoice, watched address and event. The peer inserts one row through the same server, driver and database. Load generator, servers and database share the machine.',
      rows,
    )
  } finally {
    for (const pid of servers) await stopProcess(pid, 'SIGTERM')
    await redis.stop()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function prepareLedger(url: string): Promise<string> {
  const database = openDatabase(url, { name: 'remit-bench', poolSize: 2 })
  await migrate(database)
  const terms = {
    environment: 'sandbox',
    hub: HUB,
    x402Fee: { rateBps: 0, cap: baseUnits(0n) },
  } as const
  const created = await createMerchant(database, terms, { name: 'Bench', recipient: null })
  await database.end()
  if (!created.ok) throw new Error(created.message)
  return created.secretKey
}

async function startServer(
  script: string,
  environment: Readonly<Record<string, string>>,
  servers: number[],
): Promise<string> {
  const port = await claimPort(0, script)
  const { running } = spawnDetached({
    command: process.execPath,
    args: [join(ROOT, script)],
    cwd: ROOT,
    env: { ...process.env, ...environment, PORT: String(port) },
    output: 'ignore',
  })
  servers.push(running.pid)
  const url = `http://127.0.0.1:${port}`
  const isUp = await waitUntil(async () => {
    const answer = await fetch(url).catch(() => null)
    return answer !== null
  }, 20_000)
  if (!isUp) throw new Error(`${script} did not come up`)
  return url
}
