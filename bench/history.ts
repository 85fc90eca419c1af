import { createApp } from '../api/app.ts'
import { openRig } from '../test/support/api/rig.ts'
import { openActors } from './history/actors.ts'
import { doBusiness } from './history/business.ts'
import { readsOf } from './history/reads.ts'
import type { HistorySelection } from './history/selection.ts'
import { addTime, type Comparison, compare, isLonger, type Times } from './history/times.ts'
import {
  NO_HISTORY,
  openWorld,
  type WatchedWorld,
  type World,
  watchPlans,
} from './history/world.ts'
import { ms, percentile, type Report } from './report.ts'

/** Latencies of actors and callers with a long history, compared with an empty database. */

const PASSES = 5
/** In each pass. */
const TURNS = 30
const CALLS = 200
const STATEMENTS_SHOWN = 12
/** The longest that a GET may take, in ms, in 99 of 100 cases. */
const READ_MS = 250

interface Measured {
  readonly turns: readonly Comparison[]
  readonly statements: readonly Comparison[]
  readonly reads: Times
}

export async function measureHistory(report: Report, selection: HistorySelection): Promise<void> {
  const { postgres, kept, ...size } = selection
  const empty = await openWorld(NO_HISTORY, { postgres })
  const seeded = await openWorld(size, { postgres, kept })
  const measured = await measure(empty, seeded).finally(async () => {
    await empty.close()
    await seeded.close()
  })
  const { turns, statements, reads } = measured
  const server = postgres === undefined ? 'the embedded Postgres 18' : postgres
  const count = (value: number) => value.toLocaleString('en')
  const history = `${count(size.invoices)} invoices with their payments and settlements, ${count(size.transactions)} final transactions, ${count(size.deliveries)} deliveries with an attempt each, ${count(size.x402Payments)} paid requests; on ${server}`
  const longer = [...turns, ...statements].filter(isLonger)
  report.table(
    `A long history: turns (${server})`,
    `${history}. One turn of each actor after a new block, when nothing is to be done, beside the same turn on an empty database; and the statements that take longest while invoices are paid and settled, x402 payments made and webhooks sent. Both databases take turns in ${PASSES} passes; compared are the medians of each one's best pass. Of ${statements.length} statements and ${turns.length} turns, ${longer.length === 0 ? 'none takes' : `${longer.length} take`} more than twice and 5 ms longer.`,
    [
      ['turn or statement', 'empty, p50', 'seeded, p50', 'ratio'],
      ...turns.map(row),
      ...statements
        .filter((statement, place) => place < STATEMENTS_SHOWN || isLonger(statement))
        .map(row),
    ],
  )
  const times = [...reads].map(([path, took]) => ({
    path: anonymous(path),
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
  }))
  report.table(
    `A long history: reads (${server})`,
    `The same history; the merchant that asks has a fifth of it. Every GET of the API, ${CALLS} times each, one after the other; of a CSV the first page.`,
    [
      ['request', 'p50', 'p99'],
      ...times.map(({ path, p50, p99 }) => [`\`${path}\``, ms(p50), ms(p99)]),
    ],
  )
  for (const { name } of longer) console.log(`longer than on an empty database: ${name}`)
  for (const { path, p99 } of times)
    if (p99 > READ_MS) console.log(`longer than ${READ_MS} ms: ${path}`)
}

/** Turns and reads are timed before plans are logged, which takes its own time. */
async function measure(empty: World, seeded: World): Promise<Measured> {
  const { turns, reads } = await withSides(empty, seeded, async (before, after) => {
    for (const side of [before, after]) await doBusiness(side.world, side.actors, side.api)
    return {
      turns: await timeTurns(before, after),
      reads: await timeReads(after),
    }
  })
  const watched = [await watchPlans(empty), await watchPlans(seeded)] as const
  const statements = await timeStatements(...watched)
  for (const { database } of watched) await database.end({ timeout: 1 })
  return { turns, reads, statements }
}

/** A world with those who work on it. */
interface Side<W extends World> {
  readonly world: W
  readonly actors: ReturnType<typeof openActors>
  readonly api: Awaited<ReturnType<typeof openRig>>
}

