import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnDetached, stopProcess } from '../dev/processes/child.ts'
import { type Database, openDatabase } from '../store/database/database.ts'
import {
  createHome,
  type DevStack,
  eventually,
  startDevStack,
} from '../test/support/servers/devStack.ts'
import type { Report } from './report.ts'
import { payInvoices } from './sweeps.ts'

const NETWORK = 'base-sepolia'
const SETTINGS = {
  RELAYER_BATCH_MAX: '5',
  RELAYER_IN_FLIGHT_MAX: '4',
  RELAYER_KEYS_PER_WORKER: '1',
}

/** How long one worker and two workers take to drain the same number of waiting sweeps. */
export async function measureWorkers(report: Report, quick: boolean): Promise<void> {
  const count = quick ? 100 : 400
  const { home, remove } = createHome()
  const stack = await startDevStack(home, SETTINGS)
  const database = openDatabase(stack.description.databaseUrl, { name: 'remit-bench', poolSize: 2 })
  const helpers: number[] = []
  try {
    const one = await drain(stack, database, count)
    helpers.push(startWorker(stack))
    await eventually(
      () => leaseHolders(database),
      (holders) => holders === 2,
    )
    const two = await drain(stack, database, count)
    const gaps = await nonceGaps(database)
    report.table(
      'Sharing a chain between workers',
      `${count} sweeps wait, batches of 5, one key per worker, 4 transactions in flight per key, blocks of one second.`,
      [
        ['workers', 'seconds', 'beside one worker', 'account nonce gaps'],
        ['1', one.toFixed(1), '1.00', ''],
        ['2', two.toFixed(1), (two / one).toFixed(2), String(gaps)],
      ],
    )
  } finally {
    for (const pid of helpers) await stopProcess(pid, 'SIGTERM')
    await database.end()
    await stack.stop()
    remove()
  }
}

/** Lets sweeps pile up behind drained keys, then makes the keys active and measures the time. */
async function drain(stack: DevStack, database: Database, count: number): Promise<number> {
  const [before] = await database<{ swept: number }[]>`
    select count(*)::int as swept from settlement where status in ('mined', 'confirmed')`
  const done = (before?.swept ?? 0) + count
  await setKeys(database, 'draining')
  await payInvoices(stack, count)
  const waiting = () =>
    countOf(database`
    select count(*)::int as n from work_item where kind = 'sweep' and state = 'queued'`)
  await eventually(waiting, (queued) => queued >= count, 300_000)
  await setKeys(database, 'active')
  const started = performance.now()
  const swept = () =>
    countOf(database`
    select count(*)::int as n from settlement where status in ('mined', 'confirmed')`)
  await eventually(swept, (now) => now >= done, 300_000)
  return (performance.now() - started) / 1000
}

async function countOf(query: PromiseLike<readonly object[]>): Promise<number> {
  const [row] = await query
  return row && 'n' in row ? Number(row.n) : 0
}

async function setKeys(database: Database, status: 'active' | 'draining'): Promise<void> {
  await database`
    update relayer_key set status = ${status}
    where network_id = ${NETWORK} and status in ('active', 'draining')`
}

function leaseHolders(database: Database): Promise<number> {
  return countOf(database`
    select count(distinct lease_owner)::int as n from relayer_key
    where network_id = ${NETWORK} and lease_until > now()`)
}

/** Account nonces that are missing between the first and the last one of each key. */
function nonceGaps(database: Database): Promise<number> {
  return countOf(database`
    select coalesce(sum(missing), 0)::int as n from (
      select max(account_nonce) - min(account_nonce) + 1 - count(*) as missing
      from relayer_tx where network_id = ${NETWORK} group by address) as by_key`)
}

/** A second process of the same entry point, with the stack's own environment. */
function startWorker(stack: DevStack): number {
  const lines = readFileSync(join(stack.home, 'env'), 'utf8').split('\n')
  const environment = Object.fromEntries(
    lines
      .filter((line) => line.includes('='))
      .map((line) => {
        const at = line.indexOf('=')
        return [line.slice(0, at), line.slice(at + 1)]
      }),
  )
  const root = join(import.meta.dirname, '..')
  const { running } = spawnDetached({
    command: process.execPath,
    args: [join(root, 'workers/main.ts'), '--chain', NETWORK],
    cwd: root,
    env: { ...process.env, ...SETTINGS, ...environment },
    output: { file: join(stack.home, 'logs/second-worker.log') },
  })
  return running.pid
}
