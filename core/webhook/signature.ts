import { sha256 } from 'viem'
import type { Environment } from '../registry.ts'

/** Signatures of webhooks: Standard Webhooks, section "Signature scheme", symmetric. */

export const SECRET_BYTES = 32

/** `whsec_`, or `test_whsec_` in the sandbox: specification section 6. */
export function secretPrefix(environment: Environment): string {
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
 * The signatures are over `id.timestamp.body`, with the decoded bytes of the secret as the key.
 */
export function signedHeaders(message: SignedMessage, secrets: readonly string[]) {
  const timestamp = Math.floor(message.at.getTime() / 1000).toString()
  const content = new TextEncoder().encode(`${message.id}.${timestamp}.${message.body}`)
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${hmacSha256(keyOf(secret), content).toBase64()}`)
      .join(' '),
  }
}

function keyOf(secret: string): Uint8Array {
  return Uint8Array.fromBase64(secret.slice(secret.indexOf('whsec_') + 'whsec_'.length))
}

const BLOCK_BYTES = 64

/** HMAC of RFC 2104 with SHA-256, for keys of at most one block. */
function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const inner = new Uint8Array(BLOCK_BYTES + message.length).fill(0x36, 0, BLOCK_BYTES)
  const outer = new Uint8Array(BLOCK_BYTES + 32).fill(0x5c, 0, BLOCK_BYTES)
  for (const [i, byte] of key.entries()) {
    inner[i] = byte ^ 0x36
    outer[i] = byte ^ 0x5c
  }
  inner.set(message, BLOCK_BYTES)
  outer.set(sha256(inner, 'bytes'), BLOCK_BYTES)
  return sha256(outer, 'bytes')
}
