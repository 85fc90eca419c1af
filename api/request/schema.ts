import type { DocumentDecoration } from 'elysia'
import { HASH, TREASURY } from './examples.ts'

/** The building blocks of the OpenAPI document. */

type Parameter = Exclude<NonNullable<DocumentDecoration['parameters']>[number], Reference>
export type Schema = Exclude<NonNullable<Parameter['schema']>, Reference>
export type Reference = { readonly $ref: string }

/** A JSON schema with a description and an example. */
export type DocumentedSchema = Schema & {
  description: string
  example: unknown
  /** The only value (JSON Schema 2020-12; the types that we build on are those of OpenAPI 3.0). */
  const?: string | boolean
}
export type Documented = DocumentDecoration

/** Keywords that narrow a schema. */
export type Rules = Partial<
  Pick<Schema, 'format' | 'pattern' | 'enum' | 'minimum' | 'maximum' | 'default' | 'nullable'>
>

export function text(description: string, example: string, rules: Rules = {}): DocumentedSchema {
  return { type: 'string', description, example, ...rules }
}

export function optionalText(
  description: string,
  example: string | null,
  rules: Rules = {},
): DocumentedSchema {
  return { type: 'string', nullable: true, description, example, ...rules }
}

export function uuid(description: string, example: string): DocumentedSchema {
  return text(description, example, { format: 'uuid' })
}

/** The same, or null. */
export function nullable(schema: DocumentedSchema): DocumentedSchema {
  return { ...schema, nullable: true }
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

/** Components that have a meaning of their own, whatever the place that refers to them says besides. */
export const GENERAL: readonly DocumentedSchema[] = [AMOUNT, ADDRESS, TIME, TRANSACTION_HASH]

/** A time as the service shows it. */
export function time(description: string, example: string): DocumentedSchema {
  return { ...TIME, description, example }
}

export function optionalTime(description: string, example: string | null): DocumentedSchema {
  return optionalText(description, example, { format: 'date-time' })
}

/** The hash of a transaction of a chain. */
export function transactionHash(description: string): DocumentedSchema {
  return { ...TRANSACTION_HASH, description }
}

/** An amount in the token's major unit, as the shortest decimal string. */
export function amount(description: string, example: string): DocumentedSchema {
  return { ...AMOUNT, description, example }
}

/** An amount as callers send it: a string, or a number where its digits are few enough. */
export function numberOrText(description: string, example: string): DocumentedSchema {
  return {
    oneOf: [
      { type: 'number', description: 'At most 15 significant digits.', example: Number(example) },
      { type: 'string', description: 'Digits and at most one point.', example },
    ],
    description,
    example,
  }
}

/** How much less than was asked for is enough, as the API answers it. */
export function tolerance(description: string): DocumentedSchema {
  return text(description, '50bps')
}

/** The same as callers send it. */
export const TOLERANCE_ASKED: DocumentedSchema = {
  title: 'Tolerance',
  oneOf: [
    { type: 'number', description: 'An amount.', example: 0.1 },
    { type: 'string', description: 'Either.', example: '50bps' },
  ],
  description: 'How much less is enough: an amount, or basis points; at most 1 %.',
  example: '50bps',
}

/** An address as the service shows it. */
export function address(description: string, example: string): DocumentedSchema {
  return { ...ADDRESS, description, example }
}

export function integer(description: string, example: number, rules: Rules = {}): DocumentedSchema {
  return { type: 'integer', description, example, ...rules }
}

export function flag(description: string, example: boolean): DocumentedSchema {
  return { type: 'boolean', description, example }
}

/** One value and no other, by which generated types tell objects apart. */
export function literal(description: string, value: string | boolean): DocumentedSchema {
  return { const: value, description, example: value }
}

/** One of several objects with names, each of which has its own literal in the field `by`. */
export function oneOf(
  description: string,
  by: string,
  schemas: readonly DocumentedSchema[],
): DocumentedSchema {
  const mapping = schemas.map(({ title, properties }) => [
    String(Object(properties?.[by]).const),
    `#/components/schemas/${title}`,
  ])
  return {
    description,
    oneOf: [...schemas],
    discriminator: { propertyName: by, mapping: Object.fromEntries(mapping) },
    example: schemas[0]?.example,
  }
}

export function object<K extends string>(
  description: string,
  properties: Readonly<Record<K, DocumentedSchema>>,
  required: readonly NoInfer<K>[] | 'all' = 'all',
): DocumentedSchema {
  return { description, ...objectOf(properties, required) }
}

/** An object that is described where it is used. */
export function objectOf<K extends string>(
  properties: Readonly<Record<K, DocumentedSchema>>,
  required: readonly NoInfer<K>[] | 'all' = 'all',
) {
  const fields = Object.entries<DocumentedSchema>(properties)
  const example = Object.fromEntries(fields.map(([name, field]) => [name, field.example]))
  const names = required === 'all' ? Object.keys(properties) : [...required]
  const demanded = names.length === 0 ? {} : { required: names }
  return { type: 'object' as const, ...demanded, properties: { ...properties }, example }
}

/** An object with a name of its own that has all fields of another one, and more. */
export function extended<K extends string>(
  title: string,
  description: string,
  base: DocumentedSchema,
  more: Readonly<Record<K, DocumentedSchema>>,
  required: readonly NoInfer<K>[] | 'all' = 'all',
): DocumentedSchema {
  const added = objectOf(more, required)
  const example = { ...Object(base.example), ...Object(added.example) }
  return { title, description, allOf: [base, added], example }
}

/** An object with a name of its own: a component of the document, a type in generated clients. */
export function named<K extends string>(
  title: string,
  description: string,
  properties: Readonly<Record<K, DocumentedSchema>>,
  required: readonly NoInfer<K>[] | 'all' = 'all',
): DocumentedSchema {
  return { title, ...object(description, properties, required) }
}

export function list(description: string, items: DocumentedSchema): DocumentedSchema {
  return { type: 'array', description, items, example: [items.example] }
}

/** A body in JSON, with what callers begin from. Fields that are not described are refused. */
export function jsonBody(schema: DocumentedSchema, example: unknown, { isRequired = true } = {}) {
  const closed = { ...schema, additionalProperties: false }
  return { required: isRequired, content: { 'application/json': { schema: closed, example } } }
}
