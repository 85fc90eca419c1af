import { readdirSync, readFileSync } from 'node:fs'
import { createHome, type DevStack, startDevStack } from '../../test/support/servers/devStack.ts'
import { familyOf, isGone, type ProcessorTime, timeOf, timeOfFamily } from '../process.ts'
import type { Report } from '../report.ts'

/** The development stack at rest: what share of one core each of its processes takes, and how long it starts. */

/** After the start: what it does once is over, and what it does each second is compiled. */
const SETTLING_MS = 240_000

export async function measureStack(report: Report, seconds: number): Promise<void> {
  const { home, remove } = createHome()
  try {
    const first = await startDevStack(home)
    await first.stop()
    const stack = await startDevStack(home)
    try {
      await Bun.sleep(SETTLING_MS)
      const before = readTimes(stack)
      await Bun.sleep(seconds * 1000)
      const after = readTimes(stack)
      const rows = [...after].map(([name, { user, system }]) => {
        const start = before.get(name) ?? { user: 0, system: 0 }
        return { name, user: user - start.user, system: system - start.system }
      })
      const percent = (value: number) => `${((value * 100) / seconds).toFixed(1)} %`
      const all = {
        name: 'in all',
        user: rows.reduce((sum, { user }) => sum + user, 0),
        system: rows.reduce((sum, { system }) => sum + system, 0),
      }
      report.table(
        'Development stack at rest',
        `Shares of one core while two chains with blocks of one second run and nothing happens, over ${seconds} s. A cold start took ${first.secondsToReady.toFixed(1)} s, a warm one ${stack.secondsToReady.toFixed(1)} s.`,
        [
          ['process', 'in all', 'system'],
          ...[all, ...rows]
            .toSorted((a, b) => b.user + b.system - a.user - a.system)
            .map(({ name, user, system }) => [name, percent(user + system), percent(system)]),
        ],
      )
    } finally {
      await stack.stop()
    }
  } finally {
    remove()
  }
}

/** By name, of every process of the stack. Postgres is one, with its sessions. */
function readTimes({ home }: DevStack): Map<string, ProcessorTime> {
  const times = new Map<string, ProcessorTime>()
  const own = readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0 && belongs(pid, home))
  for (const pid of new Set(own.flatMap(familyOf))) {
    const name = nameOf(pid)
    if (name === null || isSession(pid)) continue
    const time = name === 'postgres' ? timeOfFamily(pid) : timeOf(pid)
    const before = times.get(name) ?? { user: 0, system: 0 }
    times.set(name, { user: before.user + time.user, system: before.system + time.system })
  }
  return times
}

function belongs(pid: number, home: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home)
  } catch {
    // It has just ended, or is no one's to read.
    return false
  }
}

/** Whether it is a process that Postgres has started. */
function isSession(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: ')
}

/** The script that it runs, or the program; null when it has ended. */
function nameOf(pid: number): string | null {
  try {
    const [program = '', script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const ofScript = script.endsWith('.ts') ? script : program
    return (
      ofScript
        .split('/')
        .slice(script.endsWith('.ts') ? -2 : -1)
        .join('/') || null
    )
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}
