import { AppError, type ErrorCode } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'

/** An identifier in a path: its kind, its description, and the error if it is no UUID. */
export interface PathId<Id> {
  readonly description: string
  readonly example: string
  readonly code: ErrorCode
  brand(text: string): Id
}

/** The identifiers of a path whose values are those of T. */
export type PathIds<T> = { readonly [K in keyof T]: PathId<T[K]> }
export type KnownPathIds = Readonly<Record<string, PathId<unknown>>>

export function pathId<Id>(
  what: string,
  example: string,
  code: ErrorCode,
  brand: (text: string) => Id,
): PathId<Id> {
  return { description: `The identifier of the ${what}, a UUID.`, example, code, brand }
}

/** Reads an id. Throws the error of its kind, also for what the router could not even decode. */
export function parseId<Id>({ code, brand }: PathId<Id>, text: unknown, name = 'id'): Id {
  if (typeof text === 'string' && isUuid(text)) return brand(text)
  throw new AppError(code, [{ path: name, message: 'must be a UUID' }])
}

/** Reads the identifiers of a path from the texts in `sent`. Throws for the first wrong one. */
export function parseIds(
  ids: KnownPathIds,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, parseId(id, sent[name], name)]),
  )
}
