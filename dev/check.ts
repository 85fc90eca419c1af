/**
 * `bun run check`: everything that must hold before a change lands, from a fresh clone. It installs,
 * lints, type-checks, runs Foundry and all tests, says where the time went and what failed, and ends with
 * one line that counts.
 */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  balance,
  isBrowsing,
  isOfProcesses,
  isOfStore,
  isOther,
  readTimings,
  testFiles,
  writeTimings,
} from './check/files.ts'
import { beginning, conclude, measuredBy } from './check/report.ts'
import { type Run, runAlone, whole } from './check/run.ts'
import { countForge, countSeeds, type Row, runBeside, type Step } from './check/step.ts'
import { again, bun, tester } from './check/testing.ts'
import { installDependencies } from './install.ts'
import { sayAs } from './processes/terminal.ts'
import { HOW_TO_GET_IT as HOW_TO_GET_A_BROWSER, systemBrowser } from './servers/systemBrowser.ts'
import { HOW_TO_GET_IT, systemPostgres } from './servers/systemPostgres.ts'

const ROOT = join(import.meta.dirname, '..')
/** What each file took when it was measured last: by `UPDATE_TIMINGS=1`, for the balance of the rows. */
const TIMINGS = join(ROOT, 'test/timings.json')
/** Beside two rows: all of them wait for blocks and for processes that start, so that fewer leave two cores idle. */
const WORKERS = 3
/** Few customers make a seed short; the simulator's own command runs long ones. */
const SEEDS = '--first 101 --seeds 15 --customers 3'
/** Where contracts/bin/solc.js keeps what it compiled. */
const COMPILED = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'remit/contracts')
/** What linting, types and the contracts take beside the pool. */
const SOURCES_MS = existsSync(COMPILED) ? 95_000 : 245_000

const local = (name: string) => join(ROOT, 'node_modules/.bin', name)
const contracts = (command: string) => [bun, 'contracts/build.ts', ...command.split(' ')]

const SOURCES: readonly Step[] = [
  { name: 'lint', command: [bun, local('biome'), 'check', '.'], again: again('lint') },
  {
    name: 'types',
    // One checker checks nothing twice, and the pool has the other core.
    command: [bun, local('tsc'), '--noEmit', '--checkers', '1'],
    // Collecting garbage would be a seventh of its work.
    variables: { GOGC: 'off', GOMEMLIMIT: '4GiB' },
    again: again('typecheck'),
  },
  {
    name: 'contract artifacts',
    command: contracts('artifacts --check'),
    again: again('contracts artifacts --check'),
  },
  { name: 'contract gas', command: contracts('gas'), again: again('contracts gas') },
  {
    name: 'contract tests',
    command: contracts('test'),
    again: again('contracts test'),
    count: countForge,
  },
]

const SIMULATION: Step = {
  name: 'seeds of the simulator',
  command: [bun, 'test/simulation/main.ts', ...SEEDS.split(' ')],
  again: again(`simulate ${SEEDS}`),
  count: countSeeds,
}

async function main(run: Run): Promise<number> {
  const since = beginning()
  const say = sayAs('check')
  await installDependencies(ROOT, say)
  const hasBrowser = await whole(run, systemBrowser(say, run.stopped))
  if (!hasBrowser) say(HOW_TO_GET_A_BROWSER)
  const native = await whole(run, systemPostgres(say, run.stopped))
  if (native === null) say(HOW_TO_GET_IT)
  const results = await runBeside(rows(run, hasBrowser, native), ROOT, run.stopped)
  if (run.stopped.aborted) return 1
  if (process.env.UPDATE_TIMINGS) writeTimings(TIMINGS, measuredBy(results))
  return await conclude(results, since)
}

/** A pool of workers and two rows, which end at about the same time. Processes and pages wait, so the pool has them. */
function rows(run: Run, hasBrowser: boolean, native: string | null): Row[] {
  const timings = readTimings(TIMINGS)
  const all = testFiles(ROOT)
  const pages = hasBrowser ? all.filter(isBrowsing) : []
  const store = all.filter(isOfStore)
  const waiting = [...pages, ...all.filter(isOfProcesses)]
  const { row, pool } = balance(all.filter(isOther), waiting, {
    ...{ fixedMs: SOURCES_MS, timings, workers: WORKERS },
  })
  const testing = tester(run, timings, 'check')
  // On the oldest server that operators may have; `check:long` runs those of the store on the embedded one.
  const onNative = native === null ? {} : { variables: { TEST_POSTGRES: native } }
  const shared = ['--no-isolate', `--parallel=${WORKERS}`]
  const ofStore = testing(`store tests on ${native ?? 'the embedded server'}`, store)
  // Without files `bun test` would run every file that there is.
  const others = row.length === 0 ? [] : [testing('other tests', row)]
  return [
    {
      margin: 'pool    | ',
      steps: [testing('tests of processes, pages and others', pool, shared)],
    },
    { margin: 'sources | ', steps: [...SOURCES, ...others] },
    { margin: 'store   | ', steps: [SIMULATION, { ...ofStore, ...onNative }] },
  ]
}

await runAlone(main)
