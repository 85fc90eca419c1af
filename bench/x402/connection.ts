import type { Socket } from 'bun'

/**
 * One caller's kept-alive HTTP connection. `fetch` would let 256 requests through at a time and open a
 * new connection for most of them, which would be measured in place of the server.
 */
export interface Connection {
  /**
   * Posts JSON and resolves with the answer. One request at a time.
   * @throws Error when there is no answer within `limitMs`, or the server closes the connection.
   */
  post(path: string, body: string, limitMs: number): Promise<HttpAnswer>
  close(): void
}

export interface HttpAnswer {
  readonly status: number
  readonly text: string
}

const END_OF_HEAD = '\r\n\r\n'

/**
 * A connection to a server on this machine; it is opened by the first request that needs it. `headers` go with
 * every request.
 */
export function openConnection(
  port: number,
  headers: Readonly<Record<string, string>> = {},
): Connection {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  let socket: Socket<undefined> | null = null
  let waiting: PromiseWithResolvers<HttpAnswer> | null = null
  let received = Buffer.alloc(0)

  function drop(reason: string): void {
    const [ended, unanswered] = [socket, waiting]
    socket = null
    waiting = null
    received = Buffer.alloc(0)
    unanswered?.reject(new Error(reason))
    ended?.terminate()
  }

  function connect(): Promise<Socket<undefined>> {
    return Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data(own, bytes) {
          if (own !== socket || waiting === null) return
          received = received.length === 0 ? Buffer.from(bytes) : Buffer.concat([received, bytes])
          const answer = readAnswer(received)
          if (answer === 'incomplete') return
          if (answer === 'unreadable') return drop('an answer without a length')
          received = Buffer.alloc(0)
          waiting.resolve(answer)
          waiting = null
        },
        close(own) {
          if (own === socket) drop('the server hung up')
        },
        error(own, error) {
          if (own === socket) drop(error.message)
        },
      },
    })
  }

  return {
    async post(path, body, limitMs) {
      socket ??= await connect()
      const answer = Promise.withResolvers<HttpAnswer>()
      waiting = answer
      const timer = setTimeout(() => drop('no answer'), limitMs)
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
          `${more.join('')}Content-Length: ${Buffer.byteLength(body)}${END_OF_HEAD}${body}`,
      )
      try {
        return await answer.promise
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => drop('closed'),
  }
}

function readAnswer(received: Buffer): HttpAnswer | 'incomplete' | 'unreadable' {
  const headEnd = received.indexOf(END_OF_HEAD)
  if (headEnd < 0) return 'incomplete'
  const head = received.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) return 'unreadable'
  const start = headEnd + END_OF_HEAD.length
  const end = start + Number(length)
  if (received.length < end) return 'incomplete'
  return { status: Number(head.slice(9, 12)), text: received.toString('utf8', start, end) }
}
