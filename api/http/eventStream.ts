import { AppError } from '../../core/base/errors.ts'
import { text } from '../request/schema.ts'
import { type Exchange, headersOf } from './exchange.ts'

/** Server-sent events (HTML, section 9.2) to one reader, which may be slow and may disconnect at any time. */
export interface EventStream {
  /** Sends the next text of `take`, as soon as the reader has received the previous one. */
  flush(): void
  /** Closes the stream. */
  close(): void
  /** Registers what is called at the end of the stream. */
  onEnd(end: () => void): void
  respond(): Response
}

/**
 * Opens a stream. `take` is called for the next text when there is room for it, and may merge or drop pending
 * ones. It returns null when there is nothing to send.
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
    onEnd(each) {
      ends.push(each)
      // The signal of a reader that left while its request was handled does not fire again.
      if (exchange.request.signal.aborted) end()
    },
    respond() {
      exchange.set.headers['content-type'] = 'text/event-stream; charset=utf-8'
      // A buffering proxy would delay events.
      exchange.set.headers['x-accel-buffering'] = 'no'
      return new Response(body, { headers: headersOf(exchange) })
    },
  }
}

/** The first text of a stream: after how long its page reconnects, in ms. */
export const RECONNECT = 'retry: 2000\n\n'
/** Retry-After of a refused page, in seconds. */
const RETRY_AFTER_S = 30

/** How a stream of such events is documented. */
export function streamed(example: string) {
  const schema = text('A sequence of events.', example)
  return { 200: { description: 'The stream.', schema, contentType: 'text/event-stream' } } as const
}

/** Sends a stream; null where there are too many of them, which is refused. */
export function sendStream(exchange: Exchange, stream: EventStream | null): Response {
  if (stream !== null) return stream.respond()
  exchange.set.headers['retry-after'] = String(RETRY_AFTER_S)
  throw new AppError('too_many_streams')
}
