/**
 * Starting, awaiting and stopping processes of the development stack. Only Bun's own
 * modules are imported here, because the launcher uses this file before any dependency is installed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasErrorCode, identify } from './inspect.ts'

/** The end of a process: its exit code, or the signal that ended it. */
export type Exit = { code: number | null; signal: string | null }

/** A running server or worker. `stop` is graceful and may be called several times. */
export type Running = { pid: number; exited: Promise<Exit>; stop(): Promise<void> }

/** An error that is printed as a message, without a stack trace. */
export class StackError extends Error {
  override readonly name = 'StackError'
}

export type SpawnOptions = {
  command: string
  args: readonly string[]
  env?: Record<string, string | undefined>
  cwd?: string
  /** The file for stdout and stderr; 'pipe' passes both to the caller instead. */
  output: { file: string } | 'pipe' | 'ignore'
}

/**
 * Starts a process in its own session, so that Ctrl-C in the terminal reaches the launcher
 * only, which controls the order in which children end.
 */
export function spawnDetached(options: SpawnOptions): { child: ChildProcess; running: Spawned } {
  const { output } = options
  let file: number | undefined
  if (typeof output === 'object') {
    mkdirSync(dirname(output.file), { recursive: true })
    file = openSync(output.file, 'a')
  }
  const sink = file ?? (output === 'pipe' ? 'pipe' : 'ignore')
  const child = spawn(options.command, [...options.args], {
    detached: true,
    stdio: ['ignore', sink, sink],
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  if (file !== undefined) closeSync(file)
  let ended: Exit | undefined
  const exited = new Promise<Exit>((resolve) => {
    const end = (exit: Exit) => {
      ended = exit
      resolve(exit)
    }
    child.once('exit', (code, signal) => end({ code, signal }))
    child.once('error', () => end({ code: 127, signal: null }))
  })
  if (child.pid === undefined) throw new StackError(`${options.command} could not be started.`)
  return { child, running: { pid: child.pid, exited, ended: () => ended } }
}

/** A started process; `ended` is set once it has ended. */
export type Spawned = { pid: number; exited: Promise<Exit>; ended(): Exit | undefined }

/** The end of a sentence: "exit code 1" or "signal SIGKILL". */
export function describeExit(exit: Exit): string {
  return exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`
}

/** Sends a signal to a process, or to a group with a negative PID; false if it has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (hasErrorCode(error, 'ESRCH')) return false
    throw error
  }
}

/** Ends a process by the given signal, and after the grace period by SIGKILL. */
export async function stopProcess(
  pid: number,
  signal: NodeJS.Signals = 'SIGTERM',
  graceMs = 10_000,
): Promise<void> {
  const identity = identify(pid)
  if (identity === undefined) return
  const gone = () => identify(pid) !== identity
  signalProcess(pid, signal)
  if (await waitUntil(gone, graceMs)) return
  signalProcess(pid, 'SIGKILL')
  if (!(await waitUntil(gone, 5_000))) {
    throw new StackError(`Process ${pid} does not end, even after SIGKILL.`)
  }
}

/** Polls a condition; true as soon as it holds, false on timeout. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  intervalMs = 20,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() >= deadline) return false
    await Bun.sleep(intervalMs)
  }
  return true
}

/**
 * Ties a process to this one: when this process ends for any reason, the other is stopped by
 * `signal` and `removeDir` is deleted. A shell outside our process group waits for the end of a pipe
 * that only we hold open, which also works under kill -9. The returned function unties them.
 */
export function stopOnParentDeath(
  pid: number,
  signal: NodeJS.Signals,
  removeDir?: string,
): () => void {
  const script = [
    'cat >/dev/null',
    'kill -s "$1" "$2" 2>/dev/null',
    'n=0; while kill -0 "$2" 2>/dev/null && [ "$n" -lt 250 ]; do sleep 0.1; n=$((n+1)); done',
    'kill -s KILL "$2" 2>/dev/null',
    'if [ -n "$3" ]; then rm -rf "$3"; fi',
  ].join('\n')
  const args = ['-c', script, 'parent-watch', signal.slice(3), String(pid), removeDir ?? '']
  const watcher = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  watcher.unref()
  return () => {
    // Ends the group: otherwise the shell's `cat` would outlive it for a moment.
    if (watcher.pid !== undefined) signalProcess(-watcher.pid, 'SIGKILL')
  }
}

/** The last lines of a log file, for the message about why its writer ended. */
export function lastLines(file: string, count = 12): string {
  if (!existsSync(file)) return ''
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
}
