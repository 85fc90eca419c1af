/**
 * Endpoints whose path is a pattern, as stock middleware of x402 writes its routes (@x402/core,
 * parseRoutePattern): `:name` and `[name]` are one segment or a part of one, `*` is anything, and a last
 * `/*` may be missing with its slash. The case of letters makes no difference to a pattern.
 */
export interface RoutePattern {
  /** A regular expression for Postgres (ARE), for keys of URLs; without regard to case. */
  readonly regex: string
  /** The whole segments before the first wildcard, in lower case, which an index finds. */
  readonly head: string
}

/** Longer ones, and more wildcards, would only cost time to match. */
const MAX_WILDCARDS = 8
const MAX_PATTERN_LENGTH = 256
/** How many prefixes of a URL are searched for: the first of a very long path. */
const MAX_HEADS = 32

const WILDCARD = /\*|\[[^\]/]+\]|:[a-zA-Z_][a-zA-Z0-9_]*/g
const ORIGIN = /^[a-z0-9]+:\/\/[^/]*/

/** What is wrong with the pattern that a key has; null when it has none, or a good one. */
export function patternProblem(urlKey: string): string | null {
  const wildcards = [...pathOf(urlKey).matchAll(WILDCARD)].length
  if (wildcards > MAX_WILDCARDS) return `must have at most ${MAX_WILDCARDS} wildcards`
  if (wildcards === 0 || urlKey.length <= MAX_PATTERN_LENGTH) return null
  return `must have at most ${MAX_PATTERN_LENGTH} characters with wildcards`
}

/** The pattern of an endpoint by the key of its URL; null for one without wildcards. */
export function routePattern(urlKey: string): RoutePattern | null {
  const path = pathOf(urlKey)
  const first = path.search(WILDCARD)
  if (first === -1) return null
  const origin = urlKey.slice(0, urlKey.length - path.length)
  const isOpenEnded = path.endsWith('/*')
  const fixed = isOpenEnded ? path.slice(0, -2) : path
  const regex = `^${escaped(origin)}${regexOf(fixed)}${isOpenEnded ? '(?:/.*)?' : ''}$`
  return { regex, head: (origin + upToSlash(path.slice(0, first))).toLowerCase() }
}

/** All heads that a pattern for this URL could have. */
export function headsOf(urlKey: string): string[] {
  const lower = urlKey.toLowerCase()
  const path = pathOf(lower)
  const origin = lower.slice(0, lower.length - path.length)
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index)
  const ends = [...slashes, path.length].slice(0, MAX_HEADS)
  return [...new Set(ends.map((end) => origin + path.slice(0, end)))]
}

function upToSlash(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

function pathOf(urlKey: string): string {
  return urlKey.slice(ORIGIN.exec(urlKey)?.[0].length ?? 0)
}

function regexOf(path: string): string {
  let regex = ''
  let end = 0
  for (const { 0: wildcard, index } of path.matchAll(WILDCARD)) {
    regex += escaped(path.slice(end, index)) + (wildcard === '*' ? '.*' : '[^/]+')
    end = index + wildcard.length
  }
  return regex + escaped(path.slice(end))
}

/** A backslash escapes anything but letters and digits. */
function escaped(text: string): string {
  return text.replace(/[^a-zA-Z0-9]/g, '\\$&')
}
