/** A source of rates on this machine, as well behaved as a test wants it. */

export interface RateServer {
  readonly url: string
  /** The queries that came. */
  readonly asked: string[]
  /** What it answers from now on; the rates without anything else come with the time of `at`. */
  answer: (request: Request) => Response | Promise<Response>
  offer(rates: Readonly<Record<string, unknown>>, at?: Date): void
  stop(): void
}

export function startRateServer(): RateServer {
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked.push(new URL(request.url).search)
      return source.answer(request)
    },
  })
  const source: RateServer = {
    url: `http://127.0.0.1:${server.port}/rates?key=secret`,
    asked,
    answer: () => new Response(null, { status: 500 }),
    offer(rates, at = new Date()) {
      source.answer = () => Response.json({ at: at.toISOString(), rates })
    },
    stop: () => server.stop(true),
  }
  return source
}
