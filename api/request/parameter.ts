import { isUuid } from '../../core/base/ids.ts'
import { INSTANT_FORM, parseInstant } from '../../core/base/instant.ts'
import { pasted } from '../../core/base/text.ts'
import { type Address, anyCaseAddress, type Hex, isHash } from '../../core/chain/evm.ts'
import { chainsOf, findNetwork } from '../../core/chain/registry.ts'
import type { ApiConfig } from '../../core/config/api.ts'
import { type DocumentedSchema, flag, integer, text, time, uuid } from './schema.ts'

/** Query parameters: parser, error message and documentation of each. */

export interface Parameter<T> {
  readonly documented: DocumentedSchema
  readonly isRequired?: boolean
  /** True if its name contains a key, e.g. metadata.cart or metadata[cart]. */
  readonly isKeyed?: boolean
  /** Parses the parameter, or returns the error message. `key` is the one in its name. */
  read(text: string, config: ApiConfig, key?: string): ParsedParameter<T>
}

export type ParsedParameter<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

/** The parameters of a query whose values are those of T. */
export type Parameters<T> = { readonly [K in keyof T]: Parameter<T[K]> }
export type KnownParameters = Readonly<Record<string, Parameter<unknown>>>

/** `parse` returns null for malformed text. */
function reading<T>(form: string, parse: (text: string) => T | null) {
  return (text: string): ParsedParameter<T> => {
    const value = parse(text)
    return value === null ? { ok: false, message: form } : { ok: true, value }
  }
}

/** An optional parameter. */
export function parameter<T>(
  documented: DocumentedSchema,
  form: string,
  parse: (text: string) => T | null,
): Parameter<T | undefined> {
  return { documented, read: reading(form, parse) }
}

/** The same for pasted values: surrounding blanks and line breaks are removed. */
export function pastedParameter<T>(
  documented: DocumentedSchema,
  form: string,
  parse: (text: string) => T | null,
): Parameter<T | undefined> {
  return parameter(documented, form, (text) => parse(pasted(text)))
}

/** Larger than any list, and exact as a JavaScript number. */
const MAX_INTEGER = 1_000_000_000_000

export function integerParameter(
  description: string,
  example: number,
  rules: { readonly minimum: number; readonly maximum?: number; readonly default?: number },
) {
  const { minimum, maximum = MAX_INTEGER } = rules
  const form = `must be a whole number from ${minimum} to ${maximum}`
  return parameter(integer(description, example, rules), form, (text) => {
    const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    return number >= minimum && number <= maximum ? number : null
  })
}

/** One of some values. */
export function choiceParameter<T extends string>(
  description: string,
  example: T,
  values: readonly T[],
  rules: { readonly default?: T } = {},
) {
  const documented = text(description, example, { enum: [...values], ...rules })
  return parameter(documented, `must be one of ${values.join(', ')}`, (text) => {
    return values.find((value) => value === text) ?? null
  })
}

/** Text of 1 to `longest` characters, trimmed. */
function textMeaning(meant: (sent: string) => string) {
  return (description: string, example: string, longest: number) => {
    const form = `must have 1 to ${longest} characters`
    return parameter(text(description, example), form, (sent) => {
      const value = meant(sent)
      const { length } = [...value]
      return length >= 1 && length <= longest && !value.includes('\0') ? value : null
    })
  }
}

/** Text with its blanks. */
export const textParameter = textMeaning((sent) => sent)

/**
 * A search text, without surrounding blanks. Invisible characters are kept: names in
 * Persian or Hindi are written with joiners.
 */
export const searchParameter = textMeaning((sent) => sent.trim())

/** A reference to search for, possibly pasted. */
export const referenceParameter = textMeaning(pasted)

export function timeParameter(description: string, example: string) {
  return pastedParameter(time(description, example), INSTANT_FORM, parseInstant)
}

/** An inclusive range of time, for a list of e.g. 'invoices created'. */
export function createdParameters(things: string) {
  return {
    createdFrom: timeParameter(`Only ${things} at this time or later.`, '2026-08-01T00:00:00Z'),
    createdTo: timeParameter(`Only ${things} at this time or earlier.`, '2026-08-31T23:59:59Z'),
  }
}

export function flagParameter(description: string, example: boolean) {
  return parameter(flag(description, example), 'must be one of true, false', (text) => {
    return text === 'true' || text === 'false' ? text === 'true' : null
  })
}

/** An id with the brand of `brand`. */
export function idParameter<Id>(
  description: string,
  example: string,
  brand: (text: string) => Id,
): Parameter<Id | undefined> {
  return pastedParameter(uuid(description, example), 'must be a UUID', (text) => {
    return isUuid(text) ? brand(text) : null
  })
}

/** An address in any case, without a checksum: it only filters. */
export function addressParameter(documented: DocumentedSchema): Parameter<Address | undefined> {
  return pastedParameter(documented, 'must be an EVM address', (text) =>
    anyCaseAddress(text.toLowerCase()),
  )
}

const WORD_FORM = 'must be 32 bytes in hexadecimal, 0x first'

/** A required parameter of 32 bytes. */
export function wordParameter(documented: DocumentedSchema): Parameter<Hex> {
  return { documented, isRequired: true, read: reading(WORD_FORM, word) }
}

/** The hash of a transaction. */
export function hashParameter(documented: DocumentedSchema): Parameter<Hex | undefined> {
  return parameter(documented, WORD_FORM, word)
}

/** The networkId of a chain of this environment, from its CAIP-2 identifier or the networkId. */
export function networkParameter(
  description: string,
  example: string,
): Parameter<string | undefined> {
  return {
    documented: text(description, example),
    read(text, { environment }) {
      const chains = chainsOf(environment)
      const chain = findNetwork(chains, pasted(text))
      if (chain) return { ok: true, value: chain.networkId }
      const message = `must be one of ${chains.map(({ caip2 }) => caip2).join(', ')}`
      return { ok: false, message }
    },
  }
}

function word(text: string): Hex | null {
  const lower = pasted(text).toLowerCase()
  return isHash(lower) ? lower : null
}
