/**
 * Says everything in the OpenAPI document once: what has a name of its own, or stands in many places,
 * moves into `components`, and a reference takes its place (OpenAPI 3.0.3, section 4.7.7). Generated
 * clients get types with these names.
 */

type Json = { readonly [key: string]: unknown }

interface Components {
  readonly schemas: Readonly<Record<string, Json>>
  readonly responses: Readonly<Record<string, Json>>
  readonly headers: Readonly<Record<string, Json>>
}

/** The paths with references, and what they refer to. A name that stands for two schemas throws. */
export function shareComponents(paths: unknown): { paths: unknown } & Components {
  const schemas = new Map<string, Json>()
  const headers = new Map<string, Json>()
  const responses = new Map<string, Json>()
  const named = hoistSchemas(withoutDerivedExamples(paths), schemas)
  const plain = hoistResponses(hoistHeaders(named, headers), responses)
  return {
    paths: plain,
    schemas: sorted(schemas),
    headers: sorted(headers),
    responses: sorted(responses),
  }
}

/** Schemas with a title are components of that name. Those that may be null stay apart from it. */
function hoistSchemas(value: unknown, schemas: Map<string, Json>): unknown {
  // As a place that may be null describes it, which is what there is when every place may be.
  const nullables = new Map<string, Json>()
  const rewritten = rewrite(value, (inner) => {
    const { title, nullable, description, ...schema } = inner
    if (typeof title !== 'string' || schema.type !== 'object') return inner
    const reference = { $ref: `#/components/schemas/${title}` }
    if (nullable === true) {
      nullables.set(title, { description, ...schema })
      return { nullable, description, allOf: [reference] }
    }
    keep(schemas, title, { description, ...schema })
    return reference
  })
  for (const [title, schema] of nullables) if (!schemas.has(title)) schemas.set(title, schema)
  return rewritten
}

/**
 * The example of an object follows from those of its fields, and that of a list from its element's: only
 * those that say more stay, and those of requests, which callers begin from.
 */
function withoutDerivedExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDerivedExamples)
  if (!isJson(value)) return value
  const entries = Object.entries(value)
    .filter(([key]) => key !== 'example' || !isDerived(value))
    .map(([key, inner]) => [
      key,
      isExample(key) || key === 'requestBody' ? inner : withoutDerivedExamples(inner),
    ])
  return Object.fromEntries(entries)
}

function isDerived({ example, properties, items }: Json): boolean {
  if (isJson(items)) return Bun.deepEquals(example, [items.example])
  if (!isJson(properties)) return false
  const fields = Object.entries(properties).map(([name, field]) => [name, Object(field).example])
  return Bun.deepEquals(example, Object.fromEntries(fields))
}

/** Examples are data, not schemas. */
const isExample = (key: string) => key === 'example' || key === 'examples'

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

/** Errors that several operations answer are components, named by their texts. */
function hoistResponses(value: unknown, responses: Map<string, Json>): unknown {
  const uses = new Map<string, number>()
  rewrite(value, (inner) => {
    if (isError(inner)) uses.set(errorName(inner), (uses.get(errorName(inner)) ?? 0) + 1)
    return inner
  })
  return rewrite(value, (inner) => {
    if (!isError(inner) || uses.get(errorName(inner)) === 1) return inner
    keep(responses, errorName(inner), inner)
    return { $ref: `#/components/responses/${errorName(inner)}` }
  })
}

interface ErrorResponse extends Json {
  readonly description: string
}

function isError(value: Json): value is ErrorResponse {
  return value.headers !== undefined && /"The error envelope\."/.test(JSON.stringify(value.content))
}

/** "not found · invalid invoice id" is NotFoundOrInvalidInvoiceId; with its limits, it is another. */
function errorName({ description, headers }: ErrorResponse): string {
  const words = (text: string) => text.match(/[A-Za-z0-9]+/g) ?? []
  const pascal = (text: string) =>
    words(text)
      .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
      .join('')
  const isLimited = isJson(headers) && 'X-RateLimit-Limit' in headers
  return `${description.split('·').map(pascal).join('Or')}${isLimited ? '' : 'Unlimited'}`
}

/** The value with each of its objects replaced, the innermost first. */
function rewrite(value: unknown, replace: (inner: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => rewrite(element, replace))
  if (!isJson(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    isExample(key) ? inner : rewrite(inner, replace),
  ])
  return replace(Object.fromEntries(entries))
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

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
