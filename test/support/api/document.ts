import { expect } from 'bun:test'
import type { ApiRig } from './rig.ts'

/** The OpenAPI document, as far as tests read it. */

export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly example?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}
export interface Content {
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly example?: unknown }>
  >
  readonly headers?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly description?: string
}
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}
export interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly operationId?: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
export interface Document {
  readonly openapi: string
  readonly info: { readonly description: string }
  /** Of operations that say nothing else. */
  readonly security: NonNullable<Operation['security']>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  /** By the type of the event. */
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly responses: Readonly<Record<string, Content>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

export interface NamedOperation {
  /** Method and path, e.g. GET /health. */
  readonly name: string
  readonly operation: Operation
}

export async function readDocument(rig: ApiRig): Promise<Document> {
  const answer = await rig.call('GET', '/openapi.json', { key: null })
  expect(answer.status).toBe(200)
  const document = JSON.parse(answer.text)
  return resolved(document, document)
}

/** The document with what its references refer to in their places. */
function resolved(value: unknown, document: unknown): Document
function resolved(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => resolved(element, document))
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) return resolved(at(document, String(value.$ref)), document)
  // What refers to components by their names, and not in their places.
  if ('mapping' in value) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, resolved(inner, document)])
  return withAllProperties(Object.fromEntries(entries))
}

/**
 * An object that is composed of several has the properties of all of them. What one part says of a property,
 * another may narrow; what it says of itself may be enough.
 */
function withAllProperties(schema: Readonly<Record<string, unknown>>): unknown {
  if (!Array.isArray(schema.allOf)) return schema
  const all = new Map<string, object>()
  for (const { properties } of schema.allOf.map(Object)) {
    for (const [name, said] of Object.entries<object>(properties ?? {})) {
      all.set(name, { ...all.get(name), ...said })
    }
  }
  const { description } = Object(schema.allOf[0])
  return { description, ...schema, properties: Object.fromEntries(all) }
}

function at(document: unknown, reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((inner, key) => Object(inner)[key], document)
}

export function operationsOf({ paths, security }: Document): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation: { security, ...operation },
    })),
  )
}
