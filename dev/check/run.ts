/**
 * A run of the check has one folder for all its files, and leaves neither that nor a process behind, however
 * it ends. Two processes take care of each other: the one that was started keeps watch, and a child of it
 * does the work. Whichever is killed, the other one ends what is left and removes the folder.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ancestors } from '../processes/inspect.ts'
import { watchNpm } from '../processes/npm.ts'
import { adoptOrphans, endDescendants } from '../processes/orphans.ts'
import { roomyFolder } from '../servers/room.ts'

/** Marks a child process, and names its folder. */
const FOLDER = 'REMIT_CHECK_FOLDER'
/** A terminal and npx both pass Ctrl-C on, so a second signal is no sign of impatience. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const WATCH_MS = 500

/** Work in a folder of its own; `stopped` aborts when it is to end. */
export interface Run {
  readonly folder: string
  readonly stopped: AbortSignal
  /** Work that leaves the machine as it was only when it comes to its end. */
  finishing: Promise<unknown>
}

/** An installation that is interrupted is waited for, so that it leaves the machine as it was. */
export async function whole<T>(run: Run, work: Promise<T>): Promise<T> {
  run.finishing = work
  return await work
}

/** Does the work and ends this process with the exit code that it answers, and everything that it started. */
export async function runAlone(work: (run: Run) => Promise<number>): Promise<never> {
  adoptOrphans()
  const folder = process.env[FOLDER]
  // Not for those that it starts: a check of a check is one of its own.
  delete process.env[FOLDER]
  const code = folder === undefined ? await watch() : await workIn(folder, work)
  process.exit(code)
}

async function watch(): Promise<number> {
  const folder = mkdtempSync(join(roomyFolder(), 'remit-'))
  // Postgres runs under another uid when the check runs as root.
  chmodSync(folder, 0o711)
  const child = Bun.spawn([process.execPath, ...process.argv.slice(1)], {
    env: { ...process.env, [FOLDER]: folder, TMPDIR: folder },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const end = () => child.kill('SIGTERM')
  for (const signal of SIGNALS) process.on(signal, end)
  watchNpm(end)
  await child.exited
  await leave(folder)
  return child.exitCode ?? 1
}

async function workIn(folder: string, work: (run: Run) => Promise<number>): Promise<number> {
  const stopping = new AbortController()
  const run: Run = { folder, stopped: stopping.signal, finishing: Promise.resolve() }
  const stopped = Promise.withResolvers<number>()
  const stop = () => {
    stopping.abort()
    stopped.resolve(1)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  const [parent] = ancestors(process.pid, 1)
  setInterval(() => {
    if (ancestors(process.pid, 1)[0] !== parent) stop()
  }, WATCH_MS).unref()
  try {
    const code = await Promise.race([work(run), stopped.promise])
    await Promise.allSettled([run.finishing])
    return code
  } finally {
    await leave(folder)
  }
}

async function leave(folder: string): Promise<void> {
  await endDescendants()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
