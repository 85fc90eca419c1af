import { type ApiKeyKind, apiKeyPrefix, formatApiKey } from '../../core/access/keys.ts'
import type { MerchantId, PersonId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Environment } from '../../core/chain/table.ts'
import { type Database, isUniqueViolation, type Queryable } from '../database/database.ts'
import { gather } from '../database/gather.ts'

/** API keys: shown once, stored as SHA-256, looked up by that hash on every request. */

/** Whose key it is, and what creating an invoice needs to know of the merchant. */
export interface KeyOwner {
  readonly merchantId: MerchantId
  readonly kind: ApiKeyKind
  /** The merchant's own recipient, null while none is configured. */
  readonly recipient: Address | null
  /** The last characters of the key. */
  readonly hint: string
  /** The merchant's default underpayment tolerance. */
  readonly usualTolerance: string
}

/** How much of a key may be shown later, so that its owner recognises it. */
const HINT_LENGTH = 4
const KEY_BYTES = 32
const KEY_LENGTH = apiKeyPrefix('secret', 'live').length + 43
const ROTATION_TRIES = 5

/** Finds the owner of a key; null when it is unknown, revoked or of the other environment. */
export type FindKeyOwner = (key: string) => Promise<KeyOwner | null>

type KeyRow = KeyOwner & { readonly hash: string }

/**
 * Looks keys up by an indexed read that begins after the request was received, without a cache, so that a
 * rotated key is refused at once by every process. Concurrent requests share one read.
 */
export function openKeyLookup(database: Database, environment: Environment): FindKeyOwner {
  const find = gather<string, { readonly owner: KeyOwner | null }>({
    async work(hashes) {
      const wanted = hashes.map((hash) => `\\x${hash}`)
      const rows = await database<KeyRow[]>`
        select encode(k.hash, 'hex') as hash, m.id as merchant_id, m.recipient, k.kind, k.hint,
          coalesce(g.underpayment_tolerance, '0') as usual_tolerance
        from api_key k join merchant m on m.id = k.merchant_id
        left join merchant_page g on g.merchant_id = m.id
        where k.hash = any(${wanted}::text[]::bytea[]) and k.revoked_at is null`
      const owners = new Map(rows.map(({ hash, ...owner }) => [hash, owner]))
      return hashes.map((hash) => ({ owner: owners.get(hash) ?? null }))
    },
    isItemError: () => false,
  })
  return async (key) => {
    if (!hasKeyForm(environment, key)) return null
    return (await find(hashOf(key).toHex())).owner
  }
}

/** Makes the merchant's first key of a kind and returns it; it can't be read again. */
export async function createKey(
  sql: Queryable,
  environment: Environment,
  merchantId: MerchantId,
  kind: ApiKeyKind,
): Promise<string> {
  const key = randomKey(kind, environment)
  await sql`
    insert into api_key (hash, merchant_id, kind, hint)
    values (${hashOf(key)}, ${merchantId}, ${kind}, ${hintOf(key)})`
  return key
}

/**
 * Replaces the merchant's key of a kind. The old one is revoked by the statement that stores the new
 * one, so there is no moment with two or with none. Returns null when there is no such merchant.
 */
export async function rotateKey(
  sql: Queryable,
  environment: Environment,
  merchantId: MerchantId,
  kind: ApiKeyKind,
): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    const key = randomKey(kind, environment)
    try {
      const rows = await sql`
        with revoked as (
          update api_key set revoked_at = now()
          where merchant_id = ${merchantId} and kind = ${kind} and revoked_at is null
          returning hash
        ), counted as materialized (
          select count(*) from revoked
        )
        insert into api_key (hash, merchant_id, kind, hint)
        select ${hashOf(key)}, m.id, ${kind}, ${hintOf(key)}
        from merchant m, counted where m.id = ${merchantId}
        returning hash`
      return rows.length === 1 ? key : null
    } catch (error) {
      // Two rotations at the same moment: the second one begins again and replaces the first one's.
      if (!isUniqueViolation(error) || attempt === ROTATION_TRIES) throw error
    }
  }
}

/** A key as it is shown after its creation. */
export interface KnownKey {
  readonly kind: ApiKeyKind
  readonly hint: string
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
    select kind, hint, created_at, last_used_at, revoked_at from api_key
    where merchant_id = ${merchantId}
    order by revoked_at is not null, created_at desc, kind limit ${limit}`
}

/**
 * The same as `rotateKey`, by a member of the merchant, as far as the API's role may: the database requires
 * the audit entry of this change. Returns the new key, which can't be read again.
 */
export async function replaceKey(
  sql: Queryable,
  environment: Environment,
  wanted: OwnKey,
): Promise<string> {
  const { personId, merchantId, kind } = wanted
  for (let attempt = 1; ; attempt++) {
    const key = randomKey(kind, environment)
    try {
      await sql`
        select replace_api_key(${personId}, ${merchantId}, ${kind}, ${hashOf(key)}, ${hintOf(key)})`
      return key
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === ROTATION_TRIES) throw error
    }
  }
}

/** Whose key of which kind, and who requests it. */
export interface OwnKey {
  readonly personId: PersonId
  readonly merchantId: MerchantId
  readonly kind: ApiKeyKind
}

/** Ends the merchant's key of a kind; false when none is active. */
export async function revokeKey(sql: Queryable, wanted: OwnKey): Promise<boolean> {
  const { personId, merchantId, kind } = wanted
  const [row] = await sql<{ isDone: boolean }[]>`
    select replace_api_key(${personId}, ${merchantId}, ${kind}, null, null) as is_done`
  return row?.isDone ?? false
}

function hasKeyForm(environment: Environment, key: string): boolean {
  if (key.length !== KEY_LENGTH) return false
  return (
    key.startsWith(apiKeyPrefix('secret', environment)) ||
    key.startsWith(apiKeyPrefix('publishable', environment))
  )
}

function randomKey(kind: ApiKeyKind, environment: Environment): string {
  return formatApiKey(kind, environment, crypto.getRandomValues(new Uint8Array(KEY_BYTES)))
}

function hashOf(key: string): Uint8Array {
  return Bun.CryptoHasher.hash('sha256', key)
}

function hintOf(key: string): string {
  return key.slice(-HINT_LENGTH)
}
