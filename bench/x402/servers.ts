import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Variables } from '../../core/config/reader.ts'
import {
  lastLines,
  spawnDetached,
  stopOnParentDeath,
  stopProcess,
  waitUntil,
} from '../../dev/processes/child.ts'

const ROOT = join(import.meta.dirname, '../..')
const UP_WITHIN_MS = 30_000

/** A script of the project in a process of its own, stopped at the latest when this process is gone. */
export interface ServerProcess {
  readonly pid: number
  /** What it printed so far. */
  words(): string
  stop(): Promise<void>
}

/** Starts a script, with `more` arguments. With a port, resolves once somebody answers there. */
export async function startScript(
  script: string,
  environment: Variables,
  log: string,
  port: number | null = null,
  more: readonly string[] = [],
): Promise<ServerProcess> {
  const { running } = spawnDetached({
    command: process.execPath,
    args: [join(ROOT, script), ...more],
    cwd: ROOT,
    env: { ...process.env, ...environment },
    output: { file: log },
  })
  const release = stopOnParentDeath(running.pid, 'SIGTERM')
  const isUp = () => running.ended() !== undefined || port === null || answers(port)
  await waitUntil(isUp, UP_WITHIN_MS)
  if (running.ended() !== undefined || (port !== null && !(await answers(port)))) {
    await stopProcess(running.pid)
    throw new Error(`${script} did not come up:\n${lastLines(log)}`)
  }
  return {
    pid: running.pid,
    words: () => readFileSync(log, 'utf8'),
    async stop() {
      await stopProcess(running.pid, 'SIGTERM')
      release()
    },
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`)
    return true
  } catch {
    // It doesn't listen yet; the caller asks again.
    return false
  }
}
