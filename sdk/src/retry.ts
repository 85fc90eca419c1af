import { retryAfterOf } from './error.ts'

/** Requests that are sent again when the server is busy. */

export type Send = (request: Request) => Promise<Response>

export interface RetryOptions {
  /** How often a request is sent again at most. */
  readonly retries: number
  /** The longest single wait in seconds; an answer that requires a longer one is returned as it is. */
  readonly longestWait: number
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Sends a request, and again when the answer is 429 or 503, or 409 with Retry-After: another request with
 * the same Idempotency-Key is under way then. Only for requests that may be carried out twice without harm.
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

/** Sends a request within its time. */
export function once(send: Send, timeoutMs: number): Send {
  return (request) => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
    return send(new Request(request, { signal }))
  }
}

function isBusy({ status, headers }: Response): boolean {
  return status === 429 || status === 503 || (status === 409 && headers.has('retry-after'))
}

/** Half a second, then one, two, and so on, less up to a half by chance, so that callers spread. */
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
