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
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>()
  let isPassing = true
  let streams = 0
  let reads = 0

  async function passStream(request: Request, url: string): Promise<Response> {
    if (!isPassing) return new Response(null, { status: 502 })
    streams += 1
    const passed = await fetch(url, { headers: request.headers, signal: request.signal })
    const reader = passed.body?.getReader()
    if (!reader) return passed
    let own: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller
        open.add(controller)
      },
      async pull(controller) {
        const { value } = await reader.read()
        if (value && open.has(controller)) controller.enqueue(value)
      },
      async cancel() {
        if (own) open.delete(own)
        await reader.cancel()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
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
      for (const each of isPassed ? [] : open) each.close()
      if (!isPassed) open.clear()
    },
    seen: () => ({ streams, reads }),
    stop: () => server.stop(true),
  }
}
