import { ERRORS, type ErrorCode, errorDocs, isExplained } from '../../core/base/errors.ts'
import {
  type Documented,
  type DocumentedSchema,
  list,
  literal,
  named,
  objectOf,
  type Reference,
  type Schema,
  text,
  uuid,
} from './schema.ts'

/**
 * Errors as the OpenAPI document describes them: a schema for each code, and for each status of a route
 * the union of those that it answers, told apart by `code`.
 */

type Response = Exclude<NonNullable<Documented['responses']>[string], Reference>

/** A component of the document; that it is an error of a status is said where it stands. */
type NamedSchema = Schema & { readonly title: string; readonly example: unknown }

/** Fields that an error of one route has besides those of every error. */
type MoreFields = Readonly<Record<string, DocumentedSchema>>

const TRACE = {
  title: 'TraceId',
  ...uuid(
    'Names this request to support; also in the header X-Trace-Id.',
    '0198c1de-7a30-7000-8000-3f2a9d5f4b11',
  ),
}

const PAGE = {
  title: 'ErrorPage',
  ...text('Where it is explained.', errorDocs('internal_error'), { format: 'uri-reference' }),
}

const FAILURE = { title: 'Failure', ...literal('An error.', false) }

const DETAILS = {
  title: 'Details',
  ...list(
    'What is wrong with which part of the request.',
    named('ErrorDetail', 'One thing to change.', {
      path: text('The field, with dots between levels; empty for the whole.', 'amountExpected'),
      message: text('What it has to be.', 'must be greater than 0'),
    }),
  ),
}

const SHARED = {
  success: FAILURE,
  error: text('In words.', ERRORS.internal_error.text),
  code: text('Stable.', 'internal_error'),
  docs: PAGE,
  traceId: TRACE,
}
/** What all errors have, so that it stands in the document once. */
const UNEXPLAINED = named('AnyError', 'What every error has.', SHARED)
const EXPLAINED = named('ExplainedError', 'What an error has that says what to change.', {
  ...SHARED,
  details: DETAILS,
})

/** Describes one status with all its errors, without its headers. */
export function errorContent(codes: readonly ErrorCode[]): Response {
  const [first, ...others] = codes.map((code) => errorSchema(code))
  if (first === undefined) throw new TypeError('a response needs an error')
  const schema =
    others.length === 0
      ? first
      : // Each has its own `code`: by that constant alone the union narrows.
        {
          example: first.example,
          oneOf: [first, ...others],
        }
  return {
    description: codes.map((code) => ERRORS[code].text).join(' · '),
    content: { 'application/json': { schema } },
  }
}

/** The envelope with this error. One that may have more fields needs a name of its own. */
export function errorSchema(
  code: ErrorCode,
  more: MoreFields = {},
  name: string = nameOf(code),
): NamedSchema {
  const base = isExplained(code) ? EXPLAINED : UNEXPLAINED
  const { status, text } = ERRORS[code]
  // What these two mean is said by the base; here are their values.
  const own = { properties: { error: only(text), code: only(code) } }
  const added = Object.keys(more).length === 0 ? [] : [objectOf(more, [])]
  return {
    title: name,
    // Others stand where their status is.
    ...(status < 500 ? {} : { description: `Status ${status}.` }),
    allOf: [base, own, ...added],
    example: { ...Object(base.example), error: text, code },
  }
}

/** A schema that admits one text. */
function only(text: string): Schema & Pick<DocumentedSchema, 'const'> {
  return { const: text }
}

/** invoice_not_found is InvoiceNotFoundError, internal_error InternalError. */
function nameOf(code: ErrorCode): string {
  const words = code.replace(/_error$/, '').split('_')
  const pascal = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')
  return `${pascal}Error`
}
