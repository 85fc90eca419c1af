import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stopAll } from '../support/servers/run.ts'
import { SimulatedChain } from './chain.ts'
import { NO_FAULTS } from './faults.ts'
import { replaceGlobals } from './globals.ts'
import { tryPlanted } from './planted/planted.ts'
import { real } from './real.ts'
import {
  type Line,
  lineOf,
  linesOf,
  type Planned,
  saveResult,
  summaryOf,
  withoutResult,
} from './results.ts'
import { CUSTOMERS, type Outcome, type RunOptions, simulate } from './run.ts'

/**
 * `bun run simulate`: runs the whole product in one process, with time, network and chain of its own. A seed decides
 * all that happens, and has the same hash whenever it is run.
 */

const { values } = parseArgs({
  options: {
    /** One, or several separated by commas. */
    seed: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    /** Without it the seeds of seeds.txt come first. */
    first: { type: 'string' },
    /** How many processes share the seeds. */
    jobs: { type: 'string', default: '1' },
    /** How often each seed runs, to compare its hashes. */
    repeat: { type: 'string', default: '1' },
    customers: { type: 'string', default: String(CUSTOMERS) },
    /** Names of rates (faults.ts), separated by commas, that are 0. */
    off: { type: 'string', default: '' },
    calm: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    /** How long what was begun may take when faults have ended, in s of virtual time. */
    patience: { type: 'string', default: '900' },
    /** How long things go wrong after the last customer has come, in s of virtual time; longer for more of them by default. */
    trouble: { type: 'string' },
    /** Ends at the first seed that fails. */
    stop: { type: 'boolean', default: false },
    /** Customers pay invoices by signature, and do nothing else. */
    signed: { type: 'boolean', default: false },
    /** Lets every second seed have workers that are hardly late: only those see a block when it is new. */
    mild: { type: 'boolean', default: false },
    /** Plants faults, and looks for the seeds that find them. */
    planted: { type: 'boolean', default: false },
    /** Plants those alone whose names have this, or one of several that `|` separates. */
    only: { type: 'string', default: '' },
    /** A file for a line of each event. */
    trace: { type: 'string' },
    /** A file for a line of each seed that has run; those that it has are not run again. */
    results: { type: 'string' },
    loud: { type: 'boolean', default: false },
    /** The processor that everything runs on. */
    core: { type: 'string' },
  },
})

/** What makes workers late. */
const HINDRANCES = ['death', 'pause', 'unwell', 'error', 'lockEveryMs']

/** Seeds that once failed, and then as many as asked for. */
function planned(): Planned[] {
  const off = values.off.split(',').filter((name) => name !== '')
  const customers = Number(values.customers)
  if (values.seed !== undefined) {
    return values.seed.split(',').map((seed) => ({ seed, customers, off }))
  }
  const all = Array.from({ length: Number(values.seeds) }, (_, i) =>
    String(Number(values.first ?? 1) + i),
  )
  const kept = values.first === undefined ? keptSeeds() : []
  const offOf = (i: number) => (values.mild && i % 2 === 0 ? [...off, ...HINDRANCES] : off)
  return [...kept, ...all.map((seed, i) => ({ seed, customers, off: offOf(i) }))]
}

/** `SEED CUSTOMERS OFF what it found`, with `-` for nothing off. */
function keptSeeds(): Planned[] {
  const text = readFileSync(join(import.meta.dir, 'seeds.txt'), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [seed = '', customers = String(CUSTOMERS), off = '-'] = line.split(/\s+/)
    return { seed, customers: Number(customers), off: off === '-' ? [] : off.split(',') }
  })
}

function print({
  seed,
  hash,
  events,
  virtualS,
  realS,
  cpuS,
  counts,
  failure,
  newest,
}: Outcome): void {
  const what = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  const cpu = `${(cpuS.own + cpuS.servers).toFixed(1)} s of processor time (${cpuS.servers.toFixed(1)} s of servers)`
  const figures = `${events} events, ${virtualS.toFixed(0)} s in ${realS.toFixed(1)} s, ${cpu}`
  const lines = failure === null ? [] : [...newest, `seed ${seed} failed: ${failure}`]
  process.stdout.write(
    `${[`seed ${seed}: ${hash}, ${figures}: ${what.join(', ')}`, ...lines].join('\n')}\n`,
  )
}

/** How much real time a seed may take, of which the longest takes a minute. */
const DEADLINE_MS = 900_000

async function runOne(chain: SimulatedChain, plan: Planned, time = 0): Promise<Outcome> {
  const lines: string[] = []
  // Repetitions have files of their own, to be compared.
  const trace = time === 0 ? values.trace : values.trace && `${values.trace}.${time}`
  const options: RunOptions = {
    ...{ isLoud: values.loud, isCalm: values.calm, customers: plan.customers, off: plan.off },
    isSigned: values.signed,
    patienceMs: 1_000 * Number(values.patience),
    ...(values.trouble === undefined ? {} : { troubleMs: 1_000 * Number(values.trouble) }),
    ...(trace === undefined ? {} : { onLine: (line) => void lines.push(line) }),
  }
  const deadline = real.setTimeout(() => {
    process.stdout.write(`seed ${plan.seed} stands still\n`)
    process.exit(1)
  }, DEADLINE_MS)
  const outcome = await simulate(plan.seed, chain, options)
  real.clearTimeout(deadline)
  if (trace !== undefined) writeFileSync(trace, `${lines.join('\n')}\n`)
  return outcome
}

