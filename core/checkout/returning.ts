import type { Environment } from '../chain/registry.ts'
import { type Invalid, invalid } from '../errors.ts'

/** Where payers may be sent on to, and which pages may begin sessions. */

const LOCAL = ['localhost', '127.0.0.1', '[::1]']
export const MAX_URL_LENGTH = 2_048

export type CheckedUrl = { readonly ok: true; readonly url: URL } | Invalid

/** Checks a URL that payers follow: https, but for this machine in the sandbox, and no credentials. */
export function checkPayerUrl(text: string, environment: Environment): CheckedUrl {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null
  const mayBeLocal = environment === 'sandbox'
  const form = mayBeLocal
    ? 'must be a URL that begins with https://, or with http://localhost'
    : 'must be a URL that begins with https://'
  if (url === null) return invalid(form)
  const isLocal = url.protocol === 'http:' && mayBeLocal && LOCAL.includes(url.hostname)
  if (url.protocol !== 'https:' && !isLocal) return invalid(form)
  if (url.username !== '' || url.password !== '') return invalid('must not hold a name or password')
  return { ok: true, url }
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
