import type { Socket } from 'bun'

/** One page's stream of a session, read from a socket: Bun's `fetch` opens 256 connections at most. */
export interface StreamReader {
  close(): void
}

interface StreamOptions {
  readonly port: number
  /** The page's session. */
  readonly sessionId: string
  /** The client address, as sent by a proxy. */
  readonly client: string
  /** Called with each whole view. */
  readonly onView: () => void
  /** Called once, with the reason, when there is no stream or it has ended. */
  readonly onEnd: (reason: string) => void
}

const END_OF_HEAD = '\r\n\r\n'
const END_OF_EVENT = '\n\n'
/** The last chunk (RFC 9112, section 7.1). */
const END_OF_STREAM = /(?:^|\r\n)0\r\n\r\n$/

export async function openStream(options: StreamOptions): Promise<StreamReader> {
  const { port, sessionId, client, onView, onEnd } = options
  let received = ''
  let isStream = false
  let isOver = false

  function end(socket: Socket, reason: string): void {
    if (isOver) return
    isOver = true
    socket.terminate()
    onEnd(reason)
  }

  function read(socket: Socket, bytes: Uint8Array): void {
    received += Buffer.from(bytes).toString('latin1')
    if (!isStream) {
      const headEnd = received.indexOf(END_OF_HEAD)
      if (headEnd < 0) return
      const [status = ''] = received.split('\r\n', 1)
      if (!status.startsWith('HTTP/1.1 200 ')) {
        end(socket, status)
        return
      }
      isStream = true
      received = received.slice(headEnd + END_OF_HEAD.length)
    }
    // The sizes of chunks (RFC 9112, section 7.1) are lines of their own, and events have none like them.
    for (let at = received.indexOf(END_OF_EVENT); at >= 0; at = received.indexOf(END_OF_EVENT)) {
      if (/^event: view$/m.test(received.slice(0, at))) onView()
      received = received.slice(at + END_OF_EVENT.length)
    }
    if (END_OF_STREAM.test(received)) end(socket, 'the stream has ended')
  }

  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: read,
      close: (own) => end(own, 'the server hung up'),
      error: (own, error) => end(own, error.message),
    },
  })
  socket.write(
    `GET /v1/checkout/sessions/${sessionId}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      `Accept: text/event-stream\r\nX-Forwarded-For: ${client}${END_OF_HEAD}`,
  )
  return {
    close() {
      isOver = true
      socket.terminate()
    },
  }
}
