import type { Logger } from 'pino'

/**
 * Has the process end when its grace time is over, with all that it still waits for: what is under way is safe to cut
 * off, and a silent server must not keep a process, or its port.
 */
export function endAtLatest(
  { graceMs, log }: { readonly graceMs: number; readonly log: Pick<Logger, 'warn'> },
  code: number,
): void {
  setTimeout(() => {
    log.warn({ graceMs }, 'not everything has ended within the grace time; the process ends')
    process.exit(code)
  }, graceMs)
}
