import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../dev/processes/child.ts'
import { hasErrorCode } from '../../dev/processes/inspect.ts'
import { familyOf } from '../process.ts'

/**
 * Limits of processor time for single processes: control groups of Linux, of version 1 (`cpu.cfs_quota_us`) or
 * version 2 (`cpu.max`), whichever this machine has with a `cpu` controller.
 */
export interface Quotas {
  /** Which control groups these are. */
  readonly version: 1 | 2
  /** Holds a process, with those that it has started and will start, to `cores` of a processor. */
  hold(pid: number, cores: number): void
  /** Removes the limit of a process. */
  free(pid: number): void
  /** Removes the groups. Processes in them have ended, or are freed. */
  close(): Promise<void>
}

/** Short, so that a process that has used up its time pauses for less than that. */
const PERIOD_US = 50_000
const REMOVED_WITHIN_MS = 5_000

/** Where groups of this process can be made, and where it is itself. */
interface Place {
  readonly version: 1 | 2
  readonly parent: string
  readonly own: string
}

/** @throws Error with what is missing if no group can be created here. */
export function openQuotas(): Quotas {
  const { version, parent, own } = placeOf()
  const groups = new Map<number, string>()
  const move = (pid: number, group: string) => write(join(group, 'cgroup.procs'), String(pid))
  const free = (pid: number) => {
    const group = groups.get(pid)
    if (group === undefined) return
    for (const inside of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n')) {
      if (inside !== '') move(Number(inside), own)
    }
  }
  return {
    version,
    hold(pid, cores) {
      const group = groups.get(pid) ?? join(parent, `remit-bench-${process.pid}-${pid}`)
      if (!groups.has(pid)) make(group)
      groups.set(pid, group)
      const quota = String(Math.round(cores * PERIOD_US))
      if (version === 2) write(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`)
      else {
        write(join(group, 'cpu.cfs_period_us'), String(PERIOD_US))
        write(join(group, 'cpu.cfs_quota_us'), quota)
      }
      for (const one of familyOf(pid)) move(one, group)
    },
    free,
    async close() {
      for (const [pid, group] of groups) {
        free(pid)
        await waitUntil(() => isRemoved(group), REMOVED_WITHIN_MS)
      }
      groups.clear()
    },
  }
}

function placeOf(): Place {
  const mounts = lines('/proc/mounts').map((line) => line.split(' '))
  const groups = lines('/proc/self/cgroup').map((line) => line.split(':'))
  const v1 = mounts.find(([, , type, flags]) => type === 'cgroup' && hasWord(flags, 'cpu'))
  if (v1?.[1] !== undefined) {
    const path = groups.find(([, controllers]) => hasWord(controllers, 'cpu'))?.[2] ?? '/'
    const own = join(v1[1], path)
    return { version: 1, parent: own, own }
  }
  const v2 = mounts.find(([, , type]) => type === 'cgroup2')?.[1]
  if (v2 === undefined) throw new Error('no control groups are mounted here (cgroup or cgroup2)')
  // A group of version 2 that limits its children holds no process itself: ours are beside our own.
  write(join(v2, 'cgroup.subtree_control'), '+cpu')
  return { version: 2, parent: v2, own: join(v2, groups.find(([id]) => id === '0')?.[2] ?? '/') }
}

function lines(file: string): string[] {
  return readFileSync(file, 'utf8').trim().split('\n')
}

function hasWord(list: string | undefined, word: string): boolean {
  return list?.split(',').includes(word) === true
}

/** A process that has just ended stays in its group for a moment. */
function isRemoved(group: string): boolean {
  try {
    rmdirSync(group)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EBUSY')) return false
    throw error
  }
}

function make(group: string): void {
  try {
    mkdirSync(group)
  } catch (cause) {
    throw new Error(`the control group ${group} can't be made: run this as root`, { cause })
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new Error(`${file} can't be written: processor time can't be limited here`, { cause })
  }
}
