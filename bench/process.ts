import { readdirSync, readFileSync } from 'node:fs'
import { hasErrorCode } from '../dev/processes/inspect.ts'

/** What the system knows of a running process: proc(5) of Linux. */

/** Resident memory in bytes. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** Seconds of processor time. The system's clock goes in steps of 10 ms. */
export interface ProcessorTime {
  readonly user: number
  readonly system: number
}

/** How long it has been computing, with all its threads, in seconds. */
export function computingOf(pid: number): number {
  const { user, system } = timeOf(pid)
  return user + system
}

/** The processor time of a process with all its threads, without its children. */
export function timeOf(pid: number): ProcessorTime {
  return readTime(statOf(pid), 11)
}

/** How long Postgres has been computing, with the sessions that have ended, in seconds. */
export function postgresComputing(pid: number): number {
  const { user, system } = timeOfFamily(pid)
  return user + system
}

/** Processor time in seconds by part, the load generator's among them, which is this process. */
export type Computed = Readonly<Record<string, number>>

/** Does some work, and tells how long each part has been computing meanwhile, by its first process. */
export async function computedDuring<T>(
  processes: Readonly<Record<string, number>>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly computed: Computed }> {
  const parts = Object.entries({ ...processes, load: process.pid })
  // Postgres has a process for each connection.
  const read = () =>
    parts.map(([part, pid]) => (part === 'Postgres' ? postgresComputing(pid) : computingOf(pid)))
  const before = read()
  const result = await work()
  const after = read()
  const computed = parts.map(([part], i) => [part, (after[i] ?? 0) - (before[i] ?? 0)])
  return { result, computed: Object.fromEntries(computed) }
}

/** What the parts computed in some rounds for each of so many pieces of work, in ms: a cell of a table. */
export function perPiece(rounds: readonly Computed[], pieces: number): string {
  const parts = Object.keys(rounds[0] ?? {})
  const msOf = (part: string) =>
    rounds.reduce((sum, computed) => sum + ((computed[part] ?? 0) * 1_000) / pieces, 0)
  return parts.map((part) => `${part} ${msOf(part).toFixed(2)}`).join(', ')
}

/** The processor time of a process, its children and theirs, also of those that have ended and were waited for. */
export function timeOfFamily(pid: number): ProcessorTime {
  const times = familyOf(pid).flatMap((one) => {
    try {
      const fields = statOf(one)
      return [readTime(fields, 11), readTime(fields, 13)]
    } catch (error) {
      // A process that has just ended is among those that its parent counts.
      if (isGone(error)) return []
      throw error
    }
  })
  return times.reduce(
    (sum, { user, system }) => ({ user: sum.user + user, system: sum.system + system }),
    { user: 0, system: 0 },
  )
}

/** A field of user time and the one of system time after it. */
function readTime(fields: readonly string[], at: number): ProcessorTime {
  return { user: Number(fields[at]) / 100, system: Number(fields[at + 1]) / 100 }
}

/** A process and those that it has started, and they. */
export function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)]
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((one) => Number.isInteger(one) && parentOf(one) === pid)
}

function parentOf(pid: number): number {
  try {
    return Number(statOf(pid)[1])
  } catch (error) {
    if (isGone(error)) return 0
    throw error
  }
}

/** From the third field on: the second is the command, which may hold spaces. */
function statOf(pid: number): string[] {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

export function isGone(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ESRCH')
}
