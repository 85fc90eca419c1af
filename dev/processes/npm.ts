/**
 * With npx, the launcher is npm's great-grandchild: npm passes signals on to a shell, which ends
 * without passing them on. So the launcher itself watches whether npm is running.
 */
import { ancestors, commandLine, identify } from './inspect.ts'

const GENERATIONS = 6
const INTERVAL_MS = 500

/** Calls `onGone` when npm has ended, if it is an ancestor of this process. */
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
