import { elysiaPaywall, expressPaywall, honoPaywall, type PaywallOptions } from '@remit/sdk/x402'
import { Elysia } from 'elysia'
import express from 'express'
import { Hono } from 'hono'

/** Merchants' servers with the SDK's paywall, which charge for GET /report on any free port. */

export interface Paywalled {
  /** Of the route that costs something. */
  readonly url: string
  close(): void
}

export const FRAMEWORKS = ['Elysia', 'Hono', 'Express'] as const
export type Framework = (typeof FRAMEWORKS)[number]

export const REPORT = { report: 'sunny' }

export function openPaywall(framework: Framework, options: PaywallOptions): Promise<Paywalled> {
  return OPENERS[framework](options)
}

const OPENERS: Readonly<Record<Framework, (options: PaywallOptions) => Promise<Paywalled>>> = {
  async Elysia(options) {
    const app = new Elysia().get('/report', () => REPORT, { beforeHandle: elysiaPaywall(options) })
    app.listen({ port: 0, hostname: '127.0.0.1' })
    return opened(app.server?.port, () => app.server?.stop(true))
  },
  async Hono(options) {
    const app = new Hono().get('/report', honoPaywall(options), (context) => context.json(REPORT))
    const server = Bun.serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    return opened(server.port, () => server.stop(true))
  },
  Express(options) {
    const app = express()
      .use(expressPaywall(options))
      .get('/report', (_request, response) => response.json(REPORT))
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () => {
        const address = server.address()
        const port = typeof address === 'object' ? address?.port : undefined
        resolve(
          opened(port, () => {
            server.close()
            server.closeAllConnections()
          }),
        )
      })
    })
  },
}

function opened(port: number | undefined, close: () => unknown): Paywalled {
  if (port === undefined) throw new Error('the server listens on no port')
  return { url: `http://127.0.0.1:${port}/report`, close: () => void close() }
}
