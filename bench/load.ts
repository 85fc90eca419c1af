/** Closed-loop load: each connection sends its next request when the answer to the last one is in. */

export interface LoadResult {
  readonly perSecond: number
  readonly latenciesMs: readonly number[]
  readonly failures: number
}

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly headers: Readonly<Record<string, string>>
  /** A body for each request; numbered, so that no two are the same. */
  body(number: number): string
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
      const response = await fetch(load.url, {
        method: 'POST',
        headers: load.headers,
        body: load.body(sent),
      })
      await response.text()
      if (response.ok) latenciesMs.push(performance.now() - from)
      else failures += 1
    }
  }
  await Promise.all(Array.from({ length: load.connections }, connection))
  const seconds = (performance.now() - start) / 1000
  return { perSecond: latenciesMs.length / seconds, latenciesMs, failures }
}
