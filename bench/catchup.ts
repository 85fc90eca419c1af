import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lowerCaseAddress } from '../core/chain/evm.ts'
import { chainsOf, tokenOn } from '../core/chain/registry.ts'
import { suffix } from '../core/config/chains.ts'
import {
  lastLines,
  type Spawned,
  spawnDetached,
  stopOnParentDeath,
  stopProcess,
} from '../dev/processes/child.ts'
import { freePort } from '../dev/servers/ports.ts'
import { indexerHeads } from '../store/chain/transfers.ts'
import { type Database, openDatabase } from '../store/database/database.ts'
import { migrate } from '../store/database/migrate.ts'
import { createDatabase } from '../test/support/servers/run.ts'
import type { ChainPlan } from './catchup/blocks.ts'
import type { Report } from './report.ts'

const ROOT = join(import.meta.dirname, '..')
const NETWORK = 'base-sepolia'
const WATCHED = 1_000_000
const LOGS_PER_BLOCK = 500
const LIMITS = { widestRange: 500, mostResults: 10_000 }
const PAYMENT_EVERY = 10
/** An address without code: the synthetic chain has no hub and no hub events. */
const HUB = lowerCaseAddress(`0x${'b0'.repeat(20)}`)
const LONGEST_MS = 15 * 60_000
const LOOK_EVERY_MS = 200
const LOG = '/tmp/remit-bench-indexer.log'

/**
 * How fast the indexer catches up after downtime: blocks full of foreign transfers
 * of the token, of which hardly any goes to a watched address, from a node with a provider's limits.
 */
export async function measureCatchUp(report: Report, quick: boolean): Promise<void> {
  const blocks = quick ? 200 : 2_000
  const chain = chainsOf('sandbox').find(({ networkId }) => networkId === NETWORK)
  const token = chain && tokenOn(chain, 'USDC')
  if (!chain || !token) throw new Error(`the registry has no USDC on ${NETWORK}`)
  const firstTimestamp = Math.floor(Date.now() / 1000) - blocks
  const plan: ChainPlan = {
    blocks,
    logsPerBlock: LOGS_PER_BLOCK,
    paymentEvery: PAYMENT_EVERY,
    token: token.address,
    firstTimestamp,
  }
  const node = await startNode({ ...plan, ...LIMITS, chainId: chain.chainId })
  const database = await createDatabase()
  const sql = openDatabase(database.url, { name: 'remit-bench', poolSize: 2 })
  try {
    await watchAddresses(sql)
    const began = performance.now()
    const indexer = await startIndexer(database.url, node.url)
    try {
      const peak = await untilCaughtUp(sql, indexer, chain.chainId, blocks)
      const caughtUpAt = Date.now()
      const total = (performance.now() - began) / 1000
      const seen = await node.statistics()
      const seconds = (caughtUpAt - seen.firstLogsAt) / 1000
      await expectPayments(sql, blocks)
      const requests = Object.values(seen.served).reduce((sum, count) => sum + count, 0)
      report.table(
        'Catching up',
        `${count(blocks)} blocks with ${LOGS_PER_BLOCK} transfers of the token each, of which ${count(blocks / PAYMENT_EVERY)} go to one of ${count(WATCHED)} watched addresses; \`eth_getLogs\` takes at most ${LIMITS.widestRange} blocks and ${count(LIMITS.mostResults)} results. Ponder and the process that watches over it, from the first request for logs until the index is at the head.`,
        [
          ['', 'measured', 'wanted'],
          ['seconds', `${seconds.toFixed(1)} (${total.toFixed(1)} with the start)`, ''],
          ['blocks per second', (blocks / seconds).toFixed(0), ''],
          [
            'logs per second, filtered',
            count(Math.round((blocks * LOGS_PER_BLOCK) / seconds)),
            'at least 10,000',
          ],
          ['most memory of both processes', `${peak.toFixed(0)} MB`, 'under 600 MB'],
          ['requests to the node', `${requests}, of which ${seen.refused} refused`, ''],
        ],
      )
    } finally {
      await stopProcess(indexer.pid, 'SIGINT', 15_000)
    }
  } finally {
    await node.stop()
    await sql.end({ timeout: 1 })
    await database.drop()
  }
}

