import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SECTIONS } from '../../api/sections.ts'
import { baseUnits } from '../../core/base/money.ts'
import { openHealth } from '../../store/books/health.ts'
import { readBooks } from '../../store/books/money.ts'
import { RETENTION_BATCH } from '../../store/books/retention.ts'
import { readWorkload } from '../../store/books/workload.ts'
import { type NewClaim, storeClaims } from '../../store/x402/claims.ts'
import { storeHolds } from '../../store/x402/holds.ts'
import { findTerms, type TermsQuery } from '../../store/x402/terms.ts'
import { type ApiRig, openRig } from '../../test/support/api/rig.ts'
import { newAddress } from '../../test/support/store/database.ts'
import { aClaim, NETWORK, TOKEN } from '../../test/support/store/x402.ts'
import { type Actors, openActors } from './actors.ts'
import { doBusiness } from './business.ts'
import { CHANNEL_TABLES, seedChannels, useChannels } from './channels.ts'
import { questionsOf } from './figures.ts'
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

const OPERATOR_TOKEN = 'operator-token-of-this-test'

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
      OPERATOR_TOKEN,
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

/** Statements that read tables from end to end, or more rows than they answered with and may go through. */
function tooCostly(
  executions: readonly Execution[],
  goesThrough = 0,
  of: ReadonlySet<string> = tables,
): string[] {
  const costly = executions.flatMap((execution) => {
    const { scanned, rowsRead, rowsReturned } = costOf(execution, of)
    const isRemoval = REMOVALS.some((removal) => removal.test(execution.text))
    const allowed = isRemoval ? ROWS_PER_REMOVAL : rowsAllowed(rowsReturned)
    if (scanned.length === 0 && rowsRead <= allowed + goesThrough) return []
    const read = `${Math.round(rowsRead)} rows for ${rowsReturned}`
    return [`${execution.text.slice(0, 400)}: ${read}, scanned: ${scanned}`]
  })
  return [...new Set(costly)]
}

/** What verify and settle ask the database of a payment. */
function termsOf({ authorization: { from, to, nonce, value }, ...claim }: NewClaim): TermsQuery {
  return {
    ...claim,
    ...{ payer: from, payTo: to, authorizationNonce: nonce },
    ...{ amount: baseUnits(value), resource: null },
  }
}

test('the history is long, and every table with it', () => {
  expect([...tables].toSorted()).toEqual([
    ...[
      'hub_event',
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
  world.log.skip()
  await doBusiness(world, actors, api)
  const executions = world.log.take()
  // Creation, projection, sweeps, refunds, paid requests and webhooks have hundreds of them.
  expect(new Set(executions.map(({ text }) => text)).size).toBeGreaterThan(100)
  expect(tooCostly(executions)).toEqual([])
}, 120_000)

test('no figure for Prometheus reads more than what is open, and sums that exist', async () => {
  const { database } = world
  world.log.skip()
  await Promise.all([openHealth(database, 0)(), readWorkload(database), readBooks(database)])
  const executions = world.log.take()
  expect(executions.length).toBeGreaterThan(10)
  expect(tooCostly(executions, Infinity)).toEqual([])
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
    world.log.skip()
    const answer = await api.call('GET', path, { key: world.merchant.secretKey })
    expect({ path, status: answer.status }).toEqual({ path, status: path === '/ready' ? 503 : 200 })
    costly.push(
      ...tooCostly(world.log.take(), counts === undefined ? 0 : Infinity).map(
        (text) => `${path}: ${text}`,
      ),
    )
  }
  expect(costly).toEqual([])
}, 120_000)

test('a look for holds reads none of others, also by plans from when there were few', async () => {
  const { database, chain, merchant } = world
  const shop = { id: merchant.merchant.id, hub: chain.hub, forwarder: newAddress() }
  const claims = Array.from({ length: 30 }, () => aClaim(shop))
  const terms = claims.map(termsOf)
  const look = () =>
    database.begin(async (sql) => {
      await findTerms(sql, terms)
      await storeHolds(sql, claims, 60)
    })
  for (let i = 0; i < 10; i += 1) await look()
  await database`
    insert into x402_hold (network_id, asset, payer, authorization_nonce, amount, terms, until)
    select ${NETWORK}, ${TOKEN}, '0xc' || lpad(n::text, 39, '0'), '0xc' || lpad(n::text, 63, '0'), 1,
      'x', now() + interval '1 hour'
    from generate_series(1, ${LONG}::integer) n`
  world.log.skip()
  for (let i = 0; i < 10; i += 1) await look()
  const executions = world.log.take()
  expect(executions.some(({ text }) => text.includes('x402_hold'))).toBe(true)
  expect(tooCostly(executions, 0, new Set(['x402_hold', ...tables]))).toEqual([])
})

test('what one payer has under way is read once by a statement, however many requests are about it', async () => {
  const { database, chain, merchant } = world
  const shop = { id: merchant.merchant.id, hub: chain.hub, forwarder: newAddress() }
  const from = newAddress()
  const claimsOf = (count: number) =>
    Array.from({ length: count }, () => aClaim(shop, { from, value: 1n }))
  const underWay = 500
  await database.begin((sql) => storeClaims(sql, claimsOf(underWay), underWay))
  const claims = claimsOf(100)
  const terms = claims.map(termsOf)
  const look = () =>
    database.begin(async (sql) => {
      await findTerms(sql, terms)
      await storeHolds(sql, claims, 60)
    })
  world.log.skip()
  for (let i = 0; i < 10; i += 1) await look()
  const executions = world.log.take()
  expect(executions.some(({ text }) => text.includes('under_way'))).toBe(true)
  expect(tooCostly(executions, underWay)).toEqual([])
})

test('no statement about channels reads those of others, or all that was ever claimed of one', async () => {
  const { database, merchant } = world
  const { id } = merchant.merchant
  await seedChannels(database, id, LONG + 1)
  world.log.skip()
  for (let i = 0; i < 7; i += 1) await useChannels(database, id)
  const executions = world.log.take()
  expect(executions.some(({ text }) => text.includes('x402_channel_event'))).toBe(true)
  expect(tooCostly(executions, 0, new Set([...CHANNEL_TABLES, ...tables]))).toEqual([])
}, 120_000)

test('no figure of GraphQL reads more than it shows, but for the sums of the requested days', async () => {
  const questions = await questionsOf(world)
  const costly: string[] = []
  for (const { isOperator, field, goesThrough } of questions) {
    const asker = isOperator
      ? { key: null, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } }
      : { key: world.merchant.secretKey }
    world.log.skip()
    const answer = await api.call('POST', '/v1/graphql', {
      ...asker,
      body: { query: `{${field}}` },
    })
    expect({ field, status: answer.status }).toEqual({ field, status: 200 })
    const executions = world.log.take()
    expect(
      executions.some(({ text }) => text.includes('seen_') || text.includes('hub_event')),
    ).toBe(true)
    costly.push(...tooCostly(executions, goesThrough).map((text) => `${field}: ${text}`))
  }
  expect(costly).toEqual([])
}, 120_000)
