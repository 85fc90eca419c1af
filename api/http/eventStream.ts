import { type Exchange, headersOf } from './exchange.ts'

/** Server-sent events (HTML, section 9.2) to one reader, who may be slow, and who hangs up at any time. */
export interface EventStream {
  /** Sends what `take` has, as soon as the reader has taken what was sent before. */
  flush(): void
  /** Ends it from our side. */
  close(): void
  /** Says what is to end with it. */
  onEnd(end: () => void): void
  respond(): Response
}

/**
 * Opens one. `take` is called for the next text when there is room for it and may merge or drop what piles up
 * meanwhile. Null when there is nothing to send.
 */
export function openEventStream(exchange: Exchange, take: () => string | null): EventStream {
  const encoder = new TextEncoder()
  const ends: (() => void)[] = []
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  function end(): void {
    for (const each of ends.splice(0)) each()
  }
  function flush(): void {
    if (controller === null || (controller.desiredSize ?? 0) <= 0) return
    const text = take()
    if (text !== null) controller.enqueue(encoder.encode(text))
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
      },
      pull: flush,
      cancel: end,
    },
    { highWaterMark: 1 },
  )
  exchange.request.signal.addEventListener('abort', end, { once: true })
  return {
    flush,
    close() {
      end()
      controller?.close()
      controller = null
    },
    onEnd: (each) => ends.push(each),
    respond() {
      exchange.set.headers['content-type'] = 'text/event-stream; charset=utf-8'
      // A proxy that collects what it passes on would hold events back.
      exchange.set.headers['x-accel-buffering'] = 'no'
      return new Response(body, { headers: headersOf(exchange) })
    },
  }
}
