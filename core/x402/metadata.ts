import { isTooLong } from '../base/description.ts'
import type { ErrorDetail } from '../base/errors.ts'
import { isObject, type JsonObject } from './fields.ts'
import { jsonProblem } from './jsonBounds.ts'

/**
 * What is shown of a resource where it can be found: x402's extension "bazaar" (@x402/extensions 2.27) and
 * the fields of its `resource`. It is shown to strangers and never carried out: no schema is run, no URL is
 * fetched.
 */
export interface Metadata {
  readonly mimeType?: string
  readonly serviceName?: string
  readonly tags?: readonly string[]
  readonly iconUrl?: string
  /** The extension: how the resource is called, and what it answers. */
  readonly info?: JsonObject
  /** A JSON schema of `info`. */
  readonly schema?: JsonObject
  readonly routeTemplate?: string
}

/** Printable ASCII without what opens and closes markup. */
const NAME = /^[ !#-;=?-~]{1,32}$/
const MOST_TAGS = 5
/** Of a tool of an MCP server. */
const TOOL = /^[^\p{Cc}\p{Cs}]{1,128}$/u
const MIME_TYPE = /^[a-zA-Z0-9!#$&^_.+-]{1,63}\/[a-zA-Z0-9!#$&^_.+*-]{1,63}$/
const ROUTE = /^\/[a-zA-Z0-9_/:.\-~%]{0,255}$/
/** A name that only public hosts have: no address, no machine of one's own network. */
const PUBLIC_HOST = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/
const PRIVATE_HOST = /(?:^|\.)(?:localhost|local|internal|lan|home|test|invalid)$/

type Check = (value: unknown) => string | null

const CHECKS: Readonly<Record<keyof Metadata, Check>> = {
  mimeType: matching(MIME_TYPE, 'must be a MIME type'),
  serviceName: matching(NAME, 'must have 1 to 32 printable ASCII characters, and no < > "'),
  tags: tagsProblem,
  iconUrl: iconProblem,
  info: infoProblem,
  schema: (value) => (isObject(value) ? jsonProblem(value) : 'must be a JSON schema'),
  routeTemplate: routeProblem,
}
const FIELDS: readonly string[] = Object.keys(CHECKS)
const EXTENSION: readonly string[] = ['info', 'schema']

/** What is wrong with metadata; nothing, if it may be shown as it is. Fields that are undefined are missing. */
export function metadataProblems(metadata: JsonObject): ErrorDetail[] {
  return Object.entries(metadata).flatMap(([name, value]) => {
    if (value === undefined) return []
    const message = isField(name) ? CHECKS[name](value) : 'is not a known field'
    return message === null ? [] : [{ path: name, message }]
  })
}

/** Whether everything in it may be shown. */
export function isMetadata(metadata: JsonObject): metadata is JsonObject & Metadata {
  return metadataProblems(metadata).length === 0
}

/**
 * What of it is shown: stored metadata may be older than these rules. What breaks one is left out, as facilitators
 * of x402 do, and the rest stays; the extension is left out whole, because its parts explain each other.
 */
export function shownMetadata(metadata: JsonObject): Metadata {
  const tags = Array.isArray(metadata.tags) ? uniqueTags(metadata.tags) : []
  const { tags: _, ...others } = metadata
  const kept = Object.entries(tags.length > 0 ? { ...others, tags } : others).filter(
    ([name, value]) => isField(name) && CHECKS[name](value) === null,
  )
  const shown = Object.fromEntries(kept)
  if (EXTENSION.every((name) => metadata[name] === undefined || shown[name] !== undefined))
    return shown
  return Object.fromEntries(kept.filter(([name]) => !EXTENSION.includes(name)))
}

/** The tool of an MCP server that is described; null for any other resource. */
export function toolOf(metadata: Metadata | null): string | null {
  const input = metadata?.info?.input
  if (!isObject(input) || input.type !== 'mcp') return null
  return typeof input.toolName === 'string' ? input.toolName : null
}

/** Whether two are equal; the database orders fields its own way. */
export function isSameMetadata(one: Metadata, other: Metadata | null): boolean {
  return other !== null && ordered(one) === ordered(other)
}

function ordered(metadata: Metadata): string {
  return JSON.stringify(metadata, (_, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

function isField(name: string): name is keyof Metadata {
  return FIELDS.includes(name)
}

function matching(form: RegExp, message: string): Check {
  return (value) => (typeof value === 'string' && form.test(value) ? null : message)
}

function tagsProblem(value: unknown): string | null {
  const areGood =
    Array.isArray(value) &&
    value.length <= MOST_TAGS &&
    value.every((tag) => typeof tag === 'string' && NAME.test(tag))
  return areGood
    ? null
    : `must be at most ${MOST_TAGS} of 1 to 32 printable ASCII characters, and no < > "`
}

/** The first that may be shown, without those that differ in the case of letters alone. */
function uniqueTags(tags: readonly unknown[]): unknown[] {
  const good = tags.filter((tag) => tagsProblem([tag]) === null).map(String)
  const first = new Map(good.toReversed().map((tag) => [tag.toLowerCase(), tag]))
  return [...first.values()].toReversed().slice(0, MOST_TAGS)
}

function iconProblem(value: unknown): string | null {
  const message = 'must be an http(s) URL of a public host by its name'
  if (typeof value !== 'string' || isTooLong(value, value)) return message
  const url = URL.parse(value)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return message
  if (url.username !== '' || url.password !== '' || /[\s"<>]/.test(value)) return message
  const host = url.hostname
  return PUBLIC_HOST.test(host) && !PRIVATE_HOST.test(host) ? null : message
}

function infoProblem(value: unknown): string | null {
  const input = isObject(value) ? value.input : undefined
  const type = isObject(input) ? input.type : undefined
  if (!isObject(input) || (type !== 'http' && type !== 'mcp')) {
    return 'must have an input of the type "http" or "mcp"'
  }
  const { toolName, inputSchema } = input
  if (type === 'mcp' && (typeof toolName !== 'string' || !TOOL.test(toolName))) {
    return 'must have an input.toolName of 1 to 128 characters'
  }
  // Examples of what is sent and answered may have any names; a schema in it may not refer to elsewhere.
  return jsonProblem(value, false) ?? jsonProblem(inputSchema)
}

function routeProblem(value: unknown): string | null {
  const message = 'must be a path of a route, without .. and ://'
  if (typeof value !== 'string' || !ROUTE.test(value)) return message
  const plain = value.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/')
  return plain.includes('..') || plain.includes('://') ? message : null
}
