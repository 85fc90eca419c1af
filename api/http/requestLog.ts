import type { Logger } from 'pino'

/**
 * Log lines of requests. Lines of failed requests are limited per client address, so that a client can't fill
 * a disk with invalid requests. Omitted lines are counted and reported once a minute.
 */
export interface RequestLog {
  /** Whether a failed request of this client may be logged. */
  admits(client: string): boolean
}

const WINDOW_MS = 60_000
/** Clients beyond this number share one count. */
const CLIENTS_COUNTED = 10_000
const OTHERS = 'others'
const CLIENTS_NAMED = 20

/** `now` is a monotonic clock in ms; `linesPerMinute` is per client address. */
export function openRequestLog(
  log: Pick<Logger, 'warn'>,
  linesPerMinute: number,
  now: () => number = () => performance.now(),
): RequestLog {
  const lines = new Map<string, number>()
  let windowEnds = now() + WINDOW_MS

  function startWindow(): void {
    const leftOut = [...lines]
      .map(([client, count]) => ({ client, lines: count - linesPerMinute }))
      .filter((one) => one.lines > 0)
      .sort((a, b) => b.lines - a.lines)
    lines.clear()
    windowEnds = now() + WINDOW_MS
    if (leftOut.length === 0) return
    const most = leftOut.slice(0, CLIENTS_NAMED)
    log.warn({ clients: leftOut.length, most }, 'log lines of failed requests were omitted')
  }

  return {
    admits(client) {
      if (now() >= windowEnds) startWindow()
      const counted = lines.has(client) || lines.size < CLIENTS_COUNTED ? client : OTHERS
      const count = (lines.get(counted) ?? 0) + 1
      lines.set(counted, count)
      return count <= linesPerMinute
    },
  }
}
