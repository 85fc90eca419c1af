import createClient, { type Client } from 'openapi-fetch'
import { RemitError } from './error.ts'
import { once, repeating, type Send } from './retry.ts'
import type { paths } from './schema.ts'

export interface RemitOptions {
  /** Where the API is, e.g. `https://pay.example`, without `/v1`. */
  readonly apiUrl: string
  /** A secret key, on servers; or a publishable key in a browser. */
  readonly key: string
  /** Used instead of the global `fetch`. */
  readonly fetch?: Send
  /** How often a request is sent again at most when the server is busy. Default: 3. */
  readonly retries?: number
  /** The longest single wait before that, in seconds. Default: 30. */
  readonly longestWait?: number
  /** How long one attempt may take, in milliseconds. Default: 60,000; settling a payment takes up to 25,000. */
  readonly timeoutMs?: number
}

/** About one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** About one call that makes something. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 characters: a repeated request with the same key, within 24 hours, makes nothing new and is
   * answered like the first. With one, the request is sent again when the server is busy.
   */
  readonly idempotencyKey?: string
}

/** The API's operations by path, and how a call of them is sent. */
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

/** What openapi-fetch makes of an answer. */
interface Outcome<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/** The whole answer. @throws RemitError when the request was not carried out. */
export async function answerOf<T>(outcome: Promise<Outcome<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await outcome
  if (!response.ok || data === undefined || data === null) {
    throw new RemitError(response, error ?? data)
  }
  return data
}

/** What the answer's envelope holds. @throws RemitError when the request was not carried out. */
export async function dataOf<T>(outcome: Promise<Outcome<{ data: T }>>): Promise<T> {
  return (await answerOf(outcome)).data
}
