import { type Static, type TObject, type TSchema, Type, TypeGuard } from '@sinclair/typebox'
import { TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { AppError, type ErrorCode, type ErrorDetail, MOST_DETAILS } from '../../core/base/errors.ts'
import { parseJson } from './json.ts'
import {
  type Documented,
  type DocumentedSchema,
  exampleOf,
  isNullable,
  MEANING,
  MESSAGE,
  nullable,
  RANGED,
  UNSHOWN,
} from './schema.ts'

/** Reads the body of a request as JSON, up to the size limit, and checks its fields. */

/** The declaration of a route's body. */
export interface Body<T> {
  /** Absent if the body must be empty. */
  readonly document?: NonNullable<Documented['requestBody']>
  /** The errors that reading throws. */
  readonly errors: readonly ErrorCode[]
  read(request: Request): Promise<T>
}

export const BODY_ERRORS = ['invalid_request_body', 'body_too_large'] as const

/** The parsed value of a body. */
export type Sent<B> = B extends Body<infer T> ? T : never

type Fields = Readonly<Record<string, DocumentedSchema>>

/**
 * A JSON object with exactly these fields. Reading throws `invalid_request_body` for
 * everything else. Without `isRequired` a missing body is an empty object.
 */
export function bodyOf<F extends Fields>(
  description: string,
  fields: F,
  options?: { readonly isRequired?: boolean },
): Body<Static<TObject<F>>>
export function bodyOf(
  description: string,
  fields: Fields,
  { isRequired = true }: { readonly isRequired?: boolean } = {},
): Body<unknown> {
  const entries = Object.entries(fields)
  const known = new Map(entries)
  const closed = { description, additionalProperties: false }
  const each = (change: (schema: DocumentedSchema) => TSchema) =>
    Object.fromEntries(entries.map(([name, schema]) => [name, change(schema)]))
  const check = TypeCompiler.Compile(Type.Object(each(withoutRules), closed))
  const properties = each((schema) => (isAbsentAsNull(schema) ? nullable(schema) : schema))
  const schema: TSchema = { ...Type.Object(fields, closed), properties }
  const shown = entries.filter(([, schema]) => !schema[UNSHOWN])
  // One with all fields follows from theirs.
  const whole = shown.length === entries.length && entries.length > 0
  const example = Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(schema)]))
  const content = { schema, ...(whole ? {} : { example }) }
  return {
    document: { required: isRequired, content: { 'application/json': content } },
    errors: BODY_ERRORS,
    async read(request) {
      const sent = await readJsonBody(request)
      const body = meant(isRequired ? sent : (sent ?? {}), known)
      if (check.Check(body)) return body
      const details = new Map<string, ErrorDetail>()
      for (const error of check.Errors(body)) {
        const detail = explain(error, known)
        if (!details.has(detail.path)) details.set(detail.path, detail)
        if (details.size === MOST_DETAILS) break
      }
      throw invalidBody([...details.values()])
    },
  }
}

/** Keywords are checked by the field's reader with its own messages, except ranges with a message here. */
function withoutRules(schema: DocumentedSchema): TSchema {
  if (schema[RANGED]) return schema
  return {
    ...schema,
    format: undefined,
    pattern: undefined,
    minimum: undefined,
    maximum: undefined,
  }
}

/** Some languages send null for omitted fields. Where null is a value, it is kept. */
function isAbsentAsNull(schema: DocumentedSchema): boolean {
  return TypeGuard.IsOptional(schema) && !isNullable(schema)
}

/** The body without omitted fields and with pasted texts trimmed; values of other types are kept, to be refused. */
function meant(body: unknown, known: ReadonlyMap<string, DocumentedSchema>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const fields = Object.entries(body).flatMap(([name, value]) => {
    const schema = known.get(name)
    if (schema === undefined) return [[name, value]]
    return value === null && isAbsentAsNull(schema) ? [] : [[name, asMeant(value, schema[MEANING])]]
  })
  return Object.fromEntries(fields)
}

