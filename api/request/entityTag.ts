/** Tags of a list, weak or not; commas may stand within them. */
const TAGS = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/**
 * Whether a caller's If-None-Match names what it has already as what it would be sent: by weak comparison, among several,
 * or by `*` (RFC 9110, sections 8.8.3.2 and 13.1.2).
 */
export function isNamed(tag: string, headers: Headers): boolean {
  const named = headers.get('if-none-match')?.trim() ?? ''
  const opaque = tag.replace(/^W\//, '')
  return named === '*' || [...named.matchAll(TAGS)].some(([, one]) => one === opaque)
}
