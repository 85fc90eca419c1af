import {
  OptionalKind,
  type TArray,
  type TBoolean,
  type TInteger,
  type TNull,
  type TObject,
  type TOptional,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import { pasted } from '../../core/base/text.ts'
import { TOLERANCE_FORM } from '../../core/invoice/tolerance.ts'
import { HASH, TREASURY } from './examples.ts'

/** Fields, each declared once: its type, how it is checked, the error message, and how the document shows it. */

export type Documented = DocumentDecoration
export type Reference = { readonly $ref: string }

/** What bodies need of a field besides its schema: symbols, like TypeBox's own, because no document has them. */
export const MESSAGE = Symbol('message')
export const RANGED = Symbol('ranged')
export const MEANING = Symbol('meaning')
export const UNSHOWN = Symbol('unshown')

/** A schema with a description and an example. */
export type DocumentedSchema<S extends TSchema = TSchema> = S & {
  description: string
  /** Of objects and lists it follows from those of their parts, unless they have one of their own. */
  example?: unknown
  /** The error message for any other type, where the usual one says too little. */
  [MESSAGE]?: string
  /** A number out of range is refused with it. All other rules are judged by what reads the value. */
  [RANGED]?: true
  /** The meaning of a pasted text: without surrounding blanks and line ends. */
  [MEANING]?: (text: string) => string
  /** Callers are better off without it until they want it: it is in no example of a body. */
  [UNSHOWN]?: boolean
}

type Properties = Readonly<Record<string, DocumentedSchema>>
type Text = DocumentedSchema<TString>

/** Keywords that narrow a schema. */
interface Rules {
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: string | number
}

export function text(description: string, example: string, rules: Rules = {}): Text {
  return { ...Type.String(), ...rules, description, example }
}

export function optionalText(description: string, example: string | null, rules: Rules = {}) {
  return { ...nullable(text(description, '', rules)), example }
}

export function uuid(description: string, example: string): Text {
  return text(description, example, { format: 'uuid' })
}

/** The same, or null. */
export function nullable<S extends TSchema>(
  schema: DocumentedSchema<S>,
): DocumentedSchema<TUnion<[S, TNull]>> {
  const { description, example } = schema
  return { ...Type.Union([schema, Type.Null()]), description, example }
}

export function isNullable({ anyOf }: TSchema): boolean {
  return Array.isArray(anyOf) && anyOf.some(({ type }) => type === 'null')
}

/** A field that may be left out; in a body null is the same. */
export function optional<S extends TSchema>(
  schema: DocumentedSchema<S>,
  { isShown = true }: { readonly isShown?: boolean } = {},
): DocumentedSchema<TOptional<S>> {
  return { ...schema, [UNSHOWN]: !isShown, [OptionalKind]: 'Optional' }
}

/** Fields that answers may leave out. */
export function partial<P extends Properties>(fields: P): { [K in keyof P]: DocumentedSchema }
export function partial(fields: Properties): Properties {
  const entries = Object.entries(fields)
  return Object.fromEntries(entries.map(([name, schema]) => [name, Type.Optional(schema)]))
}

/** The same with an error message of its own for other types. */
export function withMessage<S extends TSchema>(
  message: string,
  schema: DocumentedSchema<S>,
): DocumentedSchema<S> {
  return { ...schema, [MESSAGE]: message }
}

/** The same for a number that is refused with this message when it is out of its range, too. */
export function withRange<S extends TSchema>(
  message: string,
  schema: DocumentedSchema<S>,
): DocumentedSchema<S> {
  return { ...withMessage(message, schema), [RANGED]: true }
}

/** An address, hash, id, email address, time or chain name, possibly pasted. */
export function pastedField(description: string, example: string, rules: Rules = {}): Text {
  return { ...text(description, example, rules), [MEANING]: pasted }
}

/** A pasted name or the like; its error message shows an example. */
export function wordField(description: string, example: string): Text {
  return withMessage(`must be a string, e.g. "${example}"`, pastedField(description, example))
}

/** A URL, of which only blanks around it are not meant: inside, invisible characters may count. */
export function urlField(description: string, example: string): Text {
  return { ...wordField(description, example), [MEANING]: (text) => text.trim() }
}

/** An array of at most `most` strings, possibly pasted. */
export function textsField(
  description: string,
  item: Text,
  most: number,
): DocumentedSchema<TArray<TString>> {
  const texts = { ...list(description, item), maxItems: most, [MEANING]: pasted }
  return withMessage(`must be an array of at most ${most} strings`, texts)
}

/** An amount as callers send it: a string, or a number where its digits are few enough. */
export function amountField(description: string, example: string) {
  const amounts = Type.Union([
    Type.Number({ description: 'At most 15 significant digits.', example: Number(example) }),
    Type.String({ description: 'A decimal string.', example }),
  ])
  const message = `must be a number or a decimal string, e.g. "${example}"`
  return withMessage(message, { ...amounts, description, example })
}

/** How much less than was requested is enough: an amount in a token's major unit, or basis points. */
export function toleranceField() {
  const schema = Type.Union([
    Type.Number({ description: 'An amount.', example: 0.1 }),
    Type.String({ description: 'Either.', example: '50bps' }),
  ])
  return withMessage(TOLERANCE_FORM, {
    ...schema,
    title: 'Tolerance',
    description: 'The underpayment tolerance: an amount, or basis points; at most 1 %.',
    example: '50bps',
  })
}

/** The same as the API answers it. */
export function tolerance(description: string): Text {
  return text(description, '50bps')
}

/** The shortest decimal string of a number that isn't negative. */
export const DECIMAL = '^(0|[1-9][0-9]*)(\\.[0-9]+)?$'

const AMOUNT = {
  title: 'Amount',
  ...text("Decimal string in the token's major unit.", '12.5', { pattern: DECIMAL }),
}
const ADDRESS = {
  title: 'Address',
  ...text('EVM address with its EIP-55 checksum.', TREASURY, { pattern: '^0x[0-9a-fA-F]{40}$' }),
}
const TIME = {
  title: 'Time',
  ...text('ISO 8601, in UTC.', '2026-08-01T12:00:00.000Z', { format: 'date-time' }),
}
const TRANSACTION_HASH = { title: 'TransactionHash', ...text('Of an on-chain transaction.', HASH) }

/** Components with a meaning of their own, independent of the places that refer to them. */
export const GENERAL: readonly DocumentedSchema[] = [AMOUNT, ADDRESS, TIME, TRANSACTION_HASH]

/** A time as the service shows it. */
export function time(description: string, example: string): Text {
  return { ...TIME, description, example }
}

export function optionalTime(description: string, example: string | null) {
  return optionalText(description, example, { format: 'date-time' })
}

/** The hash of a transaction of a chain. */
export function transactionHash(description: string): Text {
  return { ...TRANSACTION_HASH, description }
}

/** An amount in the token's major unit, as the shortest decimal string. */
export function amount(description: string, example: string): Text {
  return { ...AMOUNT, description, example }
}

/** An address as the service shows it. */
export function address(description: string, example: string): Text {
  return { ...ADDRESS, description, example }
}

export function integer(
  description: string,
  example: number,
  rules: Rules = {},
): DocumentedSchema<TInteger> {
  return { ...Type.Integer(), ...rules, description, example }
}

export function flag(description: string, example: boolean): DocumentedSchema<TBoolean> {
  return { ...Type.Boolean(), description, example }
}

/** What bodies are not checked by, with keywords of its own. */
export function unchecked(
  keywords: Readonly<Record<string, unknown>> & Pick<DocumentedSchema, 'description'>,
): DocumentedSchema<TUnsafe<unknown>> {
  return { ...Type.Unsafe<unknown>(), ...keywords }
}

/** One fixed value: the discriminator of generated types. */
export function literal(description: string, value: string | boolean) {
  return unchecked({ const: value, description })
}

/** One of several objects with names, each of which has its own literal in the field `by`. */
export function oneOf(description: string, by: string, schemas: readonly DocumentedSchema[]) {
  const mapping = schemas.map(({ title, properties }) => [
    String(properties?.[by].const),
    `#/components/schemas/${title}`,
  ])
  const discriminator = { propertyName: by, mapping: Object.fromEntries(mapping) }
  return unchecked({ description, oneOf: schemas, discriminator })
}

export function object<P extends Properties>(
  description: string,
  properties: P,
): DocumentedSchema<TObject<P>> {
  return { ...Type.Object(properties), description }
}

/** The example of a schema, or what follows from those of its parts. */
export function exampleOf({ example, properties, items }: TSchema): unknown {
  if (example !== undefined) return example
  if (items !== undefined) return [exampleOf(items)]
  const fields = Object.entries<TSchema>(properties ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]))
}

/** An object of any fields. */
export function record(
  description: string,
  example: Readonly<Record<string, unknown>>,
): DocumentedSchema<TUnsafe<Record<string, unknown>>> {
  const any = Type.Object({}, { additionalProperties: true })
  return { ...Type.Unsafe<Record<string, unknown>>(any), description, example }
}

/** An object with a name of its own that has all fields of another one, and more. */
export function extended(
  title: string,
  description: string,
  base: DocumentedSchema,
  more: Properties,
) {
  return unchecked({ title, description, allOf: [base, Type.Object(more)] })
}

/** An object with a name of its own: a component of the document, a type in generated clients. */
export function named<P extends Properties>(title: string, description: string, properties: P) {
  return { title, ...object(description, properties) }
}

export function list<S extends TSchema>(
  description: string,
  items: DocumentedSchema<S>,
): DocumentedSchema<TArray<S>> {
  return { ...Type.Array(items), description }
}
