/** Traversal of the document. */

export type Json = { readonly [key: string]: unknown }

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Examples are data, not schemas. */
export const isExample = (key: string) => key === 'example' || key === 'examples'

/** Replaces each object of a value, the innermost first. Examples are kept. */
export function rewrite(value: unknown, replace: (inner: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => rewrite(element, replace))
  if (!isJson(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    isExample(key) ? inner : rewrite(inner, replace),
  ])
  return replace(Object.fromEntries(entries))
}

/** The document with examples from the chains of this deployment. */
export function withChainOf(value: unknown, names: ReadonlyMap<unknown, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.map((element) => withChainOf(element, names))
  if (!isJson(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withChainOf(inner, names)])
  return Object.fromEntries(entries)
}
