import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { ERRORS, type ErrorCode, errorDocs, isExplained } from '../../core/base/errors.ts'
import {
  type Documented,
  type DocumentedSchema,
  integer,
  list,
  literal,
  named,
  optionalText,
  partial,
  type Reference,
  text,
  unchecked,
  uuid,
} from './schema.ts'

/** Responses of routes in the OpenAPI document. */

export type Responses = NonNullable<Documented['responses']>
type Response = Exclude<Responses[string], Reference>
type Headers = NonNullable<Response['headers']>

/** A success response of a route. */
export interface Success {
  readonly description: string
  readonly schema: TSchema
  /** The media type; JSON by default. */
  readonly contentType?: string
  /** An example instead of an object with every field. */
  readonly example?: unknown
}

/** By HTTP status. */
export type SuccessResponses = Readonly<Record<number, Success>>

export const SUCCESS: DocumentedSchema = {
  title: 'Success',
  ...literal('The request succeeded.', true),
}

/** An object in the success envelope; one schema per named object. */
export function one(description: string, data: DocumentedSchema): Success {
  const title = data.title === undefined ? {} : { title: `${data.title}Answer` }
  return { description, schema: Type.Object({ success: SUCCESS, data }, title) }
}

const PAGINATION = named('Pagination', 'The position of the page in the list.', {
  page: integer('The page, counted from 1.', 1),
  limit: integer('The maximum number of elements per page.', 20),
  total: integer('The number of matching elements on all pages.', 1),
  totalPages: integer('The number of pages; 0 without matches.', 1),
})

/** The position of a page, as metadata. */
export type Pagination = Static<typeof PAGINATION>

const CURSORS = named('PageCursors', 'The cursors of a page.', {
  limit: integer('The maximum number of elements per page.', 20),
  next: optionalText('The `after` of the next page; null at the end.', null),
  previous: optionalText('The `before` of the previous page; null at the start.', null),
})

/** The cursors of a page, as metadata. */
export type CursorPagination = Static<typeof CURSORS>

/** A list on one page, in its success envelope. */
export function many(description: string, items: DocumentedSchema): Success {
  return listed(description, items, 'WholeListMetadata', PAGINATION)
}

/** One page of a list, by its number or by cursor, in its success envelope. */
export function paged(description: string, items: DocumentedSchema): Success {
  const place = unchecked({
    oneOf: [PAGINATION, CURSORS],
    description: 'The position of the page.',
  })
  return listed(description, items, 'PageMetadata', place)
}

function listed(
  description: string,
  items: DocumentedSchema,
  name: string,
  pagination: DocumentedSchema,
) {
  const envelope = named(`${name.replace('Metadata', '')}Answer`, 'The envelope of a list.', {
    success: SUCCESS,
    metadata: named(name, 'The metadata of the list.', { pagination }),
  })
  // The common part of all lists is one schema.
  const { type: _, ...own } = Type.Object({ data: list('The page.', items) })
  return { description, schema: Type.Unsafe<unknown>({ allOf: [envelope, own] }) }
}

function header(schema: DocumentedSchema) {
  return { description: schema.description, schema }
}

/** Headers as components. Other responses have those of the rate limit too, which the description states once. */
export const LIMIT_HEADERS: Headers = {
  'Retry-After': header(integer('Seconds to wait.', 12)),
  'X-RateLimit-Limit': header(integer('The limit of requests per minute.', 120)),
  'X-RateLimit-Remaining': header(integer('The remaining requests in the window.', 0)),
}

