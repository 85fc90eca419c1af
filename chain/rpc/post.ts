import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import { field, type RpcCall } from './calls.ts'

/** One HTTP request with one call or a batch of them. */

export interface Posted {
  readonly status: number
  /** The value of Retry-After, in ms. */
  readonly retryAfterMs: number | null
  readonly body: unknown
}

/** What a request may take. */
export interface PostLimits {
  /** Until the end of the body, in ms. */
  readonly timeoutMs: number
  /** Of the body, decompressed; reading stops there. */
  readonly maxBytes: number
}

/**
 * Posts the calls and returns the parsed body. Throws viem's HttpRequestError, TimeoutError and
 * ResponseBodyTooLargeError.
 */
export async function post(
  url: string,
  calls: readonly RpcCall[],
  { timeoutMs, maxBytes }: PostLimits,
): Promise<Posted> {
  let status = 0
  let headers = new Headers()
  const onResponse = (response: Response) => {
    status = response.status
    headers = response.headers
  }
  const requests = calls.map((call, id) => ({ ...call, jsonrpc: '2.0', id }))
  const text = JSON.stringify(requests.length === 1 ? requests[0] : requests)
  const cut = new AbortController()
  const fetchFn = (to: string | URL | Request, init?: RequestInit) =>
    fetch(to, { ...init, body: text, signal: cut.signal })
  const client = getHttpRpcClient(url, {
    ...{ timeout: timeoutMs, maxResponseBodySize: maxBytes },
    ...{ onResponse, fetchFn },
  })
  const expired = Promise.withResolvers<never>()
  // The client's own timeout ends with the headers, and a body may never end.
  const timer = setTimeout(() => {
    expired.reject(new TimeoutError({ body: { calls: calls.length }, url }))
  }, timeoutMs)
  // viem copies the body into the error of a timeout before it sends anything: it is given the names alone.
  const method = [...new Set(calls.map((call) => call.method))].join(' ')
  const request: Promise<unknown> = client.request({ body: { id: 0, method } })
  try {
    const body = await Promise.race([request, expired.promise])
    return { body, status, retryAfterMs: parseRetryAfter(headers.get('retry-after')) }
  } catch (error) {
    // A status that refuses decides, and viem hides it behind an error of JSON-RPC, or behind a body that is no JSON.
    const details = status < 400 ? null : hiddenDetails(error)
    if (details === null) throw error
    throw new HttpRequestError({ url, status, headers, details })
  } finally {
    clearTimeout(timer)
    // What is left of a body that is too large, or too late, is read by no one.
    cut.abort()
    // After a timeout its own end is no news.
    request.catch(() => undefined)
  }
}

/** The text of an error that viem made without regard to the status; null for one that has it. */
function hiddenDetails(error: unknown): string | null {
  if (error instanceof RpcRequestError) {
    return JSON.stringify({ code: error.code, message: error.details, data: error.data })
  }
  return error instanceof HttpRequestError && error.status === undefined ? error.details : null
}

/** Seconds or a date, in ms from now. */
function parseRetryAfter(text: string | null): number | null {
  if (text === null) return null
  const ms = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : null
}

/** The Retry-After of an error from an HTTP status. */
export function retryAfterIn(error: HttpRequestError): number | null {
  return parseRetryAfter(error.headers?.get('retry-after') ?? null)
}

/** The error of an answer, as viem's; null when it holds a result. */
export function errorIn(answer: unknown, call: RpcCall, url: string): RpcRequestError | null {
  const error = field(answer, 'error')
  if (error === undefined || error === null) return null
  const [code, message] = [field(error, 'code'), field(error, 'message')]
  return new RpcRequestError({
    body: { method: call.method, params: call.params },
    url,
    error: {
      code: typeof code === 'number' ? code : -32_603,
      message: typeof message === 'string' ? message : JSON.stringify(error).slice(0, 300),
      data: field(error, 'data'),
    },
  })
}
