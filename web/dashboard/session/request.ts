import { isStale, signedInAgain } from './again.ts'

/** Calls of the dashboard's own server, by the cookie that the browser adds. */

/** An answer that says no, or none at all. */
export class Problem extends Error {
  constructor(
    /** 0 when nothing answered. */
    readonly status: number,
    readonly code: string,
    /** What to change, as the server says it. */
    override readonly message: string,
    readonly traceId: string | null,
    /** Seconds after which to try again. */
    readonly retryAfter: number | null,
    /** The part of what was sent that is to be changed; empty for the whole. */
    readonly path = '',
  ) {
    super(message)
  }
}

interface ErrorBody {
  readonly code?: string
  readonly message?: string
  readonly error?: string
  readonly traceId?: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * Sends and reads JSON. Throws a Problem for every answer that is not a success. A button's request that is
 * refused because the sign-in is too old is repeated after the user has signed in again.
 */
export async function request<T>(
  method: Method,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  mayAsk = method !== 'GET',
): Promise<T> {
  try {
    return await requestOnce(method, path, body, headers)
  } catch (error) {
    const isOld = mayAsk && error instanceof Problem && isStale(error.code)
    if (!isOld || !(await signedInAgain())) throw error
    return await requestOnce(method, path, body, headers)
  }
}

async function requestOnce<T>(
  method: Method,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<T> {
  return answerOf<T>(
    await send(path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
}

/** Sends the bytes of a file as they are, and reads JSON. Throws a Problem like `request`. */
export async function upload<T>(path: string, file: File): Promise<T> {
  const headers = { 'content-type': file.type }
  return answerOf<T>(await send(path, { method: 'POST', headers, body: file }))
}

/** The data of an envelope. */
export async function getData<T>(path: string): Promise<T> {
  return (await request<{ data: T }>('GET', path)).data
}

/** Where an operation of the API is for a merchant. */
export function merchantApi(merchantId: string, path: string): string {
  return `/dashboard/api/merchants/${encodeURIComponent(merchantId)}${path}`
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: 'same-origin', ...init })
  } catch {
    throw new Problem(0, 'offline', '', null, null)
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text()
  if (!response.ok) throw problemOf(response, text)
  return JSON.parse(text === '' ? 'null' : text)
}

function problemOf(response: Response, text: string): Problem {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const body: ErrorBody = isJson ? JSON.parse(text) : {}
  const detail = body.details?.[0]
  const message = detail?.message ?? body.message ?? body.error ?? ''
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) ? seconds : null
  const { code = '', traceId = null } = body
  return new Problem(response.status, code, message, traceId, retryAfter, detail?.path)
}