/**
 * Stays on one processor with all servers that are started: one of them works at a time, and to wake another
 * processor costs more than what it is woken for.
 */
function stayOnCore(): void {
  const taskset = Bun.which('taskset')
  const core = Number(values.core ?? process.pid) % cpus().length
  if (taskset !== null) Bun.spawnSync([taskset, '-apc', String(core), String(process.pid)])
}

async function runHere(plans: readonly Planned[]): Promise<boolean> {
  stayOnCore()
  const chain = await SimulatedChain.start()
  replaceGlobals()
  let isGood = true
  const lines: Line[] = []
  for (const plan of plans) {
    const hashes = new Set<string>()
    if (!isGood && values.stop) break
    for (let i = 0; i < Number(values.repeat); i += 1) {
      const outcome = await runOne(chain, plan, i)
      print(outcome)
      if (values.results !== undefined) saveResult(values.results, plan, outcome)
      lines.push(lineOf(plan, outcome))
      hashes.add(outcome.hash)
      if (outcome.failure !== null) isGood = false
      if (outcome.failure !== null && values.shrink) await shrink(chain, plan)
    }
    if (hashes.size === 1) continue
    process.stdout.write(`seed ${plan.seed} has ${hashes.size} hashes\n`)
    isGood = false
  }
  await stopAll()
  if (lines.length > 1) process.stdout.write(`${summaryOf(lines)}\n`)
  return isGood
}

/** Looks for less business and fewer kinds of faults that fail as well. */
async function shrink(chain: SimulatedChain, first: Planned): Promise<void> {
  let least = first
  const isFailing = async (plan: Planned) => (await runOne(chain, plan)).failure !== null
  for (const name of Object.keys(NO_FAULTS)) {
    const fewer = { ...least, off: [...least.off, name] }
    if (await isFailing(fewer)) least = fewer
  }
  for (let customers = least.customers >> 1; customers > 0; customers >>= 1) {
    const fewer = { ...least, customers }
    if (!(await isFailing(fewer))) break
    least = fewer
  }
  const { seed, customers, off } = least
  process.stdout.write(
    `the least that fails: --seed ${seed} --customers ${customers} --off ${off.join(',')}\n`,
  )
}

/** How many seeds run in one process before another takes its place: what a process has used comes back with its end. */
const SEEDS_OF_A_PROCESS = 25

/** Shares the seeds among processes of their own. */
async function runApart(plans: readonly Planned[], jobs: number): Promise<boolean> {
  const shares = sharesOf(plans).values()
  const worker = async (core: number): Promise<boolean> => {
    let isGood = true
    for (const [{ customers, off }, ...seeds] of shares) {
      const args = ['--seed', seeds.join(','), '--customers', String(customers)]
      args.push('--off', off.join(','), '--repeat', values.repeat, '--core', String(core))
      if (values.calm) args.push('--calm')
      if (values.shrink) args.push('--shrink')
      if (values.results !== undefined) args.push('--results', values.results)
      const command = [process.execPath, import.meta.path, ...args]
      const child = Bun.spawn(command, { stdout: 'inherit', stderr: 'inherit' })
      if ((await child.exited) !== 0) isGood = false
    }
    return isGood
  }
  const all = await Promise.all(Array.from({ length: jobs }, (_, core) => worker(core)))
  return all.every((isGood) => isGood)
}

/** Seeds of one kind of plan together, as many as one process runs. */
function sharesOf(plans: readonly Planned[]): [Planned, ...string[]][] {
  const kinds = Map.groupBy(plans, ({ customers, off }) => `${customers} ${off.join(',')}`)
  return [...kinds.values()].flatMap((kind) => {
    const [first] = kind
    const shares: [Planned, ...string[]][] = []
    for (let at = 0; first !== undefined && at < kind.length; at += SEEDS_OF_A_PROCESS) {
      const seeds = kind.slice(at, at + SEEDS_OF_A_PROCESS).map(({ seed }) => seed)
      shares.push([first, ...seeds])
    }
    return shares
  })
}

async function main(): Promise<boolean> {
  const jobs = Number(values.jobs)
  const { results } = values
  if (values.planted) {
    await tryPlanted({
      ...{
        first: values.first ?? '1',
        seeds: Number(values.seeds),
        customers: Number(values.customers),
      },
      ...{ jobs, only: values.only },
      results: results ?? 'planted.jsonl',
    })
    await stopAll()
    return true
  }
  const plans = results === undefined ? planned() : withoutResult(planned(), results)
  if (jobs <= 1) return runHere(plans)
  const isGood = await runApart(plans, jobs)
  if (results !== undefined) process.stdout.write(`${summaryOf(linesOf(results))}\n`)
  return isGood
}

try {
  process.exit((await main()) ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  await stopAll()
  process.exit(1)
}
