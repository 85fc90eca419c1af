import { NIL_UUID } from '../../core/base/ids.ts'
import type { Keyring } from '../../core/base/keyring.ts'
import {
  SealedSecretError,
  type SecretColumn,
  sealedPrefix,
  unseal,
} from '../../core/base/sealed.ts'
import type { Database } from './database.ts'
import { seal } from './seal.ts'

/**
 * Encrypts with the current key those secrets that are encrypted with another one, while processes continue. Each
 * secret is replaced only where it still is what was read, so that a new one that was stored in between stays; what
 * is done stays done, so that a run that was cut off is started again.
 */

interface Store {
  readonly name: 'webhook' | 'replaced webhook' | 'authenticator' | 'backup codes'
  readonly column: SecretColumn
}

const STORES: readonly Store[] = [
  { name: 'webhook', column: 'webhook_endpoint.secret' },
  { name: 'replaced webhook', column: 'webhook_endpoint.secret' },
  { name: 'authenticator', column: 'twoFactor.secret' },
  { name: 'backup codes', column: 'twoFactor.backupCodes' },
]

export interface SecretRotation {
  /** How many secrets were encrypted with the current key, */
  readonly rotated: number
  /** and why others could not be: one sentence each, without the secret. */
  readonly unreadable: readonly string[]
}

const BATCH = 200

/** Re-encrypts all of them; `onBatch` is called after each batch with how many are done. */
export async function rotateSecrets(
  database: Database,
  keyring: Keyring,
  { batch = BATCH, onBatch = () => {} }: { batch?: number; onBatch?: (done: number) => void } = {},
): Promise<SecretRotation> {
  let rotated = 0
  const unreadable: string[] = []
  for (const store of STORES) {
    let after: string | undefined = NIL_UUID
    while (after !== undefined) {
      const rows: StoredSecret[] = await readOthers(database, store, keyring, after, batch)
      for (const row of rows) {
        const fresh = resealed(keyring, store, row)
        if (typeof fresh !== 'string') unreadable.push(fresh.message)
        else if (await replace(database, store, row, fresh)) rotated += 1
      }
      after = rows.at(-1)?.id
      if (rows.length > 0) onBatch(rotated)
    }
  }
  return { rotated, unreadable }
}

interface StoredSecret {
  readonly id: string
  readonly stored: string
}

async function readOthers(
  database: Database,
  store: Store,
  { current }: Keyring,
  after: string,
  limit: number,
): Promise<StoredSecret[]> {
  const [from, secret] = named(database, store)
  return database<StoredSecret[]>`
    select id::text as id, ${secret} as stored from ${from}
    where id > ${after} and not starts_with(${secret}, ${sealedPrefix(current.id)})
    order by id limit ${limit}`
}

function resealed(
  keyring: Keyring,
  { column }: Store,
  { id: rowId, stored }: StoredSecret,
): string | SealedSecretError {
  try {
    return seal(keyring, { column, rowId }, unseal(keyring, { column, rowId }, stored))
  } catch (error) {
    if (error instanceof SealedSecretError) return error
    throw error
  }
}

/** False when it was replaced meanwhile. */
async function replace(
  database: Database,
  store: Store,
  { id, stored }: StoredSecret,
  fresh: string,
): Promise<boolean> {
  const [from, secret] = named(database, store)
  const rows = await database`
    update ${from} set ${secret} = ${fresh}
    where id = ${id} and ${secret} = ${stored} returning id`
  return rows.length === 1
}

/** Table and column, which for the library's tables are not in our spelling. */
function named(sql: Database, { name }: Store) {
  switch (name) {
    case 'webhook':
      return [sql`webhook_endpoint`, sql`secret`] as const
    case 'replaced webhook':
      return [sql`webhook_endpoint`, sql`previous_secret`] as const
    case 'authenticator':
      return [sql`auth."twoFactor"`, sql`secret`] as const
    case 'backup codes':
      return [sql`auth."twoFactor"`, sql`"backupCodes"`] as const
    default:
      return name satisfies never
  }
}
