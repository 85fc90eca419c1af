import type { Logger } from 'pino'
import { AppError } from '../../core/base/errors.ts'
import type { ApiConfig } from '../../core/config/api.ts'
import { envelopeOf } from './errors.ts'

/** How the API listens. */
export function serverOptions(config: Pick<ApiConfig, 'host' | 'port'>, log: Logger) {
  return {
    hostname: config.host,
    port: config.port,
    // Elysia would share a port in use, and both processes would get requests.
    reusePort: false,
    idleTimeout: 30,
    // Routes refuse long bodies themselves, with the error envelope.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Bun would send the client a page with the source around the fault.
    development: false,
    error: (fault: unknown) => answerEscaped(fault, log),
  }
}

/** The response to a fault that the error handler has not caught. */
function answerEscaped(fault: unknown, log: Logger): Response {
  const traceId = crypto.randomUUID()
  log.error({ traceId, err: fault }, 'a request failed outside of its error handler')
  const error = new AppError('internal_error')
  return Response.json(envelopeOf(error, traceId), {
    status: error.status,
    headers: { 'x-trace-id': traceId, 'cache-control': 'no-store' },
  })
}
