import { type Invalid, invalid } from '../base/errors.ts'
import type { Environment } from '../chain/table.ts'

/** Where payers may be sent on to, and which pages may begin sessions. */

const LOCAL = ['localhost', '127.0.0.1', '[::1]']
export const MAX_URL_LENGTH = 2_048

export type CheckedUrl = { readonly ok: true; readonly url: URL } | Invalid

/** A host as browsers write it, or an IPv6 address: nothing that has a meaning in a header besides. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/
/** What may follow an origin, so that nothing more of a host does. */
const ENDS_ORIGIN = /^(?:$|[/?#])/
const INVISIBLE = /[\p{Cc}\p{White_Space}]/u

/**
 * Checks a URL that payers follow: https, but for this machine in the sandbox, and no credentials. Its scheme
 * and authority must be written as browsers write them (WHATWG URL, section 4.5), so that every parser finds
 * the same host.
 */
export function checkPayerUrl(text: string, environment: Environment): CheckedUrl {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null
  const mayBeLocal = environment === 'sandbox'
  const form = mayBeLocal
    ? 'must be a URL that begins with https://, or with http://localhost'
    : 'must be a URL that begins with https://'
  if (url === null) return invalid(form)
  const isLocal = url.protocol === 'http:' && mayBeLocal && LOCAL.includes(url.hostname)
  if (url.protocol !== 'https:' && !isLocal) return invalid(form)
  const problem = spellingProblem(text, url)
  return problem === null ? { ok: true, url } : invalid(problem)
}

/** Whether this is a whole origin as browsers name it: scheme, host and port, and nothing of another meaning. */
export function isOrigin(text: string): boolean {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null
  return (
    url !== null && /^https?:$/.test(url.protocol) && HOST.test(url.hostname) && url.origin === text
  )
}

/** What of a URL could be read as another host, as what to change; null when nothing can. */
function spellingProblem(
  text: string,
  { username, password, hostname, origin }: URL,
): string | null {
  if (INVISIBLE.test(text)) return 'must hold no spaces or control characters: leave them out'
  if (text.includes('\\')) return 'must hold no backslash: write / instead'
  if (username !== '' || password !== '') {
    return 'must not contain a user name or password: remove the part before the @'
  }
  if (!HOST.test(hostname)) return 'must name a host of letters, digits, hyphens and dots'
  const rest = text.startsWith(origin) ? text.slice(origin.length) : null
  return rest !== null && ENDS_ORIGIN.test(rest)
    ? null
    : `must begin with ${origin}/, which is what browsers make of it`
}

/**
 * Where a payer is sent on to: the session's own URL, or else the merchant's, while its origin is listed. The
 * merchant may have taken an origin off its list since; null for nowhere.
 */
export function returnUrlOf(
  urls: readonly (string | null)[],
  allowedOrigins: readonly string[],
): string | null {
  const isListed = (url: string) =>
    allowedOrigins.some(
      (origin) => url.startsWith(origin) && ENDS_ORIGIN.test(url.slice(origin.length)),
    )
  return urls.find((url) => url !== null && isListed(url)) ?? null
}

/** Checks that a payer may be sent to this URL: on an origin that the merchant has listed. */
export function checkReturnUrl(
  text: string,
  environment: Environment,
  allowedOrigins: readonly string[],
): CheckedUrl {
  const checked = checkPayerUrl(text, environment)
  if (!checked.ok || allowedOrigins.includes(checked.url.origin)) return checked
  return invalid(
    `must be on an origin that the checkout settings allow; ${checked.url.origin} is not one`,
  )
}
