import { type ApiKeyKind, apiKeyPrefix, formatApiKey } from '../../core/access/keys.ts'
import type { Scope } from '../../core/access/scopes.ts'
import type { KeyId, MerchantId, PersonId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Environment } from '../../core/chain/table.ts'
import type { Database, Fragment, Queryable } from '../database/database.ts'
import { gather } from '../database/gather.ts'

/**
 * API keys: looked up by their SHA-256 on every request. Secret ones are stored as that alone; publishable ones can be
 * read again.
 */

/** Whose key it is, and what creating an invoice needs to know of the merchant. */
export interface KeyOwner {
  readonly merchantId: MerchantId
  readonly kind: ApiKeyKind
  /** What it opens; null for a key that opens everything. */
  readonly scopes: readonly Scope[] | null
  /** The merchant's own recipient, null while none is configured. */
  readonly recipient: Address | null
  /** The last characters of the key. */
  readonly hint: string
  /** The merchant's default underpayment tolerance. */
  readonly usualTolerance: string
  /** The SHA-256 of the key, in hex. */
  readonly keyHash: string
}

/** How much of a key may be shown later, so that its owner recognises it. */
const HINT_LENGTH = 4
const KEY_BYTES = 32
const KEY_LENGTH = apiKeyPrefix('secret', 'live').length + 43

export interface KeyLookup {
  /** Finds the owner of a key; null when it is unknown, revoked or of the other environment. */
  find(key: string): Promise<KeyOwner | null>
  /**
   * The owner that was found last, null if there was none. The key may be revoked by now: use it only for a
   * statement that takes effect `whileOwned`.
   */
  recall(key: string): KeyOwner | null
}

/** Keys whose owners are remembered; a forgotten one costs a read. */
const OWNERS_KEPT = 10_000

/**
 * Looks keys up by an indexed read that begins after the request was received, without a cache, so that a
 * rotated key is refused at once by every process. Concurrent requests share one read.
 */
export function openKeyLookup(database: Database, environment: Environment): KeyLookup {
  const found = new Map<string, KeyOwner>()
  const find = gather<string, { readonly owner: KeyOwner | null }>({
    async work(hashes) {
      const wanted = hashes.map((hash) => `\\x${hash}`)
      const rows = await database<KeyOwner[]>`
        select encode(k.hash, 'hex') as key_hash, m.id as merchant_id, m.recipient, k.kind, k.scopes, k.hint,
          coalesce(g.underpayment_tolerance, '0') as usual_tolerance
        from api_key k join merchant m on m.id = k.merchant_id
        left join merchant_page g on g.merchant_id = m.id
        where k.hash = any(${wanted}::text[]::bytea[]) and k.revoked_at is null`
      const owners = new Map(rows.map((owner) => [owner.keyHash, owner]))
      return hashes.map((hash) => ({ owner: owners.get(hash) ?? null }))
    },
    isItemError: () => false,
  })
  return {
    async find(key) {
      if (!hasKeyForm(environment, key)) return null
      const hash = hashOf(key).toHex()
      found.delete(hash)
      const { owner } = await find(hash)
      if (found.size >= OWNERS_KEPT) found.clear()
      if (owner !== null) found.set(hash, owner)
      return owner
    },
    recall: (key) => found.get(hashOf(key).toHex()) ?? null,
  }
}

/** Columns or parameters of a statement: what a KeyOwner has of these names. */
type OwnerColumns = Readonly<
  Record<'keyHash' | 'merchantId' | 'recipient' | 'usualTolerance', Fragment>
>

/** The condition of a statement that the key is valid, and its owner still as it was found. */
export function whileOwned(
  sql: Queryable,
  { keyHash, merchantId, recipient, usualTolerance }: OwnerColumns,
): Fragment {
  return sql`exists (
    select from api_key k join merchant m on m.id = k.merchant_id
    left join merchant_page g on g.merchant_id = m.id
    where k.hash = decode(${keyHash}, 'hex') and k.revoked_at is null and m.id = ${merchantId}
      and m.recipient is not distinct from ${recipient}
      and coalesce(g.underpayment_tolerance, '0') = ${usualTolerance})`
}

/** Makes the merchant's first key of a kind and returns it. */
export async function createKey(
  sql: Queryable,
  environment: Environment,
  merchantId: MerchantId,
  kind: ApiKeyKind,
): Promise<string> {
  const { key, hash, hint, readable } = newKey(kind, environment)
  await sql`
    insert into api_key (hash, merchant_id, kind, hint, readable)
    values (${hash}, ${merchantId}, ${kind}, ${hint}, ${readable})`
  return key
}

/**
 * Replaces all keys of a kind that the merchant has by one that opens everything. They are revoked by the statement
 * that stores the new one, so there is no moment with both or with none. Returns null when there is no such merchant.
 */
