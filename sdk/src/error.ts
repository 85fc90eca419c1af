import type { components } from './schema.ts'

type Schemas = components['schemas']

/** Every code in the API's document; newer APIs may have others. */
export type ErrorCode = {
  [Name in keyof Schemas]: Schemas[Name] extends { success: false; code: infer Code }
    ? Literal<Code>
    : never
}[keyof Schemas]

/** The base of all errors has no specific code. */
type Literal<T> = string extends T ? never : T

/** A problem of a request: the field, and what is required. */
export interface RemitErrorDetail {
  /** The field, with dots between levels; empty for the whole request. */
  readonly path: string
  readonly message: string
}

/** The API refused a request, or failed. */
export class RemitError extends Error {
  override readonly name = 'RemitError'
  /** The HTTP status. */
  readonly status: number
  /** The message, e.g. `invoice not found`; empty if the response is not the API's. */
  readonly error: string
  /** The stable, machine-readable code, e.g. `invoice_not_found`; null if the response has none. */
  readonly code: ErrorCode | (string & {}) | null
  /** The path of its documentation; null if the response has none. */
  readonly docs: string | null
  /** Identifies the request for support; null if the response has none. */
  readonly traceId: string | null
  readonly details: readonly RemitErrorDetail[]
  /** Seconds of `Retry-After`; null without one. */
  readonly retryAfter: number | null

  /** `body` is the response as parsed JSON, or its text. */
  constructor(response: Response, body: unknown) {
    const answer: Readonly<Record<string, unknown>> = Object(body)
    const error = textIn(answer.error) ?? ''
    const details = detailsIn(answer.details)
    const reasons = details.map(({ path, message }) =>
      path === '' ? message : `${path} ${message}`,
    )
    super([error || `the server returned ${response.status}`, ...reasons].join(': '))
    this.status = response.status
    this.error = error
    this.code = textIn(answer.code)
    this.docs = textIn(answer.docs)
    this.traceId = textIn(answer.traceId) ?? response.headers.get('x-trace-id')
    this.details = details
    this.retryAfter = retryAfterOf(response, Date.now())
  }
}

/** Retry-After in seconds, from both of its forms (RFC 9110, section 10.2.3); null without one. */
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
