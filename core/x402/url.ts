import { MAX_URL_LENGTH, URL_TOO_LONG } from '../base/description.ts'
import { type Invalid, invalid } from '../base/errors.ts'

export type UrlKey = { readonly ok: true; readonly key: string } | Invalid

/** Of web servers, and of tools and agents as the transports MCP and A2A name them. */
const RESOURCE_URL = /^(?:https?|mcp|a2a):\/\/[^/?#\\]/i
/** Browsers drop or repair these silently; here they are refused. */
const REPAIRED = /[\s\p{Cc}\\]/u

/**
 * The form in which URLs of endpoints are compared: scheme and host in lower case, without the scheme's
 * own port, trailing slashes, query and fragment, and with one slash for several, as stock middleware of x402
 * matches its routes. Everything else counts, the case of the path included,
 * and that of what is in a host's position in mcp:// and a2a://, which is no host.
 * The key of a key is the key itself.
 */
export function endpointUrlKey(text: string): UrlKey {
  if (text.length > 2 * MAX_URL_LENGTH) return invalid(URL_TOO_LONG)
  if (!RESOURCE_URL.test(text))
    return invalid('must be a full URL that begins with https://, http://, mcp:// or a2a://')
  if (REPAIRED.test(text)) return invalid('must not contain white space or backslashes')
  const url = URL.parse(text)
  if (url === null) return invalid('must be a valid URL')
  if (url.username !== '' || url.password !== '') return invalid('must not contain credentials')
  const key = `${url.protocol}//${url.host}${withoutSlashes(url.pathname.replace(/\/{2,}/g, '/'))}`
  return { ok: true, key }
}

/** A pattern for slashes at the end would try each row of slashes from each of its positions. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