export async function rotateKey(
  sql: Queryable,
  environment: Environment,
  merchantId: MerchantId,
  kind: ApiKeyKind,
): Promise<string | null> {
  const { key, hash, hint, readable } = newKey(kind, environment)
  const [row] = await sql<{ isDone: boolean }[]>`
    select replace_api_keys(${merchantId}, ${kind}, ${hash}, ${hint}, ${readable}) as is_done`
  return row?.isDone ? key : null
}

/** A key as it is shown after its creation. */
export interface KnownKey {
  readonly id: KeyId
  readonly kind: ApiKeyKind
  readonly name: string
  /** Null for a key that opens everything. */
  readonly scopes: readonly Scope[] | null
  readonly hint: string
  /** A publishable key as it is; null for secret keys, and for those made before it was stored. */
  readonly readable: string | null
  readonly createdAt: Date
  /** When a request last came with it, to the minute; null when none did. */
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

/** The merchant's keys, active ones first, then the newest; of very many, the first. */
export async function listKeys(
  sql: Queryable,
  merchantId: MerchantId,
  limit: number,
): Promise<KnownKey[]> {
  return sql<KnownKey[]>`
    select id, kind, name, scopes, hint, readable, created_at, last_used_at, revoked_at from api_key
    where merchant_id = ${merchantId}
    order by revoked_at is not null, created_at desc, kind limit ${limit}`
}

/** The most active keys of a merchant. */
const MOST_KEYS = { secret: 50, publishable: 1 } as const satisfies Record<ApiKeyKind, number>

/** Who requests a change of whose keys. The database requires the open audit entry of the change. */
export interface KeyActor {
  readonly personId: PersonId
  readonly merchantId: MerchantId
}

export interface WantedKey {
  readonly kind: ApiKeyKind
  readonly name: string
  readonly scopes: readonly Scope[] | null
}

/** A key that was just made: it is shown now, and a secret one never again. */
export interface MadeKey {
  readonly id: KeyId
  readonly key: string
}

/** Makes one more key; null when the merchant has as many active ones as it may have. */
export async function addKey(
  sql: Queryable,
  environment: Environment,
  { personId, merchantId }: KeyActor,
  { kind, name, scopes }: WantedKey,
): Promise<MadeKey | null> {
  const { key, hash, hint, readable } = newKey(kind, environment)
  const [row] = await sql<{ id: KeyId | null }[]>`
    select create_api_key(${personId}, ${merchantId}, ${kind}, ${name}, ${scopes && [...scopes]}::text[], ${hash},
      ${hint}, ${readable}, ${MOST_KEYS[kind]}) as id`
  return row?.id ? { id: row.id, key } : null
}

/** Replaces an active key by one with its name and scopes, and refuses it from now on; null when there is none. */
export async function replaceKey(
  sql: Queryable,
  environment: Environment,
  { personId, merchantId }: KeyActor,
  keyId: KeyId,
): Promise<(MadeKey & WantedKey) | null> {
  const [old] = await sql<WantedKey[]>`
    select kind, name, scopes from api_key
    where id = ${keyId} and merchant_id = ${merchantId} and revoked_at is null`
  if (old === undefined) return null
  const { key, hash, hint, readable } = newKey(old.kind, environment)
  const [row] = await sql<{ id: KeyId | null }[]>`
    select rotate_api_key(${personId}, ${merchantId}, ${keyId}, ${hash}, ${hint}, ${readable}) as id`
  return row?.id ? { ...old, id: row.id, key } : null
}

/** Refuses a key from now on; false when it was refused already, null when the merchant has no such key. */
export async function revokeKey(
  sql: Queryable,
  { personId, merchantId }: KeyActor,
  keyId: KeyId,
): Promise<boolean | null> {
  const [row] = await sql<{ isDone: boolean }[]>`
    select revoke_api_key(${personId}, merchant_id, id) as is_done from api_key
    where id = ${keyId} and merchant_id = ${merchantId}`
  return row?.isDone ?? null
}

function hasKeyForm(environment: Environment, key: string): boolean {
  if (key.length !== KEY_LENGTH) return false
  return (
    key.startsWith(apiKeyPrefix('secret', environment)) ||
    key.startsWith(apiKeyPrefix('publishable', environment))
  )
}

/** A random key, and what is stored of it. */
function newKey(kind: ApiKeyKind, environment: Environment) {
  const key = formatApiKey(kind, environment, crypto.getRandomValues(new Uint8Array(KEY_BYTES)))
  const readable = kind === 'publishable' ? key : null
  return { key, hash: hashOf(key), hint: key.slice(-HINT_LENGTH), readable }
}

function hashOf(key: string): Uint8Array {
  return Bun.CryptoHasher.hash('sha256', key)
}