const count = (value: number) => value.toLocaleString('en')

interface Statistics {
  readonly served: Readonly<Record<string, number>>
  readonly refused: number
  /** Milliseconds since 1970. */
  readonly firstLogsAt: number
}

async function startNode(plan: object) {
  const child = Bun.spawn(
    [process.execPath, join(ROOT, 'bench/catchup/node.ts'), JSON.stringify(plan)],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  )
  const release = stopOnParentDeath(child.pid, 'SIGKILL')
  const { value } = await child.stdout.getReader().read()
  const url = `http://127.0.0.1:${Number(new TextDecoder().decode(value))}`
  return {
    url,
    async statistics(): Promise<Statistics> {
      return (await fetch(url)).json()
    },
    async stop() {
      await stopProcess(child.pid, 'SIGTERM')
      release()
    },
  }
}

async function watchAddresses(sql: Database): Promise<void> {
  await migrate(sql)
  await sql`
    insert into watched (address, kind, merchant_id, invoice_id)
    select '0x' || lpad(to_hex(n), 40, '0'), 'deposit', gen_random_uuid(), gen_random_uuid()
    from generate_series(1, ${WATCHED}::int) as n`
  await sql`vacuum analyze watched`
}

async function startIndexer(databaseUrl: string, rpcUrl: string): Promise<Spawned> {
  const { running } = spawnDetached({
    command: process.execPath,
    args: [join(ROOT, 'indexer/main.ts')],
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      DATABASE_URL: databaseUrl,
      REDIS_URL: 'redis://127.0.0.1:1',
      HUB_ADDRESS: HUB,
      FEE_COLLECTOR: HUB,
      GRAPHQL_PORT: String(await freePort()),
      [`RPC_URL_${suffix(NETWORK)}`]: rpcUrl,
    },
    output: { file: LOG },
  })
  stopOnParentDeath(running.pid, 'SIGINT')
  return running
}

/** Resolves with the peak memory of the indexer's processes, in MB. */
async function untilCaughtUp(
  sql: Database,
  indexer: Spawned,
  chainId: number,
  head: number,
): Promise<number> {
  const end = performance.now() + LONGEST_MS
  let peak = 0
  for (;;) {
    peak = Math.max(peak, memoryOf(indexer.pid))
    const heads = await indexerHeads(sql)
    if (heads.get(chainId) === BigInt(head)) return peak
    if (indexer.ended() !== undefined || performance.now() > end) {
      throw new Error(`the indexer did not catch up; its log ends with:\n${lastLines(LOG)}`)
    }
    await Bun.sleep(LOOK_EVERY_MS)
  }
}

/** The resident memory of a process and its descendants, in MB. */
function memoryOf(pid: number): number {
  let sum = 0
  for (const waiting = [pid]; ; ) {
    const next = waiting.pop()
    if (next === undefined) return sum
    try {
      const status = readFileSync(`/proc/${next}/status`, 'utf8')
      sum += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
      const children = readFileSync(`/proc/${next}/task/${next}/children`, 'utf8')
      waiting.push(...children.trim().split(' ').filter(Boolean).map(Number))
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** @throws Error if a payment is missing in the index, or a foreign transfer is in it. */
async function expectPayments(sql: Database, blocks: number): Promise<void> {
  const [row] = await sql<{ found: number; others: number }[]>`
    select count(*) filter (where w.address is not null)::int as found,
      count(*) filter (where w.address is null)::int as others
    from indexed.transfer t left join watched w on w.address = t.to`
  const wanted = blocks / PAYMENT_EVERY
  if (row?.found === wanted && row.others === 0) return
  throw new Error(`${wanted} payments were made; the index has ${JSON.stringify(row)}`)
}
