import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { MetricsAddress } from '../../core/config/metrics.ts'

/** A port of its own, so that clients of the API don't reach these metrics. */
export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/**
 * Serves a registry at /metrics, each time after `refresh`. Scrapes that come together share one reading.
 * @throws when the port can't be had.
 */
export function serveMetrics(
  registry: Registry,
  { host, port }: MetricsAddress,
  log: Logger,
  refresh: () => Promise<void> = async () => {},
): MetricsServer {
  let reading: Promise<string> | null = null
  const read = () => {
    reading ??= refresh()
      .then(() => registry.metrics())
      .finally(() => {
        reading = null
      })
    return reading
  }
  const server = Bun.serve({
    hostname: host,
    port,
    // A scrape has no body.
    maxRequestBodySize: 1_024,
    async fetch(request) {
      if (new URL(request.url).pathname !== '/metrics') return new Response(null, { status: 404 })
      if (request.method !== 'GET') return new Response(null, { status: 405 })
      return new Response(await read(), { headers: { 'content-type': registry.contentType } })
    },
    error(error) {
      log.warn({ err: error }, 'the metrics could not be read')
      return new Response(null, { status: 500 })
    },
  })
  const { port: bound = port } = server
  log.info({ url: `http://${server.hostname}:${bound}/metrics` }, 'metrics are served')
  return { port: bound, close: () => server.stop(true) }
}
