import { ERRORS, type ErrorCode } from '../../core/base/errors.ts'
import { errorContent, errorSchema } from './errors.ts'
import {
  type Documented,
  type DocumentedSchema,
  integer,
  list,
  literal,
  named,
  objectOf,
  optionalText,
  type Reference,
  type Schema,
} from './schema.ts'

/** What routes answer, as the OpenAPI document describes it. */

export type Responses = NonNullable<Documented['responses']>
type Response = Exclude<Responses[string], Reference>
type Headers = NonNullable<Response['headers']>

/** What a route answers when it succeeds. */
export interface Success {
  readonly description: string
  readonly schema: Schema
  /** JSON without it. */
  readonly contentType?: string
  /** What is shown instead of an object with every field. */
  readonly example?: unknown
}

/** By HTTP status. */
export type SuccessResponses = Readonly<Record<number, Success>>

export const SUCCESS: DocumentedSchema = {
  title: 'Success',
  ...literal('The request was carried out.', true),
}

/** One object in the success envelope, which stands in the document once where the object has a name. */
export function one(description: string, data: DocumentedSchema): Success {
  const schema = objectOf({ success: SUCCESS, data })
  const { title } = data
  return {
    description,
    schema: title === undefined ? schema : { title: `${title}Answer`, ...schema },
  }
}

const PAGINATION = named('Pagination', 'Where this page lies in the list.', {
  page: integer('The page, counted from 1.', 1),
  limit: integer('The most elements that a page has.', 20),
  total: integer('How many elements match, on all pages.', 1),
  totalPages: integer('How many pages there are; 0 when nothing matches.', 1),
})

const CURSORS = named('PageCursors', 'The cursors of a page.', {
  limit: integer('The most elements that a page has.', 20),
  next: optionalText('The `after` of the next page; null at the end.', null),
  previous: optionalText('The `before` of the page before; null at the start.', null),
})

/** A list on one page, in its success envelope. */
export function many(description: string, items: DocumentedSchema): Success {
  return listed(description, items, 'WholeListMetadata', PAGINATION)
}

/** One page of a list, by its number or by cursor, in its success envelope. */
export function paged(description: string, items: DocumentedSchema): Success {
  const { example } = PAGINATION
  return listed(description, items, 'PageMetadata', {
    oneOf: [PAGINATION, CURSORS],
    description: 'Its place.',
    example,
  })
}

function listed(
  description: string,
  items: DocumentedSchema,
  name: string,
  pagination: DocumentedSchema,
) {
  const envelope = named(`${name.replace('Metadata', '')}Answer`, 'The envelope of a list.', {
    success: SUCCESS,
    metadata: named(name, 'About the list.', { pagination }),
  })
  // What all lists have stands in the document once.
  const { type: _, ...own } = objectOf({ data: list('The page.', items) })
  const example = { ...Object(envelope.example), ...Object(own.example) }
  return { description, schema: { allOf: [envelope, own], example } }
}

function header(schema: DocumentedSchema) {
  return { description: schema.description, schema }
}

/** Other answers have those of the limit, too; the description of the API says so once. */
const LIMIT_HEADERS: Headers = {
  'Retry-After': header(integer('Seconds to wait.', 12)),
  'X-RateLimit-Limit': header(integer('The most requests per minute.', 120)),
  'X-RateLimit-Remaining': header(integer('Requests that are left in the window.', 0)),
}

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
    documented[status] = status === 429 ? { ...content, headers: LIMIT_HEADERS } : content
  }
  return documented
}

/**
 * What almost every route may answer, 500 and 503, stands in the document as one range of statuses. Where a
 * route has other errors of such a status, that status goes before the range (OpenAPI 3.1, section 4.8.16.1).
 */
const OUR_FAULTS: ReadonlySet<ErrorCode> = new Set(['internal_error', 'service_unavailable'])

const statusOf = (code: ErrorCode) => ERRORS[code].status

/** One error of a route, which may have more fields than it has elsewhere. */
export function specialError(
  code: ErrorCode,
  name: string,
  more: Readonly<Record<string, DocumentedSchema>>,
): Response {
  const content = { 'application/json': { schema: errorSchema(code, more, name) } }
  return { description: ERRORS[code].text, content }
}
