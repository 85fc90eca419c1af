import { AppError, type ErrorCode } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'

/**
 * An id as it stands in a path, of the kind that `brand` makes. Throws the error with the given code,
 * also for what the router could not even decode.
 */
export function parseId<Id>(
  brand: (text: string) => Id,
  text: unknown,
  code: ErrorCode,
  name = 'id',
): Id {
  if (typeof text === 'string' && isUuid(text)) return brand(text)
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
