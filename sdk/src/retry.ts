import { retryAfterOf } from './error.ts'

/** Retries of requests while the server is busy. */

export type Send = (request: Request) => Promise<Response>

export interface RetryOptions {
  /** Maximum number of retries. */
  readonly retries: number
  /** Maximum wait in seconds; a response with a longer Retry-After is returned. */
  readonly longestWait: number
  /** Timeout of an attempt, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Sends a request, and retries it after 429 or 503, or 409 with Retry-After: then another request with
 * the same Idempotency-Key is running. Only for idempotent requests.
 */
export function repeating(send: Send, { retries, longestWait, timeoutMs }: RetryOptions): Send {
  return async (request) => {
    for (let sent = 0; ; sent += 1) {
      const response = await once(send, timeoutMs)(request.clone())
      if (sent >= retries || !isBusy(response)) return response
      const seconds = retryAfterOf(response, Date.now()) ?? backoff(sent)
      if (seconds > longestWait) return response
      await response.body?.cancel()
      await pause(seconds * 1000, request.signal)
    }
  }
}

/** Sends a request with a timeout. */
export function once(send: Send, timeoutMs: number): Send {
  return (request) => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
    return send(new Request(request, { signal }))
  }
}

function isBusy({ status, headers }: Response): boolean {
  return status === 429 || status === 503 || (status === 409 && headers.has('retry-after'))
}

/** Half a second, then one, two, and so on, randomly reduced by up to a half. */
function backoff(sent: number): number {
  return 2 ** (sent - 1) * (1 - Math.random() / 2)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
