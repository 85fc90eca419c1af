/**
 * `bun run check`: everything that must hold before a change lands, from a fresh clone. It installs,
 * lints, type-checks, runs Foundry and all tests, and ends with one line that counts them.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { failuresIn } from './failures.ts'
import { installDependencies } from './install.ts'
import { sayAs } from './processes/terminal.ts'
import { HOW_TO_GET_IT as HOW_TO_GET_A_BROWSER, systemBrowser } from './servers/systemBrowser.ts'
import { HOW_TO_GET_IT, systemPostgres } from './servers/systemPostgres.ts'

const ROOT = join(import.meta.dirname, '..')

interface Tally {
  passed: number
  failed: number
  /** What the failed tests printed. */
  failures?: string
}

interface Step {
  readonly name: string
  readonly command: readonly string[]
  /** Besides the variables of this process. */
  readonly variables?: Readonly<Record<string, string>>
  /** Reads the counts that a test runner printed; a step without counts itself as one. */
  readonly count?: (output: string) => Tally | null
}

/** Steps that run one after the other, beside another row of them. */
interface Row {
  /** Stands before each line, to tell it from those of the other row. */
  readonly margin: string
  readonly steps: readonly Step[]
}

const bun = process.execPath
const local = (name: string) => join(ROOT, 'node_modules/.bin', name)

const SOURCES: Row = {
  margin: '    | ',
  steps: [
    { name: 'lint', command: [bun, local('biome'), 'check', '.'] },
    { name: 'types', command: [bun, local('tsc'), '--noEmit'] },
  ],
}

/** Compiling them keeps one core busy for a minute or two. */
const CONTRACTS: readonly Step[] = [
  { name: 'contract artifacts', command: [bun, 'contracts/build.ts', 'artifacts', '--check'] },
  { name: 'contract tests', command: [bun, 'contracts/build.ts', 'test'], count: countForge },
  { name: 'contract gas', command: [bun, 'contracts/build.ts', 'gas'] },
]

/** These run on both servers, since plans differ. */
const isOfPlans = (file: string) => /^\.\/bench\/history\//.test(file)
/** Many of these wait for blocks and for processes that start: three rows keep two cores busy. */
const isWaiting = (file: string) => /^\.\/test\/(e2e|dev|metrics)\//.test(file)
const isActing = (file: string) => /^\.\/test\/(workers|x402|indexer|chain\/rpc)\//.test(file)

/** Of these `check:long` takes care: they would take the check minutes. */
const isLong = (file: string) => /^\.\/(test\/indexer\/survival|bench\/amsterdam\/)/.test(file)

/** These need a browser. */
const isBrowsing = (file: string) =>
  /^\.\/test\/web\/(?!assets|auditNames|language|refusals)/.test(file)
/** These run on the server that operators have, where there is one; all others run on the embedded one. */
const isOfStore = (file: string) => /^\.\/test\/store\//.test(file)
const isOther = (file: string) =>
  ![isWaiting, isActing, isBrowsing, isOfStore].some((isOfRow) => isOfRow(file))

async function main(): Promise<void> {
  const say = sayAs('check')
  await installDependencies(ROOT, say)
  const hasBrowser = await withBrowser(say)
  const tests: readonly Row[] = [
    { margin: 'e2e | ', steps: [testing('end-to-end tests, and those of processes', isWaiting)] },
    {
      margin: 'act | ',
      steps: [testing('tests of workers, x402, nodes and the indexer', isActing)],
    },
    {
      margin: '    | ',
      steps: [
        ...CONTRACTS,
        testing('other tests', isOther),
        ...(hasBrowser ? [testing('tests of pages', isBrowsing)] : []),
        ...(await storeTests(say)),
      ],
    },
  ]
  const tallies = [...(await runBeside([SOURCES])), ...(await runBeside(tests))]
  const total = (name: 'passed' | 'failed') => tallies.reduce((sum, tally) => sum + tally[name], 0)
  for (const { failures } of tallies) if (failures) console.log(`\n${failures}`)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
  process.exitCode = total('failed') === 0 ? 0 : 1
}

async function withBrowser(say: (sentence: string) => void): Promise<boolean> {
  const installing = systemBrowser(say, stopping.signal)
  preparing = installing
  const hasBrowser = await installing
  if (!hasBrowser) say(HOW_TO_GET_A_BROWSER)
  return hasBrowser
}

