import type { Keyring } from '../../core/base/keyring.ts'
import { openDatabase, type Queryable } from './database.ts'

/** Which keys the secrets in the database are encrypted with. */

export type SecretKind = 'webhook' | 'authenticator'

export interface KeyInUse {
  readonly kind: SecretKind
  /** The key's name. */
  readonly keyId: string
  readonly secrets: bigint
}

export async function keysInUse(sql: Queryable): Promise<KeyInUse[]> {
  return sql<KeyInUse[]>`select kind, key_id, secrets from secret_keys_in_use()`
}

/**
 * Why a process that is about to start could not read what it needs. Empty while the database is away, or
 * lacks its schema: other checks report that.
 */
export async function secretKeyProblems(
  databaseUrl: string,
  keyring: Keyring,
  kind: SecretKind,
): Promise<string[]> {
  const database = openDatabase(databaseUrl, { name: 'remit-secrets', poolSize: 1 })
  try {
    return missingKeys(await keysInUse(database), keyring, kind)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  } finally {
    await database.end({ timeout: 1 })
  }
}

/** One sentence for each key that the database needs and the keyring lacks. */
export function missingKeys(
  inUse: readonly KeyInUse[],
  keyring: Keyring,
  kind: SecretKind | null,
): string[] {
  return inUse
    .filter((one) => kind === null || one.kind === kind)
    .filter(({ keyId }) => !keyring.all.has(keyId))
    .map(
      (one) =>
        `${one.secrets} ${one.kind} secrets are encrypted with the key "${one.keyId}", which ENCRYPTION_KEYS lacks: add it behind the others, and run \`bun run remit secrets rotate\` before it is taken away`,
    )
}
