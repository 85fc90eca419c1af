import { readFileSync } from 'node:fs'
import { descendantsOf } from '../../dev/processes/inspect.ts'

/** The processor time of this process and of the servers that it has started, in s since their beginnings. */
export function processorS(): { readonly own: number; readonly servers: number } {
  const { user, system } = process.cpuUsage()
  const ticks = descendantsOf(process.pid).map(ticksOf)
  const sum = ticks.reduce((total, each) => total + each, 0)
  return { own: (user + system) / 1e6, servers: sum / TICKS_PER_S }
}

const TICKS_PER_S = 100

/** What a process has used, and its children that have ended, where the system reports it, as Linux does. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((total, field) => total + Number(field), 0)
  } catch {
    return 0
  }
}
