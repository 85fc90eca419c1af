import type { WebhookEvent } from './events.ts'

/** Verification of webhooks by Standard Webhooks, section "Verifying webhook authenticity". */

/** Maximum difference between the time of an attempt and ours, in seconds. */
const TOLERANCE = 300
/** The minimum key length of the standard, in bytes. */
const LEAST_KEY = 24

/** Headers of Fetch, or an object with names in lower case. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The request has no valid signature by this secret, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface VerifyOptions {
  /** The time in milliseconds, instead of the clock's. */
  readonly now?: number
}

/**
 * Verifies signature and time of a webhook and returns its event. `body` is the raw body of the request;
 * `secret` is the endpoint's secret, or several during a rotation.
 *
 * @throws WebhookVerificationError if the webhook is invalid.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secret: string | readonly string[],
  { now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = required(headers, 'webhook-id')
  const timestamp = required(headers, 'webhook-timestamp')
  const signatures = required(headers, 'webhook-signature')
  const away = Math.abs(now / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || away > TOLERANCE) {
    throw new WebhookVerificationError(
      'the timestamp of the webhook differs from the current time by more than five minutes',
    )
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!(await isSigned(signed, signatures, secrets))) {
    throw new WebhookVerificationError('no signature of the webhook matches the secret')
  }
  // Signed with the secret, so the body has the API's form.
  return { id, ...JSON.parse(text) }
}

/** Whether one of the signatures is by one of the secrets. `verify` takes the same time for each. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => bytesIn(signature.slice('v1,'.length)))
    .filter((bytes) => bytes !== null)
  for (const secret of secrets) {
    const key = await keyOf(secret)
    for (const bytes of given) {
      if (await crypto.subtle.verify('HMAC', key, bytes, signed)) return true
    }
  }
  return false
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesIn(secret.replace(/^(test_)?whsec_/, ''))
  // Anyone could sign with an empty secret.
  if (bytes === null || bytes.length < LEAST_KEY) {
    throw new TypeError(
      'a webhook secret must be whsec_ or test_whsec_ followed by 32 bytes in base64',
    )
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Decodes base64; null for anything else. */
function bytesIn(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function required(headers: HeadersLike, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name]
  const text = Array.isArray(value) ? value[0] : value
  if (typeof text !== 'string' || text === '') {
    throw new WebhookVerificationError(`the header ${name} is missing`)
  }
  return text
}

function isFetchHeaders(headers: HeadersLike): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}