function asMeant(value: unknown, meaning: DocumentedSchema[typeof MEANING]): unknown {
  if (meaning === undefined) return value
  if (typeof value === 'string') return meaning(value)
  return Array.isArray(value) ? value.map((one) => asMeant(one, meaning)) : value
}

/** Error messages by schema type. */
const MESSAGES: Readonly<Record<string, string>> = {
  string: 'must be a string',
  boolean: 'must be true or false',
  integer: 'must be a whole number',
  object: 'must be an object',
}

function explain(error: ValueError, known: ReadonlyMap<string, DocumentedSchema>): ErrorDetail {
  const path = error.path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
  if (error.type === ValueErrorType.ObjectRequiredProperty) return { path, message: 'is required' }
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    return { path, message: 'is not a known field' }
  }
  if (path === '') return { path, message: 'must be a JSON object' }
  const [name = '', ...rest] = path.split('/')
  if (rest.length > 0) return { path: path.replaceAll('/', '.'), message: 'must be a string' }
  const schema = known.get(name)
  return { path, message: schema?.[MESSAGE] ?? MESSAGES[schema?.type] ?? 'is not valid' }
}

/** No body. Some clients send null or an empty object instead; fields are refused. */
export const NO_FIELDS: Body<void> = {
  errors: BODY_ERRORS,
  read: async (request) => refuseFields(await readJsonBody(request)),
}

/** A body with further checks on its content. `refine` throws `invalid_request_body`. */
export function refined<T, U>(body: Body<T>, refine: (sent: T) => U): Body<U> {
  return { ...body, read: async (request) => refine(await body.read(request)) }
}

/** A body that the handler reads itself. */
export function deferred<T>(body: Body<T>): Body<() => Promise<T>> {
  return { ...body, read: async (request) => () => body.read(request) }
}

export const MAX_BODY_BYTES = 256 * 1024
const MAX_BODY_MS = 20_000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

/** The body as text. Throws like `readJsonBody` if it is too long, truncated or not UTF-8. */
export async function readTextBody(request: Request): Promise<string> {
  return decode(await readBodyBytes(request))
}

/**
 * The body as a JSON value; undefined if there is none. Throws `body_too_large` as soon as that
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

/** The JSON value of these bytes, undefined for none. Throws like `readJsonBody`. */
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

/** The cause of a refused body whose connection is closed: the rest of it may come for hours. */
export class LateBody extends Error {}

/**
 * The raw body, up to a limit. Throws `body_too_large`, and `invalid_request_body` if it was truncated or takes longer:
 * the server's own limit begins again with each byte.
 */
export async function readBodyBytes(
  request: Request,
  most: number = MAX_BODY_BYTES,
  timeoutMs: number = MAX_BODY_MS,
): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > most) throw tooLarge()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const message = `was not received completely within ${timeoutMs / 1_000} s`
    late.reject(invalidBody([{ path: '', message }], new LateBody()))
  }, timeoutMs)
  try {
    return await Promise.race([received(request, announced !== null, most), late.promise])
  } catch (error) {
    if (error instanceof AppError) throw error
    throw invalidBody([{ path: '', message: 'was not received completely' }], error)
  } finally {
    clearTimeout(timer)
  }
}

/** The server delivers at most Content-Length bytes; without that header they are counted. */
async function received(request: Request, isAnnounced: boolean, most: number): Promise<Uint8Array> {
  if (isAnnounced) return withinLimit(await request.bytes(), most)
  return request.body === null ? new Uint8Array() : readCounting(request.body, most)
}

async function readCounting(body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const reader = body.getReader()
  // In one piece, since a sender may make each byte a chunk of its own.
  const all = new Bun.ArrayBufferSink()
  all.start({ asUint8Array: true })
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > most) {
      await reader.cancel()
      throw tooLarge()
    }
    all.write(value)
  }
  return new Uint8Array(all.end())
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