async function withSides<W extends World, T>(
  empty: W,
  seeded: W,
  work: (empty: Side<W>, seeded: Side<W>) => Promise<T>,
): Promise<T> {
  const sides = [await openSide(empty), await openSide(seeded)] as const
  try {
    return await work(...sides)
  } finally {
    for (const { api, actors } of sides) {
      await api.close()
      await actors.stop()
    }
  }
}

async function openSide<W extends World>(world: W): Promise<Side<W>> {
  const api = await openRig({
    databaseUrl: world.url,
    variables: {
      HUB_ADDRESS: world.chain.hub,
      RPC_URL_BASE_SEPOLIA: world.chain.node.url,
      RPC_URL_SEPOLIA: '',
    },
  })
  return { world, actors: openActors(world), api }
}

/** Both take turns, so that a disturbance of the machine meets both. */
async function timeTurns(empty: Side<World>, seeded: Side<World>): Promise<Comparison[]> {
  const passes: { empty: Times; seeded: Times }[] = []
  for (let pass = 0; pass < PASSES; pass += 1) {
    const times = { empty: new Map<string, number[]>(), seeded: new Map<string, number[]>() }
    for (let i = 0; i < TURNS; i += 1) {
      await timeTurn(empty, times.empty)
      await timeTurn(seeded, times.seeded)
    }
    passes.push(times)
  }
  return compare(
    passes.map((pass) => pass.empty),
    passes.map((pass) => pass.seeded),
  )
}

async function timeTurn(
  { world, actors }: Side<World>,
  times: Map<string, number[]>,
): Promise<void> {
  await world.chain.mine()
  for (const name of ['ledger', 'relayer', 'notifier'] as const) {
    const began = performance.now()
    await actors[name]()
    addTime(times, `turn of the ${name}`, performance.now() - began)
  }
}

/** Each pass has actors of its own, that do once more what they do at their start. */
async function timeStatements(empty: WatchedWorld, seeded: WatchedWorld): Promise<Comparison[]> {
  const passes: { empty: Times; seeded: Times }[] = []
  for (let pass = 0; pass < PASSES; pass += 1) {
    passes.push(
      await withSides(empty, seeded, async (before, after) => ({
        empty: await statementTimes(before),
        seeded: await statementTimes(after),
      })),
    )
  }
  return compare(
    passes.map((pass) => pass.empty),
    passes.map((pass) => pass.seeded),
  )
}

async function statementTimes({ world, actors, api }: Side<WatchedWorld>): Promise<Times> {
  const times = new Map<string, number[]>()
  world.log.skip()
  await doBusiness(world, actors, api)
  for (const { text, ms: took } of world.log.take()) addTime(times, text, took)
  return times
}

async function timeReads({ world, api }: Side<World>): Promise<Times> {
  const times = new Map<string, number[]>()
  const app = createApp(api.deps)
  const headers = { 'x-service-key': world.merchant.secretKey }
  for (const { path } of await readsOf(world)) {
    for (let i = 0; i <= CALLS; i += 1) {
      const began = performance.now()
      const answer = await app.handle(new Request(`http://localhost${path}`, { headers }))
      if (!answer.ok && path !== '/ready') throw new Error(`${path}: ${await answer.text()}`)
      const body = answer.body?.getReader()
      await body?.read()
      await body?.cancel()
      // The first one plans its statements.
      if (i > 0) addTime(times, path, performance.now() - began)
    }
  }
  return times
}

function row({ name, empty, seeded }: Comparison): string[] {
  const shown = name.startsWith('turn') ? name : `\`${shortened(name)}\``
  return [shown, ms(empty), ms(seeded), (seeded / empty).toFixed(2)]
}

function shortened(text: string): string {
  return `${text.replaceAll('|', ' ').replaceAll('`', '').slice(0, 80)} …`
}

/** Removes values that differ between runs. */
function anonymous(path: string): string {
  return path
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/0x[0-9a-f]{40,}/g, '0x…')
    .replace(/((?:after|before)=)[\w-]{40,}/g, '$1CURSOR')
    .replace(/\bcs_\w+/g, 'SESSION')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => `${daysSince(time)}-days-ago`)
}

function daysSince(time: string): number {
  return Math.round((Date.now() - Date.parse(time)) / 86_400_000)
}
