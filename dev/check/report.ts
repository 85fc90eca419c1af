/** What a run of the check ends with: where its time went, what failed, and the counts. */
import { existsSync, readFileSync } from 'node:fs'
import { endDescendants, processorTime } from '../processes/orphans.ts'
import { readTimings, type Timings } from './files.ts'
import type { Result } from './step.ts'

const SLOWEST = 20

/** What the system has counted since it started; null where it doesn't report it. */
interface Counters {
  readonly forks: number | null
  readonly connections: number | null
}

/** Processes and threads that were started, and TCP connections that were opened, by all on this machine. */
function readCounters(): Counters {
  const forks = /^processes (\d+)$/m.exec(contents('/proc/stat'))?.[1]
  // The fifth figure counts those that began here: netstat(8), ActiveOpens.
  const opened = /^Tcp: (?:-?\d+ ){4}(\d+) /m.exec(contents('/proc/net/snmp'))?.[1]
  return { forks: numberOrNull(forks), connections: numberOrNull(opened) }
}

/** What `conclude` needs of the moment when a run began. */
export function beginning() {
  return { ms: performance.now(), counters: readCounters() }
}

/** Prints what a run has cost, what failed, and the totals alone on the last line. The answer is an exit code. */
export async function conclude(
  results: readonly Result[],
  since: ReturnType<typeof beginning>,
): Promise<number> {
  // Remaining processes were forgotten or are ending; they count once they have ended.
  await endDescendants()
  const seconds = (performance.now() - since.ms) / 1000
  const used = { seconds, ...processorTime() }
  console.log(`\n${costs(results, used, since.counters, readCounters())}`)
  const failed = failureReport(results)
  if (failed !== '') console.log(`\n${failed}`)
  const total = (name: 'passed' | 'failed') => results.reduce((sum, { [name]: n }) => sum + n, 0)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
  return total('failed') === 0 ? 0 : 1
}

/** The milliseconds of every file that these steps ran. */
export function measuredBy(results: readonly Result[]): Timings {
  return new Map(
    results.flatMap(({ step: { measured } }) => {
      if (measured === undefined) return []
      const timings = readTimings(measured.path)
      return measured.files.flatMap((file): [string, number][] => {
        const name = file.replace(/^\.\//, '')
        const ms = timings.get(name)
        return ms === undefined ? [] : [[name, ms]]
      })
    }),
  )
}

/** Where the time went. `used` is the processor time of the whole run, in seconds. */
function costs(
  results: readonly Result[],
  used: { seconds: number; user: number; system: number },
  before: Counters,
  after: Counters,
): string {
  const slowest = [...measuredBy(results)].sort(([, a], [, b]) => b - a).slice(0, SLOWEST)
  const since = (name: keyof Counters) => {
    const [from, to] = [before[name], after[name]]
    return from === null || to === null ? 'unknown' : String(to - from)
  }
  return [
    'The slowest files, in seconds:',
    ...slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)}  ${file}`),
    '',
    'Seconds, and those of processor by programs and by the system:',
    ...results.map(({ step, seconds, user, system }) => line(step.name, seconds, user, system)),
    line('all of it', used.seconds, used.user, used.system),
    `Processes and threads started on this machine meanwhile: ${since('forks')}; TCP connections opened: ${since('connections')}`,
  ].join('\n')
}

/** Names, messages, and the command that runs only these; empty when nothing failed. */
function failureReport(results: readonly Result[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0)
  if (failed.length === 0) return ''
  const texts = failed.flatMap(({ failures }) =>
    failures.map(({ file, text }) => `${file === null ? '' : `${file}:\n`}${text}`),
  )
  const commands = failed.flatMap(({ again }) => again)
  return [...texts, `Only what failed:\n${commands.join(' ; ')}`].join('\n\n')
}

function line(name: string, ...seconds: readonly number[]): string {
  return `${seconds.map((part) => part.toFixed(1).padStart(7)).join('')}  ${name}`
}

function contents(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function numberOrNull(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}
