/** One command of the check: it is run, shown, and counted. */
import { commandFor, type Failure, failuresIn, lastFileOf } from './failures.ts'

/** Of what a step printed that no test of it explains. */
const LAST_LINES = 30
/**
 * Bun's allocator keeps what was freed: giving memory back and taking it again is a sixth of a test's processor
 * time where the kernel is virtualised.
 */
const KEEPS_MEMORY = { MIMALLOC_PURGE_DELAY: '-1' }

export interface Step {
  readonly name: string
  readonly command: readonly string[]
  /** Besides the variables of this process. */
  readonly variables?: Readonly<Record<string, string>>
  /** Reads the counts that a test runner printed; a step without counts itself as one. */
  readonly count?: (output: string) => Tally | null
  /** The command to run by hand when it failed and no file of it did. */
  readonly again: string
  /** Where `bun test` leaves the milliseconds of these files. */
  readonly measured?: { readonly path: string; readonly files: readonly string[] }
}

/** Steps that run one after the other, beside another row of them. */
export interface Row {
  /** The prefix of each line, to distinguish it from those of the other row. */
  readonly margin: string
  readonly steps: readonly Step[]
}

export interface Tally {
  readonly passed: number
  readonly failed: number
}

export interface Result extends Tally {
  readonly step: Step
  readonly failures: readonly Failure[]
  /** Commands that run only what failed. */
  readonly again: readonly string[]
  readonly seconds: number
  /** Seconds of processor, of all that it started and saw end. */
  readonly user: number
  readonly system: number
}

/** Runs rows side by side, in the folder `root`; no further step begins once it is stopped. */
export async function runBeside(
  rows: readonly Row[],
  root: string,
  stopped: AbortSignal,
): Promise<Result[]> {
  const results = rows.map(async ({ margin, steps }) => {
    const done: Result[] = []
    for (const step of steps) {
      if (stopped.aborted) break
      done.push(await run(step, margin, root))
    }
    return done
  })
  return (await Promise.all(results)).flat()
}

/** Runs one step and shows what it prints. A runner that fails silently, or counts nothing, counts as failed. */
async function run(step: Step, margin: string, cwd: string): Promise<Result> {
  const started = performance.now()
  console.log(`\n== ${step.name}`)
  const child = Bun.spawn([...step.command], {
    cwd,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...KEEPS_MEMORY, ...process.env, ...step.variables, NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  const [output, errors] = await Promise.all([
    show(child.stdout, process.stdout, margin),
    show(child.stderr, process.stderr, margin),
    child.exited,
  ])
  const { exitCode, signalCode } = child
  const seconds = (performance.now() - started) / 1000
  const how = exitCode === 0 ? 'ok' : String(signalCode ?? `exit code ${exitCode}`)
  console.log(`== ${step.name}: ${how} after ${seconds.toFixed(1)} s`)
  const used = child.resourceUsage()?.cpuTime
  return {
    ...outcomeOf(step, output + errors, exitCode === 0 ? null : how),
    ...{
      step,
      seconds,
      user: Number(used?.user ?? 0) / 1e6,
      system: Number(used?.system ?? 0) / 1e6,
    },
  }
}

/**
 * What a step's output and end mean. `fault` is how it ended, null in order.
 */
export function outcomeOf(
  step: Step,
  output: string,
  fault: string | null,
): Tally & Pick<Result, 'failures' | 'again'> {
  const counted = step.count ? step.count(output) : { passed: fault ? 0 : 1, failed: fault ? 1 : 0 }
  const found = step.measured ? failuresIn(output) : []
  const isFine = counted !== null && counted.failed === 0 && fault === null
  if (isFine) return { ...counted, failures: [], again: [] }
  const how = counted ? (fault ?? 'failed') : `ended without counts (${fault ?? 'ok'})`
  const file = counted === null ? lastFileOf(output) : null
  const silent: Failure = { file, text: `${step.name}: ${how}\n${lastOf(output)}`.trim() }
  // Where nothing that failed was counted, or something failed that nothing names.
  const isUnnamed = found.length === 0 || counted === null
  return {
    passed: counted?.passed ?? 0,
    failed: Math.max(counted?.failed ?? 0, 1),
    failures: isUnnamed ? [...found, silent] : found,
    again: [(counted && commandFor(found, step.variables)) || step.again],
  }
}

function lastOf(output: string): string {
  return output.trim().split('\n').slice(-LAST_LINES).join('\n')
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

export function countBun(output: string): Tally | null {
  const passed = output.match(/^\s*(\d+) pass$/m)
  const failed = output.match(/^\s*(\d+) fail$/m)
  return passed && failed ? { passed: Number(passed[1]), failed: Number(failed[1]) } : null
}

export function countSeeds(output: string): Tally | null {
  const total = output.match(/^(\d+) seeds, (\d+) failed$/m)
  if (total === null) return null
  const failed = Number(total[2])
  return { passed: Number(total[1]) - failed, failed }
}

export function countForge(output: string): Tally | null {
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
