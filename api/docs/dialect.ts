import { isJson, type Json, rewrite } from './json.ts'

/**
 * Routes are described with the types of OpenAPI 3.0, where null is a keyword. In the document they are
 * schemas of OpenAPI 3.1, where null is a type (JSON Schema 2020-12).
 */
export function modernised(value: unknown): unknown {
  return rewrite(value, (inner) => {
    const { nullable, ...schema } = inner
    return nullable === true ? orNull(schema) : inner
  })
}

const NULL = { type: 'null' }

function orNull(schema: Json): Json {
  const { type, oneOf, allOf, ...others } = schema
  if (Array.isArray(oneOf)) return { ...others, oneOf: [...oneOf, NULL] }
  if (Array.isArray(allOf)) return { ...others, oneOf: [...allOf, NULL] }
  const values = Array.isArray(others.enum) ? { enum: [...others.enum, null] } : {}
  return { ...others, ...values, type: [type, 'null'] }
}

/** The document with an example of each chain that this deployment has. */
export function withChainOf(value: unknown, names: ReadonlyMap<unknown, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.map((element) => withChainOf(element, names))
  if (!isJson(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withChainOf(inner, names)])
  return Object.fromEntries(entries)
}
