import type { DocumentDecoration } from 'elysia'

/** The building blocks of the OpenAPI document. */

type Parameter = Exclude<NonNullable<DocumentDecoration['parameters']>[number], Reference>
type Schema = Exclude<NonNullable<Parameter['schema']>, Reference>
export type Reference = { readonly $ref: string }

/** A JSON schema with a description and an example. */
export type DocumentedSchema = Schema & { description: string; example: unknown }
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

export function time(description: string, example: string): DocumentedSchema {
  return text(description, example, { format: 'date-time' })
}

export function optionalTime(description: string, example: string | null): DocumentedSchema {
  return optionalText(description, example, { format: 'date-time' })
}

/** The same, or null. */
export function nullable(schema: DocumentedSchema): DocumentedSchema {
  return { ...schema, nullable: true }
}

/** The shortest decimal string of a number that isn't negative. */
export const DECIMAL = '^(0|[1-9][0-9]*)(\\.[0-9]+)?$'

/** An amount in the token's major unit, as the shortest decimal string. */
export function amount(description: string, example: string): DocumentedSchema {
  return text(`${description} Decimal string in the token's major unit.`, example, {
    pattern: DECIMAL,
  })
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

export function address(description: string, example: string): DocumentedSchema {
  return text(`${description} EVM address with its EIP-55 checksum.`, example, {
    pattern: '^0x[0-9a-fA-F]{40}$',
  })
}

export function integer(description: string, example: number, rules: Rules = {}): DocumentedSchema {
  return { type: 'integer', description, example, ...rules }
}

export function flag(description: string, example: boolean): DocumentedSchema {
  return { type: 'boolean', description, example }
}

export function object<K extends string>(
  description: string,
  properties: Readonly<Record<K, DocumentedSchema>>,
  required: readonly NoInfer<K>[] | 'all' = 'all',
): DocumentedSchema {
  const fields = Object.entries<DocumentedSchema>(properties)
  const example = Object.fromEntries(fields.map(([name, field]) => [name, field.example]))
  const names = required === 'all' ? Object.keys(properties) : [...required]
  return { type: 'object', description, required: names, properties: { ...properties }, example }
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

/** A body in JSON. Fields that are not described are refused. */
export function jsonBody(schema: DocumentedSchema, { isRequired = true } = {}) {
  const closed = { ...schema, additionalProperties: false }
  return { required: isRequired, content: { 'application/json': { schema: closed } } }
}
