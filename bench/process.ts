import { readFileSync } from 'node:fs'

/** What the system knows of a running process: proc(5) of Linux. */

/** Resident memory in bytes. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** How long it has been computing, with all its threads, in seconds. The clock goes in steps of 10 ms. */
export function computingOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the command, which may hold spaces.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
