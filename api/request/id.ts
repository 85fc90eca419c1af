import { AppError, type ErrorCode } from '../../core/base/errors.ts'
import { isUuid } from '../../core/base/ids.ts'
import { pasted } from '../../core/base/text.ts'
import { type Address, anyCaseAddress } from '../../core/chain/evm.ts'
import { PAYER } from './examples.ts'
import { type Documented, text } from './schema.ts'

/** An identifier in a path: its kind, its description, and its error. */
export interface PathId<Id> {
  readonly description: string
  readonly example: string
  readonly code: ErrorCode
  /** The message of the error. */
  readonly form: string
  /** The identifier, or null for a malformed text. */
  parse(text: string): Id | null
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
  const description = `The identifier of the ${what}, a UUID.`
  const parse = (text: string) => (isUuid(text) ? brand(text) : null)
  return { description, example, code, form: 'must be a UUID', parse }
}

export const ADDRESS_PARAMETER: PathId<Address> = {
  description: 'The address.',
  example: PAYER,
  code: 'invalid_recipient',
  form: 'must be an EVM address',
  parse: anyCaseAddress,
}

/** Reads an id. Throws the error of its kind, also if the router could not decode it. */
export function parseId<Id>({ code, form, parse }: PathId<Id>, text: unknown, name = 'id'): Id {
  const id = typeof text === 'string' ? parse(pasted(text)) : null
  if (id !== null) return id
  throw new AppError(code, [{ path: name, message: form }])
}

/** Reads the identifiers of a path from the texts in `sent`. Throws for the first malformed one. */
export function parseIds(
  ids: KnownPathIds,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, parseId(id, sent[name], name)]),
  )
}

/** Identifiers as parameters of the document. */
export function describeIds(ids: KnownPathIds): NonNullable<Documented['parameters']> {
  return Object.entries(ids).map(([name, { description, example }]) => {
    return { name, in: 'path', required: true, schema: text(description, example) }
  })
}
