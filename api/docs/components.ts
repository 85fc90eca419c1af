import type { DocumentedSchema } from '../request/schema.ts'
import { isExample, isJson, type Json, rewrite } from './json.ts'

/**
 * Says everything in the OpenAPI document once: what has a name of its own, or stands in many places,
 * moves into `components`, and a reference takes its place (OpenAPI 3.1, section 4.8.7). Generated
 * clients get types with these names.
 */

interface Components {
  /** What was given, with references. */
  readonly parts: unknown
  readonly schemas: Readonly<Record<string, Json>>
  readonly responses: Readonly<Record<string, Json>>
  readonly headers: Readonly<Record<string, Json>>
  readonly parameters: Readonly<Record<string, Json>>
}

/**
 * Parts of the document, and what they refer to now. A name that stands for two schemas throws. What is
 * `general` is described by itself, and not by the first place that has it.
 */
export function shareComponents(
  parts: unknown,
  general: readonly DocumentedSchema[] = [],
): Components {
  const schemas = new Map(general.map(componentOf))
  const headers = new Map<string, Json>()
  const responses = new Map<string, Json>()
  const named = hoistSchemas(withoutDerivedExamples(parts), schemas)
  const parameters = new Map<string, Json>()
  const answers = hoistResponses(hoistHeaders(named, headers), responses)
  const plain = hoistParameters(answers, parameters)
  return {
    parts: plain,
    schemas: sorted(schemas),
    headers: sorted(headers),
    parameters: sorted(parameters),
    responses: sorted(responses),
  }
}

function componentOf({ title, ...schema }: DocumentedSchema): [string, Json] {
  return [String(title), Object.fromEntries(Object.entries(schema))]
}

/**
 * Schemas with a title are components of that name. What a place adds, that it may be null or a
 * description and an example of its own, stays there, beside the reference.
 */
function hoistSchemas(value: unknown, schemas: Map<string, Json>): unknown {
  return rewrite(value, (inner) => {
    const { title, nullable, ...schema } = inner
    if (typeof title !== 'string') return inner
    const { description, example } = known(schemas, title, schema)
    const own = {
      ...(schema.description === description ? {} : { description: schema.description }),
      ...(Bun.deepEquals(schema.example, example) ? {} : { example: schema.example }),
    }
    const reference = { $ref: `#/components/schemas/${title}` }
    if (nullable !== true) return { ...reference, ...own }
    return { nullable, description: schema.description, ...own, allOf: [reference] }
  })
}

/** The component of this name, which is kept when there is none. It must say the same. */
function known(schemas: Map<string, Json>, title: string, schema: Json): Json {
  const there = schemas.get(title)
  if (there !== undefined) {
    keep(new Map([[title, essence(there)]]), title, essence(schema))
    return there
  }
  // Null is an example of the place, and none of what stands there otherwise.
  const { example, ...others } = schema
  const component = example === null ? others : schema
  schemas.set(title, component)
  return component
}

/** What a schema admits. */
function essence({ description: _description, example: _example, ...schema }: Json): Json {
  return schema
}

/**
 * The example of an object follows from those of its fields, and that of a list from its element's: only
 * those that say more stay.
 */
function withoutDerivedExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDerivedExamples)
  if (!isJson(value)) return value
  const entries = Object.entries(value)
    .filter(([key]) => key !== 'example' || !isDerived(value))
    .map(([key, inner]) => [key, isExample(key) ? inner : withoutDerivedExamples(inner)])
  return Object.fromEntries(entries)
}

function isDerived({ example, properties, items, const: only, oneOf, allOf }: Json): boolean {
  if (only !== undefined || allOf !== undefined || hasNames(oneOf)) return true
  if (isJson(items)) return Bun.deepEquals(example, [items.example])
  if (!isJson(properties)) return false
  const fields = Object.entries(properties).map(([name, field]) => [name, Object(field).example])
  return Bun.deepEquals(example, Object.fromEntries(fields))
}

/** A choice of components, each of which has an example. */
function hasNames(choices: unknown): boolean {
  return Array.isArray(choices) && choices.every((choice) => isJson(choice) && 'title' in choice)
}

/** A header is described the same wherever it is sent. */
function hoistHeaders(value: unknown, headers: Map<string, Json>): unknown {
  return rewrite(value, (inner) => {
    if (!isJson(inner.headers) || inner.content === undefined) return inner
    const references = Object.entries(inner.headers).map(([name, header]) => {
      if (!isJson(header)) throw new TypeError(`the header ${name} is not described`)
      keep(headers, name, header)
      return [name, { $ref: `#/components/headers/${name}` }]
    })
    return { ...inner, headers: Object.fromEntries(references) }
  })
}

/** Parameters that several operations have are components; of those with one name, the first. */
function hoistParameters(value: unknown, parameters: Map<string, Json>): unknown {
  const uses = new Map<string, { readonly parameter: Json; count: number }>()
  rewrite(value, (inner) => {
    if (!isParameter(inner)) return inner
    const text = JSON.stringify(inner)
    const use = uses.get(text) ?? { parameter: inner, count: 0 }
    use.count += 1
    uses.set(text, use)
    return inner
  })
  const names = new Map<string, string>()
  for (const [text, { parameter, count }] of uses) {
    const name = parameterName(parameter)
    if (count === 1 || parameters.has(name)) continue
    names.set(text, name)
    parameters.set(name, parameter)
  }
  return rewrite(value, (inner) => {
    const name = isParameter(inner) ? names.get(JSON.stringify(inner)) : undefined
    return name === undefined ? inner : { $ref: `#/components/parameters/${name}` }
  })
}

function isParameter({ in: place, name, schema }: Json): boolean {
  return (
    ['query', 'path', 'header'].includes(String(place)) &&
    typeof name === 'string' &&
    isJson(schema)
  )
}

/** By its name; an identifier in a path by what it identifies, e.g. paymentLinkId. */
function parameterName({ name, description, schema }: Json): string {
  const about = String(description ?? (isJson(schema) ? schema.description : ''))
  const thing = /^The identifier of the ([\w ]+)/.exec(about)?.[1]
  if (thing === undefined) return String(name)
  return `${thing.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())}Id`
}

/** Errors that several operations answer are components, named by their codes. */
function hoistResponses(value: unknown, responses: Map<string, Json>): unknown {
  const uses = new Map<string, number>()
  rewrite(value, (inner) => {
    const name = errorName(inner)
    if (name !== null) uses.set(name, (uses.get(name) ?? 0) + 1)
    return inner
  })
  return rewrite(value, (inner) => {
    const name = errorName(inner)
    if (name === null || uses.get(name) === 1) return inner
    keep(responses, name, inner)
    return { $ref: `#/components/responses/${name}` }
  })
}

/**
 * What a response of errors is called, e.g. NotFoundOrInvalidInvoiceId; what almost every operation may
 * answer has a short name. Null for all else.
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
  InvalidRequestBodyOrUnknownChainOrNoSupportedChainsOrInvalidRecipient: 'BadInvoice',
  RefundSettledOrRefundNotPossibleOrIdempotencyKeyConflictOrIdempotencyKeyReusedOrIdempotencyKeyInFlight:
    'NoRefund',
}

function keep(components: Map<string, Json>, name: string, component: Json): void {
  const known = components.get(name)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
    throw new TypeError(`two parts of the document have the name ${name}`)
  }
  components.set(name, component)
}

function sorted(components: ReadonlyMap<string, Json>): Readonly<Record<string, Json>> {
  return Object.fromEntries([...components].sort(([a], [b]) => a.localeCompare(b, 'en')))
}
