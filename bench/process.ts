import { readdirSync, readFileSync } from 'node:fs'
import { hasErrorCode } from '../dev/processes/inspect.ts'

/** What the system knows of a running process: proc(5) of Linux. */

/** Resident memory in bytes. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** How long it has been computing, with all its threads, in seconds. The clock goes in steps of 10 ms. */
export function computingOf(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** How long Postgres has been computing, with the sessions that have ended, in seconds. */
export function postgresComputing(pid: number): number {
  const fields = statOf(pid)
  const ended = (Number(fields[13]) + Number(fields[14])) / 100
  return childrenOf(pid).reduce((sum, child) => sum + computedBy(child), computedBy(pid) + ended)
}

function computedBy(pid: number): number {
  try {
    return computingOf(pid)
  } catch (error) {
    // A session that has just ended: it is among those that its parent counts.
    if (isGone(error)) return 0
    throw error
  }
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

function isGone(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ESRCH')
}
