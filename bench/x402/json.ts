/** Reads JSON of unknown shape. */

/** A member of an object; undefined when there is none, or no object. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

/** The elements of an array; none of anything else. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
