import type { MerchantId } from '../../core/base/ids.ts'
import type { Database, Queryable } from '../database/database.ts'

/** Requests that are carried out once, however often they are sent with one key. */

/** How long a key is remembered. */
const KEPT = '24 hours'
/** How long a request holds its key before another may retry it, unless its outcome is known. */
const LEASE = '10 seconds'

/** What a merchant requests under a key. */
export interface KeyedRequest {
  readonly merchantId: MerchantId
  readonly key: string
  /** Of method, path and JSON value, which is the same in other bytes: 32 bytes. */
  readonly hash: Uint8Array
}

/** The right to carry a request out. */
export interface Claim extends KeyedRequest {
  /** For what the request creates. */
  readonly objectId: string
  /** True when an earlier attempt may have created it. */
  readonly isRepeated: boolean
  readonly owner: string
}

export interface StoredAnswer {
  readonly status: number
  readonly answer: string
}

export type Claiming =
  | { readonly type: 'ours'; readonly claim: Claim }
  | ({ readonly type: 'answered' } & StoredAnswer)
  | { readonly type: 'in_flight' }
  /** The key came with another request before. */
  | { readonly type: 'conflict' }

interface KeyRow extends Partial<StoredAnswer> {
  readonly isSame: boolean
}

/** Claims a request, or returns its outcome. The claim is committed before it returns. */
export async function claimRequest(sql: Database, request: KeyedRequest): Promise<Claiming> {
  const { merchantId, key, hash } = request
  const owner = crypto.randomUUID()
  for (;;) {
    const [claimed] = await sql<{ objectId: string; isRepeated: boolean }[]>`
      insert into idempotency_key as k (merchant_id, key, request_hash, object_id, owner, leased_until)
      values (${merchantId}, ${key}, ${hash}, ${Bun.randomUUIDv7()}, ${owner},
        now() + ${LEASE}::interval)
      on conflict (merchant_id, key) do update set
        owner = excluded.owner, leased_until = excluded.leased_until
      where k.request_hash = excluded.request_hash and k.answer is null and k.leased_until < now()
        and k.created_at > now() - ${KEPT}::interval
      returning object_id, xmax <> 0 as is_repeated`
    if (claimed) return { type: 'ours', claim: { ...request, ...claimed, owner } }
    const [known] = await sql<KeyRow[]>`
      select status, answer, request_hash = ${hash} as is_same
      from idempotency_key
      where merchant_id = ${merchantId} and key = ${key}
        and created_at > now() - ${KEPT}::interval`
    if (known) return claimingOf(known)
    await sql`
      delete from idempotency_key where merchant_id = ${merchantId} and key = ${key}
        and created_at <= now() - ${KEPT}::interval`
  }
}

function claimingOf({ isSame, status, answer }: KeyRow): Claiming {
  if (!isSame) return { type: 'conflict' }
  if (status == null || answer == null) return { type: 'in_flight' }
  return { type: 'answered', status, answer }
}

/** Stores the response for repeats of the request. */
export async function keepAnswer(
  sql: Queryable,
  { merchantId, key, owner }: Claim,
  { status, answer }: StoredAnswer,
): Promise<void> {
  await sql`
    update idempotency_key set status = ${status}, answer = ${answer}
    where merchant_id = ${merchantId} and key = ${key} and owner = ${owner}`
}

/** Forgets a request that was refused and changed nothing: it may be retried, with another body. */
export async function forgetRequest(
  sql: Queryable,
  { merchantId, key, owner }: Claim,
): Promise<void> {
  await sql`
    delete from idempotency_key
    where merchant_id = ${merchantId} and key = ${key} and owner = ${owner} and answer is null`
}

/** Releases a request that may have failed halfway. */
export async function releaseRequest(
  sql: Queryable,
  { merchantId, key, owner }: Claim,
): Promise<void> {
  await sql`
    update idempotency_key set leased_until = '-infinity'
    where merchant_id = ${merchantId} and key = ${key} and owner = ${owner} and answer is null`
}

/** Removes a batch of keys that are no longer remembered. Returns how many there were. */
export async function removeOldKeys(sql: Queryable, atMost: number): Promise<number> {
  const rows = await sql`
    with old as materialized (
      select merchant_id, key from idempotency_key
      where created_at <= now() - ${KEPT}::interval order by created_at limit ${atMost}
    )
    delete from idempotency_key k using old
    where k.merchant_id = old.merchant_id and k.key = old.key
      and k.created_at <= now() - ${KEPT}::interval
    returning k.key`
  return rows.length
}
