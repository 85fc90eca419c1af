import { ERRORS, type ErrorCode } from '../../core/errors.ts'
import {
  type Documented,
  type DocumentedSchema,
  flag,
  integer,
  list,
  named,
  object,
  optionalText,
  type Reference,
  text,
  uuid,
} from './schema.ts'

/** What routes answer, as the OpenAPI document describes it. */

export type Responses = NonNullable<Documented['responses']>
type Response = Exclude<Responses[string], Reference>
type Headers = NonNullable<Response['headers']>

/** What a route answers when it succeeds. */
export interface Success {
  readonly description: string
  readonly schema: DocumentedSchema
  /** JSON without it. */
  readonly contentType?: string
}

/** By HTTP status. */
export type SuccessResponses = Readonly<Record<number, Success>>

export const SUCCESS = flag('It was carried out.', true)

/** One object in the success envelope. */
export function one(description: string, data: DocumentedSchema): Success {
  return { description, schema: object('Success.', { success: SUCCESS, data }) }
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
  return listed(description, items, PAGINATION)
}

/** One page of a list, by its number or by cursor, in its success envelope. */
export function paged(description: string, items: DocumentedSchema): Success {
  const { example } = PAGINATION
  return listed(description, items, {
    oneOf: [PAGINATION, CURSORS],
    description: 'Its place.',
    example,
  })
}

function listed(description: string, items: DocumentedSchema, pagination: DocumentedSchema) {
  const schema = object('Success.', {
    success: SUCCESS,
    data: list('The page.', items),
    metadata: object('About the list.', { pagination }),
  })
  return { description, schema }
}

const TRACE_ID = '0198c1de-7a30-7000-8000-3f2a9d5f4b11'
const DETAILS = list(
  'What is wrong with which part of the request.',
  named('ErrorDetail', 'One thing to change.', {
    path: text('The field, with dots between levels; empty for the whole.', 'amountExpected'),
    message: text('What it has to be.', 'must be greater than 0'),
  }),
)

function header(schema: DocumentedSchema) {
  return { description: schema.description, schema }
}

const TRACE_HEADER: Headers = {
  'X-Trace-Id': header(uuid('Names this request to support.', TRACE_ID)),
}
const LIMIT_HEADERS: Headers = {
  'X-RateLimit-Limit': header(integer('The most requests per minute.', 120)),
  'X-RateLimit-Remaining': header(integer('Requests that are left in the window.', 119)),
}
const RETRY_HEADER: Headers = { 'Retry-After': header(integer('Seconds to wait.', 12)) }

/** Describes the successes and the errors of a route. */
export function responses(
  successes: SuccessResponses,
  errors: readonly ErrorCode[],
  isLimited: boolean,
): Responses {
  const headers = isLimited ? { ...TRACE_HEADER, ...LIMIT_HEADERS } : TRACE_HEADER
  const documented: Responses = {}
  for (const [status, { description, schema, contentType }] of Object.entries(successes)) {
    const content = { [contentType ?? 'application/json']: { schema } }
    documented[status] = { description, headers, content }
  }
  const limited: readonly ErrorCode[] = isLimited ? ['too_many_requests'] : []
  const all: readonly ErrorCode[] = [...errors, ...limited, 'internal_error']
  for (const [status, codes] of Map.groupBy(all, (code) => ERRORS[code].status)) {
    documented[status] = errorResponse(status, codes, headers)
  }
  return documented
}

/** Errors besides status 400 whose answers have details. */
const EXPLAINED: ReadonlySet<ErrorCode> = new Set([
  'endpoint_conflict',
  'choice_not_possible',
  'client_reference_conflict',
  'origin_not_allowed',
  'refund_address_kept',
  'refund_address_not_allowed',
  'refund_by_person_only',
  'refund_not_possible',
  'scenario_not_possible',
])

/** Describes one status with all its errors. */
export function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  headers: Headers = TRACE_HEADER,
  more: Readonly<Record<string, DocumentedSchema>> = {},
): Response {
  const texts = codes.map((code) => ERRORS[code].text)
  const isExplained = status === 400 || codes.some((code) => EXPLAINED.has(code))
  const schema = errorSchema(isExplained, texts, more)
  // The example of a single error follows from its schema.
  const several = texts.length > 1 ? texts : []
  const examples = Object.fromEntries(
    several.map((error) => [error, { value: { ...Object(schema.example), error } }]),
  )
  return {
    description: texts.join(' · '),
    headers: status === 429 ? { ...headers, ...RETRY_HEADER } : headers,
    content: { 'application/json': several.length > 0 ? { schema, examples } : { schema } },
  }
}

function errorSchema(
  isExplained: boolean,
  texts: readonly string[],
  more: Readonly<Record<string, DocumentedSchema>>,
): DocumentedSchema {
  const explanation: Readonly<Record<string, DocumentedSchema>> = isExplained
    ? { details: DETAILS }
    : {}
  return object<string>('The error envelope.', {
    success: flag('False: the request was not carried out.', false),
    error: text('What went wrong.', texts[0] ?? '', { enum: [...texts] }),
    traceId: uuid('Names this request to support; also in the header X-Trace-Id.', TRACE_ID),
    ...more,
    ...explanation,
  })
}
