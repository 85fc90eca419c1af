/** Walking through the parts of the document. */

export type Json = { readonly [key: string]: unknown }

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Examples are data, not schemas. */
export const isExample = (key: string) => key === 'example' || key === 'examples'

/** The value with each of its objects replaced, the innermost first. Examples stay as they are. */
export function rewrite(value: unknown, replace: (inner: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => rewrite(element, replace))
  if (!isJson(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    isExample(key) ? inner : rewrite(inner, replace),
  ])
  return replace(Object.fromEntries(entries))
}

/** The document with an example of each chain that this deployment has. */
export function withChainOf(value: unknown, names: ReadonlyMap<unknown, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.map((element) => withChainOf(element, names))
  if (!isJson(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withChainOf(inner, names)])
  return Object.fromEntries(entries)
}