const LIMITED = Object.fromEntries(
  Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

/** Describes the successes and the errors of a route. */
export function responses(
  successes: SuccessResponses,
  errors: readonly ErrorCode[],
  isLimited: boolean,
): Responses {
  const documented: Responses = {}
  for (const [status, success] of Object.entries(successes)) {
    const { description, schema, contentType = 'application/json', example } = success
    const content = { [contentType]: example === undefined ? { schema } : { schema, example } }
    documented[status] = { description, content }
  }
  const limited: readonly ErrorCode[] = isLimited ? ['too_many_requests'] : []
  const all = new Set<ErrorCode>([...errors, ...limited, 'internal_error'])
  const own = new Set(errors.filter((code) => !OUR_FAULTS.has(code)).map(statusOf))
  const byStatus = Map.groupBy(all, (code) => {
    const status = statusOf(code)
    return OUR_FAULTS.has(code) && !own.has(status) ? '5XX' : status
  })
  for (const [status, codes] of byStatus) {
    const content = errorContent(codes)
    // Said once, by the answer that most routes share.
    documented[status] =
      status === 429 && codes.length === 1 ? { ...content, headers: LIMITED } : content
  }
  return documented
}

/**
 * Almost every route may return 500 and 503: the document has them as a range of statuses. If a
 * route has other errors of such a status, that status takes precedence (OpenAPI 3.1, section 4.8.16.1).
 */
const OUR_FAULTS: ReadonlySet<ErrorCode> = new Set(['internal_error', 'service_unavailable'])

const statusOf = (code: ErrorCode) => ERRORS[code].status

/**
 * Errors: a schema for each code, and for each status of a route the union of its errors, with `code`
 * as discriminator.
 */

const TRACE = {
  title: 'TraceId',
  ...uuid(
    'Identifies this request for support; also in the header X-Trace-Id.',
    '0198c1de-7a30-7000-8000-3f2a9d5f4b11',
  ),
}

const PAGE = {
  title: 'ErrorPage',
  ...text('A link to its documentation.', errorDocs('internal_error'), { format: 'uri-reference' }),
}

const FAILURE = { title: 'Failure', ...literal('An error.', false) }

const DETAILS = {
  title: 'Details',
  ...list(
    'The problems of the request.',
    named('ErrorDetail', 'A problem.', {
      path: text(
        'The field, with dots between levels; empty for the whole request.',
        'amountExpected',
      ),
      message: text('What is wrong, or what is required.', 'must be greater than 0'),
    }),
  ),
}

const SHARED = {
  success: FAILURE,
  error: text('The message.', ERRORS.internal_error.text),
  code: text('Stable.', 'internal_error'),
  docs: PAGE,
  traceId: TRACE,
}
/** The common fields of all errors, as one schema. */
const UNEXPLAINED = named('AnyError', 'The fields of every error.', SHARED)
const EXPLAINED = named('ExplainedError', 'An error with details.', {
  ...SHARED,
  details: DETAILS,
})

/** Describes one status with all its errors, without its headers. `code` is the discriminator. */
export function errorContent(codes: readonly ErrorCode[]): Response {
  const schema = Type.Union(codes.map((code) => errorSchema(code)))
  return {
    // The texts are in the schemas of the errors.
    description: codes.length > 1 ? 'See `code`.' : codes.map((code) => ERRORS[code].text).join(''),
    content: { 'application/json': { schema } },
  }
}

/** An error of a route. If it has additional fields there, it gets its own name. */
export function specialError(
  code: ErrorCode,
  name: string,
  more: Readonly<Record<string, DocumentedSchema>>,
): Response {
  const content = { 'application/json': { schema: errorSchema(code, name, more) } }
  return { description: ERRORS[code].text, content }
}

function errorSchema(
  code: ErrorCode,
  title: string = nameOf(code),
  more: Readonly<Record<string, DocumentedSchema>> = {},
): TSchema {
  const base = isExplained(code) ? EXPLAINED : UNEXPLAINED
  const { status, text } = ERRORS[code]
  // The base has the descriptions of these two fields.
  const own = { properties: { error: { const: text }, code: { const: code } } }
  const added = Object.keys(more).length === 0 ? [] : [Type.Object(partial(more))]
  const about = status < 500 ? {} : { description: `Status ${status}.` }
  return Type.Unsafe<unknown>({ title, ...about, allOf: [base, own, ...added] })
}

/** invoice_not_found becomes InvoiceNotFoundError, internal_error InternalError. */
function nameOf(code: ErrorCode): string {
  const words = code.replace(/_error$/, '').split('_')
  const pascal = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')
  return `${pascal}Error`
}
