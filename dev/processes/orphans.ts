/**
 * All descendants of this process, including detached ones without their parent: on Linux this
 * process becomes the parent of such orphans (prctl(2), PR_SET_CHILD_SUBREAPER), so that it can end them.
 */
import { dlopen } from 'bun:ffi'
import { signalProcess, waitUntil } from './child.ts'
import { descendantsOf, endedChildren } from './inspect.ts'

const SET_CHILD_SUBREAPER = 36
const NO_HANG = 1
const RUSAGE_CHILDREN = -1
/** The C libraries of glibc, and of musl on Bun's architectures. */
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']
const SWEEP_MS = 500
/** Ten seconds: a zombie that old is no child of Bun's own. */
const ADOPTED_SWEEPS = 20

const system = openSystem()

/** Makes orphaned descendants children of this process, if the system supports it. */
export function adoptOrphans(): void {
  if (system === null || system.prctl(SET_CHILD_SUBREAPER, 1n, 0n, 0n, 0n) !== 0) return
  let seen = new Map<number, number>()
  const sweep = () => {
    // Bun waits for its own children, and fails if they are already reaped. On a busy machine that takes Bun more than
    // a sweep; a zombie that remains after many sweeps was adopted.
    const times = new Map(endedChildren().map((pid) => [pid, (seen.get(pid) ?? 0) + 1]))
    for (const [pid, count] of times) if (count > ADOPTED_SWEEPS) system.waitpid(pid, null, NO_HANG)
    seen = times
  }
  setInterval(sweep, SWEEP_MS).unref()
}

/** Ends all descendants: by SIGTERM, and after the grace period by SIGKILL, with everything that they start. */
export async function endDescendants(graceMs = 5_000): Promise<void> {
  const signalled = new Set<number>()
  const isOver = (signal: NodeJS.Signals) => () => {
    const left = descendantsOf(process.pid)
    for (const pid of left) {
      if (signal === 'SIGTERM' && signalled.has(pid)) continue
      signalled.add(pid)
      signalProcess(pid, signal)
    }
    return left.length === 0
  }
  if (await waitUntil(isOver('SIGTERM'), graceMs, 50)) return
  await waitUntil(isOver('SIGKILL'), 10_000, 50)
}

/** CPU seconds of all reaped children and their descendants; zeros if unknown. */
export function processorTime(): { user: number; system: number } {
  // struct rusage begins with two pairs of seconds and microseconds, and has sixteen words on every system.
  const usage = new BigInt64Array(32)
  if (system === null || system.getrusage(RUSAGE_CHILDREN, usage) !== 0) {
    return { user: 0, system: 0 }
  }
  const seconds = (at: number) => Number(usage[at] ?? 0n) + Number(usage[at + 1] ?? 0n) / 1e6
  return { user: seconds(0), system: seconds(2) }
}

/** System calls that Bun doesn't provide; null if unavailable. */
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
      // Tries all names of the C library; without any, orphans are left to the system.
    }
  }
  return null
}
