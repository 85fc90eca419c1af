import { rmSync, writeFileSync } from 'node:fs'

/** Keeps a file for probes while the process is ready; nothing without a path. */
export function readyFile(path: string | null): (isReady: boolean) => void {
  let isThere = false
  if (path !== null) rmSync(path, { force: true })
  return (isReady) => {
    if (path === null || isReady === isThere) return
    if (isReady) writeFileSync(path, '')
    else rmSync(path, { force: true })
    isThere = isReady
  }
}
