import { type Static, type TObject, type TSchema, Type, TypeGuard } from '@sinclair/typebox'
import { TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { type ErrorDetail, MOST_DETAILS } from '../../core/base/errors.ts'
import { pasted } from '../../core/base/text.ts'
import { TOLERANCE_FORM } from '../../core/invoice/tolerance.ts'
import { BODY_ERRORS, type Body, invalidBody, readJsonBody } from './body.ts'
import {
  type DocumentedSchema,
  flag,
  jsonBody,
  list,
  nullable,
  numberOrText,
  object,
  type Rules,
  TOLERANCE_REQUEST,
  text,
} from './schema.ts'

/** Fields of request bodies, each written once: its type, its error message, its documentation. */

/** A field of a body. */
export interface Field<S extends TSchema = TSchema> {
  readonly schema: S
  /** The error message for any other type. */
  readonly form: string
  readonly documented: DocumentedSchema
  /** False for what callers are better off without until they want it: it is in no example of a body. */
  readonly isShown?: boolean
  /** What is meant by a text, where people paste it: without the blanks and line ends that come along. */
  readonly meant?: Meaning | undefined
}

type Meaning = (text: string) => string
type Fields = Readonly<Record<string, Field>>
type Schemas<F extends Fields> = { [K in keyof F]: F[K]['schema'] }

/** The value that is read from a body. */
export type Sent<B> = B extends Body<infer T> ? T : never

export function field<S extends TSchema>(
  schema: S,
  form: string,
  documented: DocumentedSchema,
): Field<S> {
  return { schema, form, documented }
}

export function stringField(description: string, example: string, rules: Rules = {}) {
  return field(Type.String(), 'must be a string', text(description, example, rules))
}

/** An address, hash, id, e-mail address, time or name of a chain: what people paste. */
export function pastedField(description: string, example: string, rules: Rules = {}) {
  return { ...stringField(description, example, rules), meant: pasted }
}

/** A name or the like that people paste; its error message shows an example. */
export function wordField(description: string, example: string) {
  const form = `must be a string, e.g. "${example}"`
  return { ...field(Type.String(), form, text(description, example)), meant: pasted }
}

export function flagField(description: string, example: boolean) {
  return field(Type.Boolean(), 'must be true or false', flag(description, example))
}

/** An array of at most `most` strings, which people may have pasted. */
export function textsField(description: string, item: DocumentedSchema, most: number) {
  const schema = Type.Array(Type.String(), { maxItems: most })
  const documented = { ...list(description, item), maxItems: most }
  const form = `must be an array of at most ${most} strings`
  return { ...field(schema, form, documented), meant: pasted }
}

/** An amount in a token's major unit, as a JSON number or as a string that keeps every digit. */
export function amountField(
  description: string,
  example: string,
  documented: DocumentedSchema = numberOrText(description, example),
) {
  const form = `must be a number or a decimal string, e.g. "${example}"`
  return field(Type.Union([Type.Number(), Type.String()]), form, documented)
}

/** How much less than was asked for is enough: an amount in a token's major unit, or basis points. */
export function toleranceField() {
  const schema = Type.Union([Type.Number(), Type.String()])
  return field(schema, TOLERANCE_FORM, TOLERANCE_REQUEST)
}

/** A URL, of which only blanks around it are not meant: inside, invisible characters may count. */
export function urlField(description: string, example: string) {
  return { ...wordField(description, example), meant: (text: string) => text.trim() }
}

/** A field that may be left out, for which null is the same. */
export function optional<S extends TSchema>(
  { schema, form, documented, meant }: Field<S>,
  { isShown = true }: { readonly isShown?: boolean } = {},
) {
  return { ...field(Type.Optional(schema), form, nullable(documented)), isShown, meant }
}

/** The fields as the document describes them. */
export function documentedFields<K extends string>(
  fields: Readonly<Record<K, Field>>,
): Record<K, DocumentedSchema>
export function documentedFields(fields: Fields): Record<string, DocumentedSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { documented }]) => [name, documented]),
  )
}

/**
 * A JSON object with these fields and no others. Reading throws `invalid_request_body` for
 * everything else. Without `isRequired` no body is as good as an empty object.
 */
export function bodyOf<F extends Fields>(
  description: string,
  fields: F,
  options?: { readonly isRequired?: boolean },
): Body<Static<TObject<Schemas<F>>>>
export function bodyOf(
  description: string,
  fields: Fields,
  { isRequired = true }: { readonly isRequired?: boolean } = {},
): Body<unknown> {
  const entries = Object.entries(fields)
  const schemas = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))
  const required = entries.filter(([, { schema }]) => !TypeGuard.IsOptional(schema))
  const names = required.map(([name]) => name)
  const check = TypeCompiler.Compile(Type.Object(schemas, { additionalProperties: false }))
  const absentees = new Set(entries.filter(isAbsentAsNull).map(([name]) => name))
  const pastes = new Map(
    entries.flatMap(([name, { meant }]) => (meant ? [[name, meant] as const] : [])),
  )
  const shown = entries.filter(([, { isShown = true }]) => isShown)
  const example = Object.fromEntries(
    shown.map(([name, { documented }]) => [name, documented.example]),
  )
  const schema = object(description, documentedFields(fields), names)
  return {
    document: jsonBody(schema, example, { isRequired }),
    errors: BODY_ERRORS,
    async read(request) {
      const sent = await readJsonBody(request)
      const given = withoutNulls(isRequired ? sent : (sent ?? {}), absentees)
      const body = withPasted(given, pastes)
      if (check.Check(body)) return body
      const details = new Map<string, ErrorDetail>()
      for (const error of check.Errors(body)) {
        const detail = explain(error, fields)
        if (!details.has(detail.path)) details.set(detail.path, detail)
        if (details.size === MOST_DETAILS) break
      }
      throw invalidBody([...details.values()])
    },
  }
}

/** Some languages write null for what they leave out. Where null is a value of its own, it stays. */
function isAbsentAsNull([, { schema }]: readonly [string, Field]): boolean {
  return TypeGuard.IsOptional(schema) && !TypeCompiler.Compile(schema).Check(null)
}

function withoutNulls(body: unknown, absentees: ReadonlySet<string>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const entries = Object.entries(body)
  const given = entries.filter(([name, value]) => value !== null || !absentees.has(name))
  return given.length === entries.length ? body : Object.fromEntries(given)
}

/** The body with what was pasted as it was meant; values of other types are refused as they are. */
function withPasted(body: unknown, pastes: ReadonlyMap<string, Meaning>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, asMeant(value, pastes.get(name))]),
  )
}

function asMeant(value: unknown, meant: Meaning | undefined): unknown {
  if (meant === undefined) return value
  if (typeof value === 'string') return meant(value)
  return Array.isArray(value) ? value.map((one) => asMeant(one, meant)) : value
}

function explain(error: ValueError, fields: Fields): ErrorDetail {
  const path = error.path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
  if (error.type === ValueErrorType.ObjectRequiredProperty) return { path, message: 'is required' }
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    return { path, message: 'is not a known field' }
  }
  if (path === '') return { path, message: 'must be a JSON object' }
  const [name = '', ...rest] = path.split('/')
  if (rest.length > 0) return { path: path.replaceAll('/', '.'), message: 'must be a string' }
  return { path, message: fields[name]?.form ?? 'is not valid' }
}
