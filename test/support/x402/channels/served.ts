import type { X402Stack } from '../stack.ts'

/** The API of a stack behind a socket, for clients that know nothing else. */
export function serveStack(stack: X402Stack) {
  const server = Bun.serve({
    port: 0,
    idleTimeout: 60,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const body =
        request.method === 'POST' || request.method === 'PUT' ? { body: await request.text() } : {}
      const { method, headers } = request
      return stack.fetch(pathname + search, { method, headers, ...body })
    },
  })
  return {
    api: `http://127.0.0.1:${server.port}`,
    url: `http://127.0.0.1:${server.port}/v1/x402` as const,
    close: () => server.stop(true),
  }
}
