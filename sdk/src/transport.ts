import createClient, { type Client } from 'openapi-fetch'
import { RemitError } from './error.ts'
import { once, repeating, type Send } from './retry.ts'
import type { paths } from './schema.ts'

export interface RemitOptions {
  /** The URL of the API, e.g. `https://pay.example`, without `/v1`. */
  readonly apiUrl: string
  /** A secret key, on servers; or a publishable key in a browser. */
  readonly key: string
  /** Used instead of the global `fetch`. */
  readonly fetch?: Send
  /** Maximum number of retries while the server is busy. Default: 3. */
  readonly retries?: number
  /** Maximum wait before a retry, in seconds. Default: 30. */
  readonly longestWait?: number
  /** Timeout of an attempt, in milliseconds. Default: 60,000; settling a payment takes up to 25,000. */
  readonly timeoutMs?: number
}

/** Options of a call. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** Options of a call that creates an object. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 characters: a repeated request with the same key within 24 hours creates nothing and returns
   * the first response. With a key, the client retries the request while the server is busy.
   */
  readonly idempotencyKey?: string
}

/** The API's operations by path, and how their calls are sent. */
export interface Transport {
  readonly api: Client<paths>
  /** The options of openapi-fetch for a call that changes something. */
  changing(options: CreateOptions, mayRepeat?: boolean): Settings
}

interface Settings {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: Send
}

export function openTransport(options: RemitOptions): Transport {
  const { apiUrl, key, retries = 3, longestWait = 30, timeoutMs = 60_000 } = options
  const send = options.fetch ?? ((request) => fetch(request))
  const single = once(send, timeoutMs)
  const repeated = repeating(send, { retries, longestWait, timeoutMs })
  const api = createClient<paths>({
    baseUrl: apiUrl.replace(/\/+$/, ''),
    headers: { 'X-Service-Key': key },
    fetch: (request) => (request.method === 'GET' ? repeated(request) : single(request)),
  })
  return {
    api,
    changing({ signal, idempotencyKey }, mayRepeat = false) {
      return {
        ...(signal && { signal }),
        ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
        ...((mayRepeat || idempotencyKey !== undefined) && { fetch: repeated }),
      }
    },
  }
}

/** A result of openapi-fetch. */
interface Outcome<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** The complete response. @throws RemitError if the API returned an error. */
export async function answerOf<T>(outcome: Promise<Outcome<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await outcome
  if (!response.ok || data === undefined || data === null) {
    throw new RemitError(response, error ?? data)
  }
  return data
}

/** The data in the response's envelope. @throws RemitError if the API returned an error. */
export async function dataOf<T>(outcome: Promise<Outcome<{ data: T }>>): Promise<T> {
  return (await answerOf(outcome)).data
}
