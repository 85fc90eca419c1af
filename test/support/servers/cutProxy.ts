/**
 * A proxy in front of the API, as payers may have one: it passes everything on, and breaks the event streams
 * when it is told to, those that are open and those that are asked for.
 */
export interface CutProxy {
  readonly url: string
  /** Breaks streams until it is called with true. */
  stream(isPassed: boolean): void
  /** How many streams have been opened, and how often a session was read instead. */
  seen(): { readonly streams: number; readonly reads: number }
  stop(): Promise<void>
}

const SESSION = /^\/v1\/checkout\/sessions\/[^/]+$/

export function startCutProxy(target: string): CutProxy {
  const open = new Set<AbortController>()
  let isPassing = true
  let streams = 0
  let reads = 0

  async function passStream(request: Request, url: string): Promise<Response> {
    if (!isPassing) return new Response(null, { status: 502 })
    streams += 1
    const cut = new AbortController()
    open.add(cut)
    const signal = AbortSignal.any([cut.signal, request.signal])
    return fetch(url, { headers: request.headers, signal, decompress: false })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const url = target + pathname + search
      if (pathname.endsWith('/events')) return passStream(request, url)
      if (SESSION.test(pathname)) reads += 1
      const { method, headers } = request
      const body = method === 'GET' ? null : await request.arrayBuffer()
      return fetch(url, { method, headers, body, redirect: 'manual', decompress: false })
    },
  })
  return {
    url: server.url.origin,
    stream(isPassed) {
      isPassing = isPassed
      for (const each of isPassed ? [] : open) each.abort()
      if (!isPassed) open.clear()
    },
    seen: () => ({ streams, reads }),
    stop: () => server.stop(true),
  }
}
