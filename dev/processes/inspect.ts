/**
 * Information about running processes: from /proc on
 * Linux, otherwise from `ps`.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

const HAS_PROC = existsSync('/proc/self/stat')

/**
 * Identifies the process of a PID, so that a reused PID is not
 * mistaken for ours: boot and start time on Linux, the start date elsewhere. Undefined if no such
 * process is running (a zombie counts as ended).
 */
export function identify(pid: number): string | undefined {
  if (!HAS_PROC) return ps('-o', 'lstart=', '-p', String(pid)) || undefined
  const stat = statOf(pid)
  const [state, startTime] = [stat[0], stat[19]]
  if (!state || startTime === undefined || 'ZX'.includes(state)) return undefined
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTime}`
}

/** The command line of a running process, its arguments separated by spaces. */
export function commandLine(pid: number): string | undefined {
  if (identify(pid) === undefined) return undefined
  if (!HAS_PROC) return ps('-o', 'command=', '-p', String(pid))
  return procFile(pid, 'cmdline').replaceAll('\0', ' ').trim()
}

/** Whether a process was started with this entry (`NAME=value`) in its environment. */
export function hasInEnvironment(pid: number, entry: string): boolean {
  if (HAS_PROC) return procFile(pid, 'environ').split('\0').includes(entry)
  return ps('-E', '-ww', '-o', 'command=', '-p', String(pid)).includes(entry)
}

/** The running processes with this working directory (on Linux). */
export function processesIn(directory: string): number[] {
  return pids().filter((pid) => ignoreMissing(() => readlinkSync(`/proc/${pid}/cwd`)) === directory)
}

/** The running processes of a group that was the session of our child. */
export function processesOfGroup(leader: number): number[] {
  if (HAS_PROC) {
    return pids().filter((pid) => {
      const [, , group, session] = statOf(pid).map(Number)
      return group === leader && session === leader && identify(pid) !== undefined
    })
  }
  const rows = ps('-A', '-o', 'pid=,pgid=').split('\n')
  const numbers = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return numbers.filter(([, group]) => group === leader).flatMap(([pid]) => pid ?? [])
}

/** The ancestors of a process, the nearest first (on Linux). */
export function ancestors(pid: number, generations: number): number[] {
  const parent = Number(statOf(pid)[1])
  return generations > 0 && parent > 1 ? [parent, ...ancestors(parent, generations - 1)] : []
}

/** All descendants of this process. */
export function descendantsOf(ancestor: number): number[] {
  const parents = HAS_PROC
    ? pids().map((pid) => [pid, Number(statOf(pid)[1])] as const)
    : ps('-A', '-o', 'pid=,ppid=')
        .split('\n')
        .map((row) => row.trim().split(/\s+/).map(Number))
        .map(([pid = 0, parent = 0]) => [pid, parent] as const)
  const children = Map.groupBy(parents, ([, parent]) => parent)
  const below = (parent: number): number[] =>
    (children.get(parent) ?? []).flatMap(([pid]) => [pid, ...below(pid)])
  return below(ancestor).filter((pid) => identify(pid) !== undefined)
}

/** Zombies among the children of this process (on Linux). */
export function endedChildren(): number[] {
  const own = String(process.pid)
  return pids().filter((pid) => {
    const [state, parent] = statOf(pid)
    return state === 'Z' && parent === own
  })
}

export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** State, parent, group, session and further fields: proc_pid_stat(5). Empty if the process has ended. */
function statOf(pid: number): string[] {
  // They follow the name in parentheses, which may contain any character.
  return procFile(pid, 'stat').split(') ').pop()?.split(' ') ?? []
}

function pids(): number[] {
  if (!HAS_PROC) return []
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
}

/** A file about a process; empty if the process has ended or is not readable. */
function procFile(pid: number, name: string): string {
  return ignoreMissing(() => readFileSync(`/proc/${pid}/${name}`, 'utf8')) ?? ''
}

/** A process may end between two reads, or belong to another user. */
function ignoreMissing(read: () => string): string | undefined {
  try {
    return read()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

function ps(...args: readonly string[]): string {
  return Bun.spawnSync(['ps', ...args])
    .stdout.toString()
    .trim()
}
