/**
 * Run by npx, the launcher is npm's great-grandchild: npm passes a signal on to a shell, which ends
 * without passing it on. So the launcher itself watches whether npm is still there.
 */
import { ancestors, commandLine, identify } from './inspect.ts'

const GENERATIONS = 6
const INTERVAL_MS = 500

/** Calls `onGone` when the npm that this process descends from has ended, if there is one. */
export function watchNpm(onGone: () => void): void {
  const npm = ancestors(process.pid, GENERATIONS).find((pid) =>
    /^npm (exec|run)\b/.test(commandLine(pid) ?? ''),
  )
  if (npm === undefined) return
  const identity = identify(npm)
  const timer = setInterval(() => {
    if (identify(npm) === identity) return
    clearInterval(timer)
    onGone()
  }, INTERVAL_MS)
  timer.unref()
}
