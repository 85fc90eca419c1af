import type { Logger } from 'pino'
import { AppError } from '../../core/base/errors.ts'
import type { ApiConfig } from '../../core/config/api.ts'
import { envelopeOf } from './errors.ts'

/** How the API listens. */
export function serverOptions(config: Pick<ApiConfig, 'host' | 'port'>, log: Logger) {
  return {
    hostname: config.host,
    port: config.port,
    // Elysia would share a port that is taken, and either process would get requests.
    reusePort: false,
    idleTimeout: 30,
    // The routes refuse long bodies themselves, with the envelope.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Bun would show the client a page with the source around the fault.
    development: false,
    error: (fault: unknown) => answerEscaped(fault, log),
  }
}

/** Answers a fault that the error handler has not caught. */
function answerEscaped(fault: unknown, log: Logger): Response {
  const traceId = crypto.randomUUID()
  log.error({ traceId, err: fault }, 'a fault escaped from a request')
  const error = new AppError('internal_error')
  return Response.json(envelopeOf(error, traceId), {
    status: error.status,
    headers: { 'x-trace-id': traceId, 'cache-control': 'no-store' },
  })
}
