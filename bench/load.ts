/** Closed-loop load: each connection sends its next request when the answer to the last one is in. */
import { ms, percentile } from './report.ts'

export interface LoadResult {
  readonly perSecond: number
  readonly latenciesMs: readonly number[]
  readonly failures: number
}

export interface Load {
  /** The requests go to them in turn. */
  readonly urls: readonly string[]
  readonly connections: number
  readonly seconds: number
  readonly headers: Readonly<Record<string, string>>
  /** A body for each request, which is a POST then; numbered, so that no two are the same. */
  readonly body?: (number: number) => string
}

let sent = 0

/** Sends for the given time and counts answers with a 2xx status. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const latenciesMs: number[] = []
  let failures = 0
  const start = performance.now()
  const end = start + load.seconds * 1000
  const connection = async () => {
    while (performance.now() < end) {
      sent += 1
      const from = performance.now()
      const { urls, headers, body } = load
      const url = urls[sent % urls.length] ?? ''
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: body(sent) }
      const response = await fetch(url, init)
      await response.text()
      if (response.ok) latenciesMs.push(performance.now() - from)
      else failures += 1
    }
  }
  await Promise.all(Array.from({ length: load.connections }, connection))
  const seconds = (performance.now() - start) / 1000
  return { perSecond: latenciesMs.length / seconds, latenciesMs, failures }
}

/** Several loads of the same length as one. Throws when a request of them failed. */
export function inAll(results: readonly LoadResult[]): LoadResult {
  const failures = results.reduce((sum, result) => sum + result.failures, 0)
  if (failures > 0) throw new Error(`${failures} requests failed`)
  const perSecond = results.reduce((sum, result) => sum + result.perSecond, 0) / results.length
  return { perSecond, failures, latenciesMs: results.flatMap(({ latenciesMs }) => latenciesMs) }
}

/** How many a second, and how long they took: half of them, and 99 of 100. */
export function cellsOf({ perSecond, latenciesMs }: LoadResult): string[] {
  const times = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)].map(ms)
  return [perSecond.toFixed(0), ...times]
}
