/**
 * What is left of a child: an entry point may have processes of its own (the indexer runs Ponder),
 * which survive when only the entry point is killed. They share its process group.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { hasCode, identify, signalProcess, waitUntil } from './child.ts'

/**
 * Ends every process that is still in the group of a child, by the given signal first. `marker` is
 * text of the environment that every child of ours inherits (such as `REMIT_HOME=/x`): a number
 * that the system has given to somebody else since is left alone.
 */
export async function endGroup(
  group: number,
  signal: NodeJS.Signals,
  marker: string,
): Promise<boolean> {
  const members = () => membersOf(group).filter((pid) => carries(pid, marker))
  if (members().length === 0) return false
  for (const pid of members()) signalProcess(pid, signal)
  const gone = () => members().length === 0
  if (!(await waitUntil(gone, 5_000))) {
    for (const pid of members()) signalProcess(pid, 'SIGKILL')
    await waitUntil(gone, 5_000)
  }
  return true
}

function carries(pid: number, marker: string): boolean {
  if (existsSync('/proc/self/environ')) {
    return procText(pid, 'environ').split('\0').includes(marker)
  }
  const listed = Bun.spawnSync(['ps', '-E', '-ww', '-o', 'command=', '-p', String(pid)]).stdout
  return listed.toString().includes(marker)
}

/** The running processes of a group that was the session of a child of ours. */
function membersOf(group: number): number[] {
  if (existsSync('/proc/self/stat')) {
    const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))
    return pids.map(Number).filter((pid) => isMember(pid, group) && identify(pid) !== undefined)
  }
  const listed = Bun.spawnSync(['ps', '-A', '-o', 'pid=,pgid=']).stdout.toString().split('\n')
  const rows = listed.map((line) => line.trim().split(/\s+/).map(Number))
  return rows.filter((row) => row[1] === group).flatMap((row) => row[0] ?? [])
}

function isMember(pid: number, group: number): boolean {
  const fields = procText(pid, 'stat').split(') ').pop()?.split(' ') ?? []
  // Field 5 is the group and field 6 the session; ours are both the child's PID.
  return Number(fields[2]) === group && Number(fields[3]) === group
}

/** A file about a process; empty when it has ended or is not ours to look into. */
function procText(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch (error) {
    const isGone = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].some((code) => hasCode(error, code))
    if (isGone) return ''
    throw error
  }
}
