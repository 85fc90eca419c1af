import { type Keyring, keyringOf, parseSecretKeys, sandboxKeyring } from '../base/keyring.ts'
import type { Environment } from '../chain/table.ts'
import type { Reader } from './reader.ts'

/** Reads ENCRYPTION_KEYS. Only a sandbox goes without. */
export function secretKeys(reader: Reader, environment: Environment): Keyring {
  const text = reader.optional('ENCRYPTION_KEYS')
  const parsed = text === null ? null : parseSecretKeys(text)
  if (parsed?.ok === false) reader.problem(`ENCRYPTION_KEYS ${parsed.problem}`)
  const keys = parsed?.ok === true ? parsed.keys : []
  if (environment !== 'live') return sandboxKeyring(keys)
  const keyring = keyringOf(keys)
  if (keyring !== null) return keyring
  if (text === null) {
    reader.problem(
      'ENCRYPTION_KEYS is missing: in live, secrets of webhooks and authenticators are encrypted in the database; set it to a name and 32 random bytes, as in `k1:$(openssl rand -base64 32)`, and keep it as safe as the database',
    )
  }
  // Never used: a configuration with a problem is none.
  return sandboxKeyring([])
}
