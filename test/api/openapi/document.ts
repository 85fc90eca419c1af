import { expect } from 'bun:test'
import type { ApiRig } from '../rig.ts'

/** The OpenAPI document, as far as tests read it. */

export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly example?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly string[]
}
export interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly headers?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly description?: string
}
export interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly operationId?: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Schema & { readonly name: string; readonly schema: Schema })[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
export interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly responses: Readonly<Record<string, Content>>
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
  const entries = Object.entries(value).map(([key, inner]) => [key, resolved(inner, document)])
  return Object.fromEntries(entries)
}

function at(document: unknown, reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((inner, key) => Object(inner)[key], document)
}

export function operationsOf({ paths }: Document): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}
