import { png } from '../logos.ts'
import type { NamedOperation, Operation, Parameter, Schema } from './document.ts'

/** The request that Swagger UI makes of an operation when no one changes what it has filled in. */
export interface PrefilledRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * As Swagger UI 5 does it: a parameter's example, else that of its schema, else its default; and where
 * an object is wanted, in any case some.
 */
export function prefilled({ name, operation }: NamedOperation): PrefilledRequest {
  const [method = '', template = ''] = name.split(' ')
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  let path = template
  for (const parameter of operation.parameters ?? []) {
    const value = initialValue(parameter)
    if (value === undefined) continue
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, String(value))
    else if (parameter.in === 'header') headers[parameter.name] = String(value)
    else if (typeof value === 'object') fillObject(query, parameter.name, Object(value))
    else query.set(parameter.name, String(value))
  }
  const target = query.size === 0 ? path : `${path}?${query}`
  const contents = operation.requestBody?.content ?? {}
  const content = contents['application/json'] ?? Object.values(contents)[0]
  if (content === undefined) return { method, path: target, headers }
  // A file is not filled in, but chosen.
  if (content.schema.format === 'binary') return { method, path: target, headers, body: png() }
  return { method, path: target, headers, body: sampleBody(operation) }
}

/** The example of a JSON body, which follows from its fields where it has all of them; none without a body. */
export function sampleBody({ requestBody }: Pick<Operation, 'requestBody'>): unknown {
  const content = requestBody?.content?.['application/json']
  return content && (content.example ?? sampleOf(content.schema))
}

function initialValue({ example, schema }: Parameter): unknown {
  const given = example ?? schema.example ?? schema.default
  return given === undefined && schema.type === 'object' ? schema.examples?.[0] : given
}

/** OpenAPI 3.1, section 4.8.12.4: deepObject. */
function fillObject(query: URLSearchParams, name: string, value: Record<string, unknown>): void {
  for (const [key, inner] of Object.entries(value)) query.set(`${name}[${key}]`, String(inner))
}

/** A value that is put together from the examples of the parts. */
function sampleOf({ example, properties, items, oneOf }: Schema): unknown {
  if (example !== undefined) return example
  if (items) return [sampleOf(items)]
  if (oneOf?.[0]) return sampleOf(oneOf[0])
  const fields = Object.entries(properties ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field)]))
}
