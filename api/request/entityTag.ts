/** Tags of a list, weak or not; they may contain commas. */
const TAGS = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/**
 * Whether If-None-Match matches the current entity tag: by weak comparison, in a list,
 * or by `*` (RFC 9110, sections 8.8.3.2 and 13.1.2).
 */
export function isNamed(tag: string, headers: Headers): boolean {
  const named = headers.get('if-none-match')?.trim() ?? ''
  const opaque = tag.replace(/^W\//, '')
  return named === '*' || [...named.matchAll(TAGS)].some(([, one]) => one === opaque)
}
