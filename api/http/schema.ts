import type { DocumentDecoration } from 'elysia'
import { ERRORS, type ErrorCode } from '../../core/errors.ts'

/** The pieces of which the OpenAPI document is made. */

type Responses = NonNullable<DocumentDecoration['responses']>
type Response = Exclude<Responses[string], Reference>
type Parameter = Exclude<NonNullable<DocumentDecoration['parameters']>[number], Reference>
type Schema = Exclude<NonNullable<Parameter['schema']>, Reference>
type Reference = { readonly $ref: string }

/** A JSON schema whose every field says what it means and shows a value. */
export type DocumentedSchema = Schema & { description: string; example: unknown }
export type Documented = DocumentDecoration

/** Keywords that narrow a schema. */
type Rules = Partial<
  Pick<Schema, 'format' | 'pattern' | 'enum' | 'minimum' | 'maximum' | 'default' | 'nullable'>
>

export function text(description: string, example: string, rules: Rules = {}): DocumentedSchema {
  return { type: 'string', description, example, ...rules }
}

export function optionalText(
  description: string,
  example: string | null,
  rules: Rules = {},
): DocumentedSchema {
  return { type: 'string', nullable: true, description, example, ...rules }
}

export function uuid(description: string, example: string): DocumentedSchema {
  return text(description, example, { format: 'uuid' })
}

export function time(description: string, example: string): DocumentedSchema {
  return text(description, example, { format: 'date-time' })
}

export function optionalTime(description: string, example: string | null): DocumentedSchema {
  return optionalText(description, example, { format: 'date-time' })
}

/** An amount in the token's major unit, as the shortest decimal string. */
export function amount(description: string, example: string): DocumentedSchema {
  return text(`${description} Decimal string in the token's major unit.`, example, {
    pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
  })
}

export function address(description: string, example: string): DocumentedSchema {
  return text(`${description} EVM address with its EIP-55 checksum.`, example, {
    pattern: '^0x[0-9a-fA-F]{40}$',
  })
}

export function integer(description: string, example: number, rules: Rules = {}): DocumentedSchema {
  return { type: 'integer', description, example, ...rules }
}

export function flag(description: string, example: boolean): DocumentedSchema {
  return { type: 'boolean', description, example }
}

export function object<K extends string>(
  description: string,
  properties: Readonly<Record<K, DocumentedSchema>>,
  required: readonly NoInfer<K>[] | 'all' = 'all',
): DocumentedSchema {
  const fields = Object.entries<DocumentedSchema>(properties)
  const example = Object.fromEntries(fields.map(([name, field]) => [name, field.example]))
  const names = required === 'all' ? Object.keys(properties) : [...required]
  return { type: 'object', description, required: names, properties: { ...properties }, example }
}

export function list(description: string, items: DocumentedSchema): DocumentedSchema {
  return { type: 'array', description, items, example: [items.example] }
}

/** A body in JSON. Fields that are not described are refused. */
export function jsonBody(schema: DocumentedSchema, { isRequired = true } = {}) {
  const closed = { ...schema, additionalProperties: false }
  return { required: isRequired, content: { 'application/json': { schema: closed } } }
}

const SUCCESS = flag('True: the request was carried out.', true)

/** The envelope of a single object. */
export function envelope(data: DocumentedSchema): DocumentedSchema {
  return object('The success envelope.', { success: SUCCESS, data })
}

/** The envelope of a list. */
export function listEnvelope(items: DocumentedSchema): DocumentedSchema {
  return object('The success envelope of a list.', {
    success: SUCCESS,
    data: list('The page that was asked for.', items),
    metadata: object('About the list as a whole.', {
      pagination: object('Where this page lies in the list.', {
        page: integer('The page, counted from 1.', 1),
        limit: integer('The most elements that a page has.', 20),
        total: integer('How many elements match, on all pages.', 1),
        totalPages: integer('How many pages there are; 0 when nothing matches.', 1),
      }),
    }),
  })
}

const TRACE_ID = '0198c1de-7a30-7000-8000-3f2a9d5f4b11'
const DETAILS = list(
  'What is wrong with which part of the request.',
  object('One thing to change.', {
    path: text('The field, with dots between levels; empty for the whole.', 'amountExpected'),
    message: text('What it has to be.', 'must be greater than 0'),
  }),
)

function errorSchema(
  isExplained: boolean,
  texts: readonly string[],
  more: Readonly<Record<string, DocumentedSchema>>,
): DocumentedSchema {
  const properties: Record<string, DocumentedSchema> = {
    success: flag('False: the request was not carried out.', false),
    error: text('What went wrong.', texts[0] ?? '', { enum: [...texts] }),
    traceId: uuid('Names this request to support; also in the header X-Trace-Id.', TRACE_ID),
    ...more,
  }
  if (isExplained) properties.details = DETAILS
  return object('The error envelope.', properties)
}

type Headers = NonNullable<Response['headers']>

const TRACE_HEADER: Headers = {
  'X-Trace-Id': {
    description: 'Names this request to support.',
    schema: uuid('Names this request to support.', TRACE_ID),
  },
}
const LIMIT_HEADERS: Headers = {
  'X-RateLimit-Limit': {
    description: 'The most requests per minute.',
    schema: integer('The most requests per minute.', 120),
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left in the window.',
    schema: integer('Requests that are left in the window.', 119),
  },
}
const RETRY_HEADER: Headers = {
  'Retry-After': {
    description: 'Seconds to wait.',
    schema: integer('Seconds to wait.', 12),
  },
}

export interface ResponseOptions {
  /** False for endpoints without a rate limit. */
  readonly isLimited?: boolean
}

/** Describes what a route answers: its successes by status and the codes of its errors. */
export function responses(
  successes: Readonly<Record<number, { description: string; schema: DocumentedSchema }>>,
  errors: readonly ErrorCode[],
  { isLimited = true }: ResponseOptions = {},
): Responses {
  const headers = isLimited ? { ...TRACE_HEADER, ...LIMIT_HEADERS } : TRACE_HEADER
  const documented: Responses = {}
  for (const [status, { description, schema }] of Object.entries(successes)) {
    documented[status] = { description, headers, content: { 'application/json': { schema } } }
  }
  const all: readonly ErrorCode[] = [
    ...errors,
    ...(isLimited ? (['too_many_requests'] as const) : []),
    'internal_error',
  ]
  for (const [status, codes] of Map.groupBy(all, (code) => ERRORS[code].status)) {
    documented[status] = errorResponse(status, codes, headers)
  }
  return documented
}

/** Errors other than those of the request's form that say what to change. */
const EXPLAINED: ReadonlySet<ErrorCode> = new Set([
  'endpoint_conflict',
  'refund_address_not_allowed',
  'refund_not_possible',
  'scenario_not_possible',
])

/** Describes one status with all the errors that it stands for. */
export function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  headers: Headers = TRACE_HEADER,
  more: Readonly<Record<string, DocumentedSchema>> = {},
): Response {
  const texts = codes.map((code) => ERRORS[code].text)
  const isExplained = status === 400 || codes.some((code) => EXPLAINED.has(code))
  const schema = errorSchema(isExplained, texts, more)
  const examples = Object.fromEntries(
    texts.map((error) => [error, { value: { ...Object(schema.example), error } }]),
  )
  return {
    description: texts.join(' · '),
    headers: status === 429 ? { ...headers, ...RETRY_HEADER } : headers,
    content: { 'application/json': { schema, examples } },
  }
}
