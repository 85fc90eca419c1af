import { createHmac } from 'node:crypto'
import type { Environment } from '../chain/table.ts'

/** Signatures of webhooks: Standard Webhooks, section "Signature scheme", symmetric. */

export const SECRET_BYTES = 32

/** Standard Webhooks prescribes `whsec_`; `test_` marks the sandbox. */
function secretPrefix(environment: Environment): string {
  return environment === 'live' ? 'whsec_' : 'test_whsec_'
}

/** Builds an endpoint's secret from 32 random bytes. */
export function formatSecret(environment: Environment, random: Uint8Array): string {
  if (random.length !== SECRET_BYTES) {
    throw new RangeError(`a webhook secret is made of ${SECRET_BYTES} random bytes`)
  }
  return secretPrefix(environment) + random.toBase64()
}

/** What is sent: the id and the body are the same at every attempt, the time is the attempt's. */
export interface SignedMessage {
  readonly id: string
  readonly at: Date
  readonly body: string
}

/**
 * The three headers of a message, signed with each of the secrets: during a rotation there are two.
 * The signatures are HMAC-SHA256 over `id.timestamp.body`, with the decoded bytes of the secret as key.
 */
export function signedHeaders(message: SignedMessage, secrets: readonly string[]) {
  const timestamp = Math.floor(message.at.getTime() / 1000).toString()
  const content = `${message.id}.${timestamp}.${message.body}`
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`)
      .join(' '),
  }
}

function keyOf(secret: string): Uint8Array {
  return Uint8Array.fromBase64(secret.slice(secret.indexOf('whsec_') + 'whsec_'.length))
}
