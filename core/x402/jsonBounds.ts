/** How much of foreign JSON may be kept and shown. */

export const MAX_JSON_LENGTH = 8_192
const MAX_DEPTH = 12
const TOO_LONG = `must have at most ${MAX_JSON_LENGTH} characters`
/** Keywords of JSON Schema that name other schemas; anything but a location in the same one is refused. */
const REFERENCES: ReadonlySet<string> = new Set([
  '$ref',
  '$id',
  '$schema',
  '$dynamicRef',
  '$recursiveRef',
])
/** The dialects that stock packages name. */
const DIALECT = /^https?:\/\/json-schema\.org\/draft[a-z0-9/-]*\/schema#?$/

/**
 * What is wrong with JSON that is to be shown: too long, too deep, or as a schema with references to elsewhere. It
 * stops at the first thing, so that it never reads more than may be kept.
 */
export function jsonProblem(value: unknown, isSchema = true): string | null {
  let left = MAX_JSON_LENGTH
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    left -= lengthOf(next.value)
    if (left < 0) return TOO_LONG
    if (typeof next.value !== 'object' || next.value === null) continue
    const depth = next.depth + 1
    if (depth > MAX_DEPTH) return `must be at most ${MAX_DEPTH - 1} levels deep`
    if (Array.isArray(next.value) && next.value.length > left) return TOO_LONG
    for (const name of Object.keys(next.value)) {
      const part: unknown = Reflect.get(next.value, name)
      if (isSchema && REFERENCES.has(name) && !isOwnReference(name, part))
        return `must not have a ${name} elsewhere`
      left -= name.length + 1
      if (left < 0) return TOO_LONG
      open.push({ value: part, depth })
    }
  }
  return null
}

function isOwnReference(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false
  return value.startsWith('#') || (name === '$schema' && DIALECT.test(value))
}

/** About what it takes as text, without what is in it. */
function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length + 3 : 4
}
