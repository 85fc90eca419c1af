/**
 * Everything that descends from this process, also what was detached and has lost its parent: on Linux this
 * process becomes the parent of such orphans (prctl(2), PR_SET_CHILD_SUBREAPER), so that it can end them.
 */
import { dlopen } from 'bun:ffi'
import { signalProcess, waitUntil } from './child.ts'
import { descendantsOf, endedChildren } from './inspect.ts'

const SET_CHILD_SUBREAPER = 36
const NO_HANG = 1
const RUSAGE_CHILDREN = -1
/** The C library of glibc, and of musl on the architectures that Bun has. */
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']
const SWEEP_MS = 500
/** Ten seconds: what ended and is not waited for until then is no child of Bun's own. */
const ADOPTED_SWEEPS = 20

const system = openSystem()

/** From now on orphans among the descendants become children of this process, where the system can do that. */
export function adoptOrphans(): void {
  if (system === null || system.prctl(SET_CHILD_SUBREAPER, 1n, 0n, 0n, 0n) !== 0) return
  let seen = new Map<number, number>()
  const sweep = () => {
    // A child of Bun's own is waited for by Bun, which fails when it is gone. On a busy machine that takes Bun more than
    // a sweep; what is still there after many was adopted.
    const times = new Map(endedChildren().map((pid) => [pid, (seen.get(pid) ?? 0) + 1]))
    for (const [pid, count] of times) if (count > ADOPTED_SWEEPS) system.waitpid(pid, null, NO_HANG)
    seen = times
  }
  setInterval(sweep, SWEEP_MS).unref()
}

/** Ends all descendants: by SIGTERM, and what is left after the grace, and all that it starts, by SIGKILL. */
export async function endDescendants(graceMs = 5_000): Promise<void> {
  const asked = new Set<number>()
  const isOver = (signal: NodeJS.Signals) => () => {
    const left = descendantsOf(process.pid)
    for (const pid of left) {
      if (signal === 'SIGTERM' && asked.has(pid)) continue
      asked.add(pid)
      signalProcess(pid, signal)
    }
    return left.length === 0
  }
  if (await waitUntil(isOver('SIGTERM'), graceMs, 50)) return
  await waitUntil(isOver('SIGKILL'), 10_000, 50)
}

/** Seconds of processor that all children have used that were waited for, and theirs; zeros where it's unknown. */
export function processorTime(): { user: number; system: number } {
  // Two pairs of seconds and microseconds begin struct rusage, which has sixteen words on every system.
  const usage = new BigInt64Array(32)
  if (system === null || system.getrusage(RUSAGE_CHILDREN, usage) !== 0) {
    return { user: 0, system: 0 }
  }
  const seconds = (at: number) => Number(usage[at] ?? 0n) + Number(usage[at + 1] ?? 0n) / 1e6
  return { user: seconds(0), system: seconds(2) }
}

/** The few calls that Bun has no name for; null where there are none. */
function openSystem() {
  if (process.platform !== 'linux') return null
  for (const library of LIBRARIES) {
    try {
      return dlopen(library, {
        prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
        waitpid: { args: ['i32', 'ptr', 'i32'], returns: 'i32' },
        getrusage: { args: ['i32', 'ptr'], returns: 'i32' },
      }).symbols
    } catch {
      // Another C library has another name; without any of them orphans stay the system's.
    }
  }
  return null
}