/** On the oldest server that operators may have; `check:long` runs those of the store on the embedded one. */
async function storeTests(say: (sentence: string) => void): Promise<Step[]> {
  const installing = systemPostgres(say, stopping.signal)
  preparing = installing
  const native = await installing
  if (native === null) {
    say(HOW_TO_GET_IT)
    return [testing('store tests', isOfStore)]
  }
  const step = testing(`store tests on ${native}`, (file) => isOfStore(file) || isOfPlans(file))
  return [{ ...step, variables: { TEST_POSTGRES: native } }]
}

const underWay = new Set<Bun.Subprocess>()
const stopping = new AbortController()
/** Leaves the machine as it was, also when it is interrupted. */
let preparing: Promise<unknown> = Promise.resolve()

/** Whoever ends the check ends what it started: the servers of a test run end with the run. */
function end(): void {
  // The second time at once.
  if (stopping.signal.aborted) process.exit(1)
  stopping.abort()
  for (const child of underWay) child.kill('SIGTERM')
  preparing.catch(() => undefined).finally(() => process.exit(1))
}

async function runBeside(rows: readonly Row[]): Promise<Tally[]> {
  const tallies = rows.map(async ({ margin, steps }) => {
    const done: Tally[] = []
    for (const step of steps) done.push(await run(step, margin))
    return done
  })
  return (await Promise.all(tallies)).flat()
}

/** Runs one step, shows what it prints, and counts. A runner that fails silently counts as failed. */
async function run(step: Step, margin: string): Promise<Tally> {
  const started = performance.now()
  console.log(`\n== ${step.name}`)
  const child = Bun.spawn([...step.command], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...step.variables, NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  underWay.add(child)
  const [output, errors, code] = await Promise.all([
    show(child.stdout, process.stdout, margin),
    show(child.stderr, process.stderr, margin),
    child.exited,
  ])
  underWay.delete(child)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`== ${step.name}: ${code === 0 ? 'ok' : `exit code ${code}`} after ${seconds} s`)
  if (!step.count) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  const counted = step.count(output + errors)
  if (!counted) return { passed: 0, failed: 1 }
  const failures = failuresIn(output + errors)
  return { ...counted, failed: code === 0 ? counted.failed : Math.max(counted.failed, 1), failures }
}

/** Passes on what a step prints, in whole lines. The answer is all of it. */
async function show(
  from: ReadableStream<Uint8Array>,
  to: NodeJS.WriteStream,
  margin: string,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let begun = ''
  for await (const chunk of from) {
    const part = decoder.decode(chunk, { stream: true })
    text += part
    const lines = `${begun}${part}`.split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) to.write(`${margin}${line}\n`)
  }
  if (begun !== '') to.write(`${margin}${begun}\n`)
  return text
}

function testing(name: string, isWanted: (file: string) => boolean): Step {
  const files = testFiles().filter(isWanted)
  return { name, command: [bun, 'test', '--timeout', '120000', ...files], count: countBun }
}

/** Every file of tests, wherever it is. */
function testFiles(): string[] {
  const glob = new Bun.Glob('**/*.test.ts')
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(node_modules|\..*)$/.test(entry.name))
    .flatMap(({ name }) =>
      [...glob.scanSync({ cwd: join(ROOT, name) })].map((file) => `./${name}/${file}`),
    )
    .filter((file) => !file.includes('/node_modules/') && !isLong(file))
    .sort()
}

function countBun(output: string): Tally | null {
  const passed = output.match(/^\s*(\d+) pass$/m)
  const failed = output.match(/^\s*(\d+) fail$/m)
  return passed && failed ? { passed: Number(passed[1]), failed: Number(failed[1]) } : null
}

function countForge(output: string): Tally | null {
  const suites = [...output.matchAll(/(\d+) passed; (\d+) failed; \d+ skipped; finished/g)]
  if (suites.length === 0) return null
  return suites.reduce<Tally>(
    (sum, [, passed, failed]) => ({
      passed: sum.passed + Number(passed),
      failed: sum.failed + Number(failed),
    }),
    { passed: 0, failed: 0 },
  )
}

process.on('SIGINT', end)
process.on('SIGTERM', end)
await main()
