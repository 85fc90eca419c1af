import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SECTIONS } from '../../api/sections.ts'
import { openHealth } from '../../store/books/health.ts'
import { readBooks } from '../../store/books/money.ts'
import { RETENTION_BATCH } from '../../store/books/retention.ts'
import { readWorkload } from '../../store/books/workload.ts'
import { type ApiRig, openRig } from '../../test/api/rig.ts'
import { type Actors, openActors } from './actors.ts'
import { doBusiness } from './business.ts'
import { costOf, type Execution, longTables, rowsAllowed } from './plans.ts'
import { readsOf } from './reads.ts'
import { openWorld, type WatchedWorld, watchPlans } from './world.ts'

/**
 * What every statement reads on top of a history, by the plans that the server carried out. TEST_POSTGRES
 * names the folder of another server than the embedded one.
 */

const SIZE = { invoices: 20_000, transactions: 6_000, deliveries: 40_000, x402Payments: 6_000 }
/** Tables with fewer rows may be read whole: they would not grow. */
const LONG = 5_000

/**
 * What removes rows that have served their purpose goes through all of them, so many at a time: it may read
 * more than it removes, and never more than a batch with what belongs to it.
 */
const REMOVALS = [/^with seen as materialized/]
const ROWS_PER_REMOVAL = 10 * RETENTION_BATCH

/** They end with their callers, and show again what another route shows. */
const STREAMS: ReadonlySet<string> = new Set(['/v1/checkout/sessions/:id/events'])

let world: WatchedWorld
let actors: Actors
let api: ApiRig
let tables: ReadonlySet<string>
beforeAll(async () => {
  world = await watchPlans(await openWorld(SIZE, { postgres: process.env.TEST_POSTGRES }))
  tables = await longTables(world.database, LONG)
  actors = openActors(world)
  api = await openRig({
    databaseUrl: world.url,
    variables: {
      HUB_ADDRESS: world.chain.hub,
      RPC_URL_BASE_SEPOLIA: world.chain.node.url,
      RPC_URL_SEPOLIA: '',
    },
  })
}, 120_000)
afterAll(async () => {
  await api?.close()
  await actors?.stop()
  await world?.close()
})

/** Statements that read tables from end to end, or more rows than they answered with. */
function tooCostly(executions: readonly Execution[], isCounting = false): string[] {
  const costly = executions.flatMap((execution) => {
    const { scanned, rowsRead, rowsReturned } = costOf(execution, tables)
    const isRemoval = REMOVALS.some((removal) => removal.test(execution.text))
    const allowed = isRemoval ? ROWS_PER_REMOVAL : rowsAllowed(rowsReturned)
    const isAllowed = isCounting || rowsRead <= allowed
    if (scanned.length === 0 && isAllowed) return []
    const read = `${Math.round(rowsRead)} rows for ${rowsReturned}`
    return [`${execution.text.slice(0, 400)}: ${read}, scanned: ${scanned}`]
  })
  return [...new Set(costly)]
}

test('the history is long, and every table with it', () => {
  expect([...tables].toSorted()).toEqual([
    ...[
      'invoice',
      'invoice_metadata',
      'outbox',
      'payment',
      'relayer_attempt',
      'relayer_tx',
      'settlement',
      'transfer',
    ],
    ...['watched', 'webhook_attempt', 'webhook_delivery', 'work_item', 'x402_distribution'],
    'x402_payment',
  ])
})

test('no statement that carries business out, or finds nothing to do, reads more than it needs', async () => {
  world.log.take()
  await doBusiness(world, actors, api)
  const executions = world.log.take()
  // Creation, projection, sweeps, refunds, paid requests and webhooks have hundreds of them.
  expect(new Set(executions.map(({ text }) => text)).size).toBeGreaterThan(100)
  expect(tooCostly(executions)).toEqual([])
}, 120_000)

test('no figure for Prometheus reads more than what is open, and sums that exist', async () => {
  const { database } = world
  world.log.take()
  await Promise.all([openHealth(database, 0)(), readWorkload(database), readBooks(database)])
  const executions = world.log.take()
  expect(executions.length).toBeGreaterThan(10)
  expect(tooCostly(executions, true)).toEqual([])
})

test('no GET reads more than it shows, but for what it counts of the merchant’s own', async () => {
  const reads = await readsOf(world)
  const routes = SECTIONS.flatMap((section) => section.routes)
  const gets = routes
    .filter(({ method, path }) => method === 'GET' && !STREAMS.has(path))
    .map(({ path }) => path)
  expect([...new Set(reads.map(({ route }) => route))].toSorted()).toEqual(gets.toSorted())
  const costly: string[] = []
  for (const { path, counts } of reads) {
    world.log.take()
    const answer = await api.call('GET', path, { key: world.merchant.secretKey })
    expect({ path, status: answer.status }).toEqual({ path, status: path === '/ready' ? 503 : 200 })
    costly.push(
      ...tooCostly(world.log.take(), counts !== undefined).map((text) => `${path}: ${text}`),
    )
  }
  expect(costly).toEqual([])
}, 120_000)
