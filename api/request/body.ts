import { AppError, type ErrorCode, type ErrorDetail, MOST_DETAILS } from '../../core/base/errors.ts'
import { parseJson } from './json.ts'
import type { Documented } from './schema.ts'

/** Reads the body of a request as JSON, up to the size limit. */

/** What a route reads from the body of a request. */
export interface Body<T> {
  /** Absent when the body must be empty. */
  readonly document?: NonNullable<Documented['requestBody']>
  /** What reading throws. */
  readonly errors: readonly ErrorCode[]
  read(request: Request): Promise<T>
}

export const BODY_ERRORS = ['invalid_request_body', 'body_too_large'] as const

/** No body. Some clients send null or an empty object instead; a field in it would be a mistake. */
export const NO_FIELDS: Body<void> = {
  errors: BODY_ERRORS,
  read: async (request) => refuseFields(await readJsonBody(request)),
}

/** A body with further checks on its content. `refine` throws `invalid_request_body`. */
export function refined<T, U>(body: Body<T>, refine: (sent: T) => U): Body<U> {
  return { ...body, read: async (request) => refine(await body.read(request)) }
}

/** A body that the handler itself reads, when it wants to. */
export function deferred<T>(body: Body<T>): Body<() => Promise<T>> {
  return { ...body, read: async (request) => () => body.read(request) }
}

export const MAX_BODY_BYTES = 256 * 1024
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

/** The body as text. Throws as `readJsonBody` does when it is too long, cut off or not UTF-8. */
export async function readTextBody(request: Request): Promise<string> {
  return decode(await readBodyBytes(request))
}

/**
 * The body as a JSON value; undefined when there is none. Throws `body_too_large` as soon as that
 * is certain, and `invalid_request_body` for anything that isn't JSON or would lose digits when
 * parsed.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBodyBytes(request)
  if (bytes.length === 0) return undefined
  const type = request.headers.get('content-type')
  if (type !== null && !JSON_TYPE.test(type)) {
    throw invalidBody([{ path: '', message: 'must be sent as Content-Type: application/json' }])
  }
  return jsonOf(bytes)
}

/** The JSON value of these bytes, undefined for none. Throws as `readJsonBody` does. */
export function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const parsed = parseJson(decode(bytes))
  if (!parsed.ok) throw invalidBody(parsed.details)
  return parsed.value
}

export function invalidBody(details: readonly ErrorDetail[], cause?: unknown): AppError {
  return new AppError('invalid_request_body', details, { cause })
}

function refuseFields(body: unknown): void {
  if (body === undefined || body === null) return
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isObject) throw invalidBody([{ path: '', message: 'must be empty' }])
  const fields = Object.keys(body).slice(0, MOST_DETAILS)
  if (fields.length === 0) return
  throw invalidBody(fields.map((path) => ({ path, message: 'is not a known field' })))
}

/** The body as it came, up to a limit. Throws `body_too_large`, and `invalid_request_body` when it was cut off. */
export async function readBodyBytes(
  request: Request,
  most: number = MAX_BODY_BYTES,
): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > most) throw tooLarge()
  try {
    // The server passes on no more bytes than were announced; unannounced ones are counted.
    if (announced !== null) return withinLimit(await request.bytes(), most)
    return request.body === null ? new Uint8Array() : await readCounting(request.body, most)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw invalidBody([{ path: '', message: 'was not received completely' }], error)
  }
}

async function readCounting(body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > most) {
      await reader.cancel()
      throw tooLarge()
    }
    chunks.push(value)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

function withinLimit(bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.length > most) throw tooLarge()
  return bytes
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch (error) {
    throw invalidBody([{ path: '', message: 'must be UTF-8' }], error)
  }
}

function tooLarge(): AppError {
  return new AppError('body_too_large')
}
