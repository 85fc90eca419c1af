import { ERRORS, type ErrorCode, errorDocs, isExplained } from '../../core/errors.ts'
import {
  type Documented,
  type DocumentedSchema,
  extended,
  list,
  literal,
  named,
  type Reference,
  text,
  uuid,
} from './schema.ts'

/**
 * Errors as the OpenAPI document describes them: a schema for each code, and for each status of a route
 * the union of those that it answers, told apart by `code`.
 */

type Response = Exclude<NonNullable<Documented['responses']>[string], Reference>

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

const SHARED = { success: FAILURE, docs: PAGE, traceId: TRACE }
/** What all errors have, so that it stands in the document once. */
const UNEXPLAINED = named('AnyError', 'What every error has.', SHARED)
const EXPLAINED = named('AnyExplainedError', 'What an error has that says what to change.', {
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
          description: 'By `code`.',
          example: first.example,
          oneOf: [first, ...others],
        }
  return {
    description: codes.map((code) => ERRORS[code].text).join(' · '),
    content: { 'application/json': { schema } },
  }
}

/** The envelope with this error. One with more fields needs a name of its own. */
export function errorSchema(
  code: ErrorCode,
  more: MoreFields = {},
  name: string = nameOf(code),
): DocumentedSchema {
  const base = isExplained(code) ? EXPLAINED : UNEXPLAINED
  return extended<string>(name, `Status ${ERRORS[code].status}.`, base, {
    error: literal('In words.', ERRORS[code].text),
    code: literal('Stable.', code),
    ...more,
  })
}

/** invoice_not_found is InvoiceNotFoundError, internal_error InternalError. */
function nameOf(code: ErrorCode): string {
  const words = code.replace(/_error$/, '').split('_')
  const pascal = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')
  return `${pascal}Error`
}
