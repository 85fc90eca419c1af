import type { DocumentedSchema } from '../request/schema.ts'
import { isJson, type Json, rewrite } from './json.ts'

/**
 * Moves schemas that are named or repeated into `components` and replaces them by references (OpenAPI 3.1, section
 * 4.8.7). Generated clients get types with these names.
 */

/**
 * Collects the components of the document. Two schemas with one name throw. `general` schemas are described on
 * their own, not by their first use.
 */
export function shareComponents(parts: unknown, general: readonly DocumentedSchema[] = []) {
  const schemas = new Map(general.map(componentOf))
  const named = hoistSchemas(parts, schemas)
  const answers = hoist(named, 'responses', errorName)
  const plain = hoist(answers.parts, 'parameters', parameterName)
  return {
    /** The input, with references. */
    parts: plain.parts,
    schemas: sorted(schemas),
    parameters: plain.components,
    responses: answers.components,
  }
}

function componentOf({ title, ...schema }: DocumentedSchema): [string, Json] {
  return [String(title), Object.fromEntries(Object.entries(schema))]
}

/**
 * A schema with a title becomes a component of that name. What a use adds, such as its own description and example,
 * stays there, next to the reference.
 */
function hoistSchemas(value: unknown, schemas: Map<string, Json>): unknown {
  return rewrite(value, (inner) => {
    const schema = inOpenApi(inner, schemas)
    if (typeof schema.title !== 'string') return schema
    const { title, ...named } = schema
    return { $ref: `${SCHEMAS}${title}`, ...ownOf(named, known(schemas, title, named)) }
  })
}

const SCHEMAS = '#/components/schemas/'
const NULL = { type: 'null' }

/** Converts TypeBox's schemas to OpenAPI's: `oneOf` for choices, and a short form for nullable types. */
function inOpenApi({ anyOf, ...schema }: Json, schemas: ReadonlyMap<string, Json>): Json {
  if (!Array.isArray(anyOf)) {
    // An object of any fields has no described ones.
    const { properties: _, ...others } = schema
    return schema.additionalProperties === true ? others : schema
  }
  const [only, ...others] = anyOf.filter(({ type }) => type !== NULL.type)
  if (others.length > 0) return { ...schema, oneOf: anyOf }
  const { $ref, type, oneOf, ...rules } = { ...only, ...schema }
  if (typeof $ref === 'string') {
    const { description } = rules
    const component = schemas.get($ref.slice(SCHEMAS.length)) ?? {}
    return { ...ownOf(schema, component), description, oneOf: [{ $ref }, NULL] }
  }
  if (Array.isArray(oneOf)) return { ...rules, oneOf: [...oneOf, NULL] }
  const values = Array.isArray(rules.enum) ? { enum: [...rules.enum, null] } : {}
  return { ...rules, ...values, type: [type, NULL.type] }
}

/** The keywords by which a use differs from its component. */
function ownOf({ description, example }: Json, component: Json): Json {
  return {
    ...(description === component.description ? {} : { description }),
    ...(Bun.deepEquals(example, component.example) ? {} : { example }),
  }
}

/** The component of this name, added if missing. An existing one must be identical. */
function known(schemas: Map<string, Json>, title: string, schema: Json): Json {
  const there = schemas.get(title)
  if (there === undefined) {
    schemas.set(title, schema)
    return schema
  }
  if (JSON.stringify(essence(there)) !== JSON.stringify(essence(schema))) {
    throw new TypeError(`two schemas of the document have the name ${title}`)
  }
  return there
}

/** The values that a schema admits. */
function essence({ description: _description, example: _example, ...schema }: Json): Json {
  return schema
}

/** A name used several times becomes a component; where uses differ, the first. */
function hoist(value: unknown, kind: string, nameOf: (inner: Json) => string | null) {
  const found = new Map<string, Json[]>()
  rewrite(value, (inner) => {
    const name = nameOf(inner)
    if (name !== null) found.set(name, [...(found.get(name) ?? []), inner])
    return inner
  })
  const components = new Map<string, Json>()
  for (const [name, all] of found) {
    const repeated = all.find((one, i) =>
      all.slice(i + 1).some((other) => Bun.deepEquals(one, other)),
    )
    if (repeated !== undefined) components.set(name, repeated)
  }
  const parts = rewrite(value, (inner) => {
    const name = nameOf(inner)
    const isShared = name !== null && Bun.deepEquals(inner, components.get(name))
    return isShared ? { $ref: `#/components/${kind}/${name}` } : inner
  })
  return { parts, components: sorted(components) }
}

/** The component name of a parameter: its name, or for an identifier in a path its object, e.g. paymentLinkId. */
function parameterName({ in: place, name, description, schema }: Json): string | null {
  const isParameter = ['query', 'path', 'header'].includes(String(place)) && isJson(schema)
  if (!isParameter || typeof name !== 'string') return null
  const about = String(description ?? schema.description)
  const thing = /^The identifier of the ([\w ]+)/.exec(about)?.[1]
  if (thing === undefined) return name
  return `${thing.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())}Id`
}

/**
 * The component name of an error response, e.g. NotFoundOrInvalidInvoiceId; one that almost every operation
 * returns has a short name. Null for other responses.
 */
function errorName({ content }: Json): string | null {
  if (!isJson(content) || !isJson(content['application/json'])) return null
  const { schema } = content['application/json']
  if (!isJson(schema)) return null
  const choices = Array.isArray(schema.oneOf) ? schema.oneOf : [schema]
  const names = choices.map(({ $ref }) => /([A-Za-z0-9]+)Error$/.exec(String($ref))?.[1])
  if (names.includes(undefined)) return null
  const name = names.join('Or')
  return SHORT_NAMES[name] ?? name
}

const SHORT_NAMES: Readonly<Record<string, string>> = {
  ServiceUnavailableOrInternal: 'Fault',
  TooManyRequests: 'Limit',
  Unauthorized: 'NoKey',
  InvalidRequestBody: 'BadBody',
  InvalidQueryParameters: 'BadQuery',
  BodyTooLarge: 'TooLarge',
  InvalidEndpointIdOrInvalidRequestBody: 'BadEndpoint',
  InvalidRequestBodyOrUnknownChainOrNoSupportedChains: 'BadChain',
  InvalidInvoiceIdOrInvalidRequestBodyOrUnknownChain: 'BadTransfer',
  InvalidRequestBodyOrUnknownChainOrNoSupportedChainsOrInvalidRecipient: 'BadInvoice',
  RefundSettledOrRefundNotPossibleOrIdempotencyKeyConflictOrIdempotencyKeyReusedOrIdempotencyKeyInFlight:
    'NoRefund',
}

function sorted(components: ReadonlyMap<string, Json>): Readonly<Record<string, Json>> {
  return Object.fromEntries([...components].sort(([a], [b]) => a.localeCompare(b, 'en')))
}
