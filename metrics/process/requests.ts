import { Histogram, type Registry } from 'prom-client'

/** A response of the API. */
export interface Answered {
  readonly method: string
  /** The route's pattern, e.g. `/v1/invoices/:id`; empty if no route matches the path. */
  readonly route: string
  readonly status: number
  /** From receiving the request to the end of the response. */
  readonly seconds: number
}

/** Bounds of the buckets, in seconds: from a cached read to the timeouts of callers. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Callers can send arbitrary method names, so all others share one label. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

export function observeRequests(registry: Registry): (answered: Answered) => void {
  const requests = new Histogram({
    name: 'remit_http_request_seconds',
    help: 'Duration of HTTP requests in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  return ({ method, route, status, seconds }) => {
    const labels = {
      method: METHODS.has(method) ? method : 'other',
      route: route === '' ? 'none' : route,
      status: String(status),
    }
    requests.observe(labels, seconds)
  }
}
