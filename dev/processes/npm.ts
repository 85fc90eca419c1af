/**
 * Run by npx, the launcher is npm's great-grandchild: npm passes a signal on to a shell, which dies
 * of it and tells nobody. So the launcher itself watches whether npm is still there.
 */
import { existsSync, readFileSync } from 'node:fs'
import { commandLine, identify } from './child.ts'

const GENERATIONS = 6
const INTERVAL_MS = 500

/** Calls `onGone` when the npm that this process descends from has ended, if there is one. */
export function watchNpm(onGone: () => void): void {
  const npm = ancestors(process.pid).find((pid) => /^npm (exec|run)\b/.test(commandLine(pid) ?? ''))
  if (npm === undefined) return
  const identity = identify(npm)
  const timer = setInterval(() => {
    if (identify(npm) === identity) return
    clearInterval(timer)
    onGone()
  }, INTERVAL_MS)
  timer.unref()
}

/** The parents of a process, the nearest first, where the system tells. */
function ancestors(pid: number): number[] {
  const found: number[] = []
  for (let at = pid; found.length < GENERATIONS; ) {
    const file = `/proc/${at}/stat`
    if (!existsSync(file)) break
    at = Number(readFileSync(file, 'utf8').split(') ').pop()?.split(' ')[1])
    if (!(at > 1)) break
    found.push(at)
  }
  return found
}
