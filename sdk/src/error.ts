import type { components } from './schema.ts'

type Schemas = components['schemas']

/** Every code that the API's document names; a newer API may have others. */
export type ErrorCode = {
  [Name in keyof Schemas]: Schemas[Name] extends { success: false; code: infer Code }
    ? Literal<Code>
    : never
}[keyof Schemas]

/** What all errors have in common has some code, and no certain one. */
type Literal<T> = string extends T ? never : T

/** One thing to change in a request: where it is, and what it must be. */
export interface RemitErrorDetail {
  /** The field, with dots between levels; empty for the whole. */
  readonly path: string
  readonly message: string
}

/** The API answered, and did not carry the request out. */
export class RemitError extends Error {
  override readonly name = 'RemitError'
  /** The HTTP status. */
  readonly status: number
  /** The text of the error, e.g. `invoice not found`; empty when the answer was not the API's. */
  readonly error: string
  /** The stable, machine-readable code, e.g. `invoice_not_found`; null when the answer has none. */
  readonly code: ErrorCode | (string & {}) | null
  /** The path of its page in the API's documentation; null when the answer has none. */
  readonly docs: string | null
  /** Names the request to support; null when the answer has none. */
  readonly traceId: string | null
  readonly details: readonly RemitErrorDetail[]
  /** Seconds of `Retry-After`; null without one. */
  readonly retryAfter: number | null

  /** `body` is the answer as parsed JSON, or its text. */
  constructor(response: Response, body: unknown) {
    const answer: Readonly<Record<string, unknown>> = Object(body)
    const error = textIn(answer.error) ?? ''
    const details = detailsIn(answer.details)
    const reasons = details.map(({ path, message }) =>
      path === '' ? message : `${path} ${message}`,
    )
    super([error || `the server answered ${response.status}`, ...reasons].join(': '))
    this.status = response.status
    this.error = error
    this.code = textIn(answer.code)
    this.docs = textIn(answer.docs)
    this.traceId = textIn(answer.traceId) ?? response.headers.get('x-trace-id')
    this.details = details
    this.retryAfter = retryAfterOf(response, Date.now())
  }
}

/** Retry-After in seconds, from either of its forms (RFC 9110, section 10.2.3); null without one. */
export function retryAfterOf(response: Response, now: number): number | null {
  const text = response.headers.get('retry-after')
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function detailsIn(value: unknown): RemitErrorDetail[] {
  if (!Array.isArray(value)) return []
  return value.map((detail) => ({
    path: String(Object(detail).path ?? ''),
    message: String(Object(detail).message ?? ''),
  }))
}
