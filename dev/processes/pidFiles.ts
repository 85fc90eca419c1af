/** PID files, by which a later launcher recognises orphans of a killed one. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { stopProcess } from './child.ts'
import { identify } from './inspect.ts'

export function writePidFile(path: string, pid: number, note = ''): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, `${pid}\n${identify(pid) ?? ''}\n${note}\n`)
  renameSync(`${path}.new`, path)
}

export function removePidFile(path: string): void {
  rmSync(path, { force: true })
}

/** The content of a PID file, if that process is still running. */
export function readOrphan(path: string): { pid: number; note: string } | undefined {
  if (!existsSync(path)) return undefined
  const [first, identity, note] = readFileSync(path, 'utf8').split('\n')
  const pid = Number(first)
  if (!Number.isSafeInteger(pid) || pid <= 1 || !identity) return undefined
  return identify(pid) === identity ? { pid, note: note ?? '' } : undefined
}

/** Stops the process of a PID file, if it is still running; returns whether it was. */
export async function stopOrphan(
  path: string,
  signal: NodeJS.Signals,
  graceMs?: number,
): Promise<boolean> {
  const orphan = readOrphan(path)
  if (orphan !== undefined) await stopProcess(orphan.pid, signal, graceMs)
  removePidFile(path)
  return orphan !== undefined
}
