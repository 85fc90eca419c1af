import {
  BaseError,
  HttpRequestError,
  ResponseBodyTooLargeError,
  RpcRequestError,
  TimeoutError,
} from 'viem'
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
  const cut = new AbortController()
  const expired = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    expired.reject(new TimeoutError({ body: { calls: calls.length }, url }))
  }, timeoutMs)
  const answer = ask(url, calls, maxBytes, cut.signal)
  try {
    return await Promise.race([answer, expired.promise])
  } catch (error) {
    // What is left of a body that is too large, or too late, is read by no one, and its own end is no news.
    cut.abort()
    answer.catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function ask(
  url: string,
  calls: readonly RpcCall[],
  maxBytes: number,
  signal: AbortSignal,
): Promise<Posted> {
  const requests = calls.map((call, id) => ({ ...call, jsonrpc: '2.0', id }))
  const body = JSON.stringify(requests.length === 1 ? requests[0] : requests)
  try {
    const { address, headers: sent } = addressed(url)
    // A redirect is a failure: where it leads is not the operator's choice.
    const response = await fetch(address, {
      ...{ method: 'POST', headers: sent, body, signal, redirect: 'manual' },
    })
    const { headers, ok, status, statusText } = response
    const text = await readText(response, maxBytes)
    // A status that refuses decides, even where the body is a result.
    if (!ok)
      throw new HttpRequestError({ url, status, headers, details: detailsIn(text) || statusText })
    const retryAfterMs = parseRetryAfter(headers.get('retry-after'))
    return { body: JSON.parse(text), status, retryAfterMs }
  } catch (error) {
    if (error instanceof BaseError) throw error
    const cause = error instanceof Error ? error : new Error(String(error))
    // The parameters of many calls would fill a log.
    const method = [...new Set(calls.map((call) => call.method))].join(' ')
    throw new HttpRequestError({ url, body: { method }, cause })
  }
}

/** The body as text, of which at most so many bytes are read, decompressed. */
async function readText(response: Response, maxSize: number): Promise<string> {
  const tooLarge = (size: number) => new ResponseBodyTooLargeError({ maxSize, size })
  const announced = Number(response.headers.get('content-length') ?? Number.NaN)
  if (announced > maxSize) throw tooLarge(announced)
  // Of a body in chunks, or a compressed one, the length is not what is read (RFC 9112, section 6.3).
  const isExact =
    announced >= 0 &&
    !['content-encoding', 'transfer-encoding'].some((of) => response.headers.has(of))
  if (isExact || response.body === null) return response.text()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.byteLength
    if (size > maxSize) throw tooLarge(size)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** The error of JSON-RPC in a body, or the body, as JSON; empty where it has none. */
function detailsIn(text: string): string {
  try {
    return JSON.stringify(field(JSON.parse(text), 'error')) ?? ''
  } catch {
    return text
  }
}

/** Providers may have a key in the address, which goes into a header (RFC 7617). */
function addressed(url: string): { address: URL; headers: Record<string, string> } {
  const address = new URL(url)
  const { username, password } = address
  const headers = { 'content-type': 'application/json' }
  if (username === '') return { address, headers }
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  Object.assign(address, { username: '', password: '' })
  return { address, headers: { ...headers, authorization: `Basic ${btoa(login)}` } }
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
