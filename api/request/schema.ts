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
import { HASH, MERCHANT_ID, TREASURY } from './examples.ts'

/** Declarations of fields: type, checks, error message and documentation. */

export type Documented = DocumentDecoration
export type Reference = { readonly $ref: string }

/** Keywords for reading bodies. They are symbols, like TypeBox's own, so that they are not serialized. */
export const MESSAGE = Symbol('message')
export const RANGED = Symbol('ranged')
export const MEANING = Symbol('meaning')
export const UNSHOWN = Symbol('unshown')

/** A schema with a description and an example. */
export type DocumentedSchema<S extends TSchema = TSchema> = S & {
  description: string
  /** For objects and lists derived from their parts, unless given. */
  example?: unknown
  /** The error message for other types, instead of the default. */
  [MESSAGE]?: string
  /** The error message for numbers out of range. Other keywords are checked by the field's reader. */
  [RANGED]?: true
  /** Pasted text: surrounding blanks and line breaks are removed. */
  [MEANING]?: (text: string) => string
  /** Omitted from examples of bodies. */
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

/** Whose something is. */
export const merchantId = { title: 'MerchantId', ...uuid('The merchant.', MERCHANT_ID) }

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

/** An optional field; in a body null is the same. */
export function optional<S extends TSchema>(
  schema: DocumentedSchema<S>,
  { isShown = true }: { readonly isShown?: boolean } = {},
): DocumentedSchema<TOptional<S>> {
  return { ...schema, [UNSHOWN]: !isShown, [OptionalKind]: 'Optional' }
}

/** Optional fields of responses. */
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

/** The same, also for numbers out of range. */
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

/** A pasted word; its error message has an example. */
export function wordField(description: string, example: string): Text {
  return withMessage(`must be a string, e.g. "${example}"`, pastedField(description, example))
}

/** A URL: only surrounding blanks are removed, as inner invisible characters may be significant. */
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

/** An amount in a request: a string, or a number with few enough digits. */
export function amountField(description: string, example: string) {
  const amounts = Type.Union([
    Type.Number({
      title: 'AmountNumber',
      description: 'At most 15 significant digits.',
      example: 12.5,
    }),
    Type.String({ title: 'AmountText', description: 'A decimal string.', example: '12.5' }),
  ])
  const message = `must be a number or a decimal string, e.g. "${example}"`
  return withMessage(message, { ...amounts, description, example })
}

/** The underpayment tolerance: an amount in the token's major unit, or basis points. */
export function toleranceField() {
  const schema = Type.Union([
    Type.Number({ description: 'An amount.', example: 0.1 }),
    Type.String({ description: 'Either.', example: '50bps' }),
  ])
  return withMessage(TOLERANCE_FORM, {
    ...schema,
    title: 'Tolerance',
    description: 'An amount, or basis points; at most 1 %.',
    example: '50bps',
  })
}

/** The same in responses. */
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

/** Components whose description is independent of their uses. */
export const GENERAL: readonly DocumentedSchema[] = [AMOUNT, ADDRESS, TIME, TRANSACTION_HASH]

/** A time in a response. */
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

/** An address in a response. */
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

/** A schema with custom keywords that bodies are not checked by. */
export function unchecked(
  keywords: Readonly<Record<string, unknown>> & Pick<DocumentedSchema, 'description'>,
): DocumentedSchema<TUnsafe<unknown>> {
  return { ...Type.Unsafe<unknown>(), ...keywords }
}

/** One fixed value: the discriminator of generated types. */
export function literal(description: string, value: string | boolean) {
  return unchecked({ const: value, description })
}

/** A union of named objects, each with its own literal in the field `by`. */
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

/** The example of a schema, or one derived from its parts. */
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

/** A named object with all fields of another one and more. */
export function extended(
  title: string,
  description: string,
  base: DocumentedSchema,
  more: Properties,
) {
  return unchecked({ title, description, allOf: [base, Type.Object(more)] })
}

/** A named object: a component of the document, and a type in generated clients. */
export function named<P extends Properties>(title: string, description: string, properties: P) {
  return { title, ...object(description, properties) }
}

export function list<S extends TSchema>(
  description: string,
  items: DocumentedSchema<S>,
): DocumentedSchema<TArray<S>> {
  return { ...Type.Array(items), description }
}
