import { AppError, type ErrorCode } from '../../core/errors.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * An id as it stands in a path, in lower case. Throws the error with the given code, also for what the
 * router could not even decode.
 */
export function parseId(text: unknown, code: ErrorCode, name = 'id'): string {
  if (typeof text === 'string' && isUuid(text)) return text.toLowerCase()
  throw new AppError(code, [{ path: name, message: 'must be a UUID' }])
}

/** The identifiers in a path, as they were sent. */
export type PathIds = Readonly<Partial<Record<'id' | 'transactionId', unknown>>>

/** An identifier in a path, as the document describes it. */
export interface PathId {
  readonly description: string
  readonly example: string
}

export function pathId(what: string, example: string): PathId {
  return { description: `The identifier of the ${what}, a UUID.`, example }
}
