import { type Invalid, invalid } from '../errors.ts'

export type UrlKey = { readonly ok: true; readonly key: string } | Invalid

const HTTP_URL = /^https?:\/\/[^/?#\\]/i
/** Browsers drop or repair these silently; here they are refused. */
const REPAIRED = /[\s\p{Cc}\\]/u

/**
 * The form in which URLs of endpoints are compared: scheme and host in lower case, without the scheme's
 * own port, trailing slashes, query and fragment. Everything else counts, the case of the path included.
 * The key of a key is the key itself.
 */
export function endpointUrlKey(text: string): UrlKey {
  if (!HTTP_URL.test(text))
    return invalid('must be a full URL that begins with http:// or https://')
  if (REPAIRED.test(text)) return invalid('must not contain white space or backslashes')
  const url = URL.parse(text)
  if (url === null) return invalid('must be a valid URL')
  if (url.username !== '' || url.password !== '') return invalid('must not contain credentials')
  const key = `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`
  return { ok: true, key }
}
