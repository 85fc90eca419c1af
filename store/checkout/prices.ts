import type { MerchantId, PriceId } from '../../core/base/ids.ts'
import type { Page, PageRequest } from '../../core/base/page.ts'
import type { Price, PriceDraft } from '../../core/checkout/price.ts'
import type { Database, Queryable } from '../database/database.ts'
import { microsecondsOf, readPageByMoment } from '../database/moments.ts'
import { inOneSnapshot } from '../invoice/rows.ts'

/** Prices as merchants make, read and change them. */

/** Makes a price under an id; a repeat with the same id gets what is there already. */
export async function createPrice(
  sql: Queryable,
  merchantId: MerchantId,
  id: PriceId,
  draft: PriceDraft,
  now: Date,
): Promise<Price> {
  const [made] = await sql<Price[]>`
    insert into price (id, merchant_id, amount, currency, tokens, chains, description, expires_after,
      metadata, is_reusable, underpayment_tolerance, created_at, updated_at)
    values (${id}, ${merchantId}, ${draft.amount}, ${draft.currency}, ${[...draft.tokens]},
      ${[...draft.chains]}::text[], ${draft.description}, ${draft.expiresAfter},
      ${JSON.stringify(draft.metadata)}::text::jsonb, ${draft.isReusable}, ${draft.underpaymentTolerance},
      ${now}, ${now})
    on conflict (id) do nothing
    returning *`
  const row = made ?? (await findPrice(sql, merchantId, id))
  if (!row) throw new Error('the price was not stored')
  return row
}

/** One price of the merchant, active or not; null for another merchant's, and for one that was deleted. */
export async function findPrice(
  sql: Queryable,
  merchantId: MerchantId,
  priceId: PriceId,
): Promise<Price | null> {
  const [row] = await sql<Price[]>`
    select * from price
    where id = ${priceId} and merchant_id = ${merchantId} and deleted_at is null`
  return row ?? null
}

/** A page of the merchant's prices that were not deleted, the newest first. */
export async function listPrices(
  database: Database,
  merchantId: MerchantId,
  page: PageRequest,
): Promise<Page<Price>> {
  return inOneSnapshot(database, (sql) =>
    readPageByMoment<Price>(sql, page, {
      count: () => sql<{ total: number }[]>`
        select count(*)::int as total from price p
        where p.merchant_id = ${merchantId} and p.deleted_at is null`,
      read: ({ beyond, order, place }) => sql`
        select p.*, ${microsecondsOf(sql, 'p.created_at')} as microseconds from price p
        where p.merchant_id = ${merchantId} and p.deleted_at is null and ${beyond('p')}
        ${order('p')} ${place}`,
    }),
  )
}

export interface PriceChange {
  readonly description?: string | undefined
  readonly expiresAfter?: number | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly active?: boolean | undefined
}

/** Changes what is given; null when there is no such price. */
export async function changePrice(
  sql: Queryable,
  merchantId: MerchantId,
  priceId: PriceId,
  { description, expiresAfter, metadata, active }: PriceChange,
  now: Date,
): Promise<Price | null> {
  const metadataJson = metadata === undefined ? null : JSON.stringify(metadata)
  const [row] = await sql<Price[]>`
    update price set
      description = coalesce(${description ?? null}::text, description),
      expires_after = coalesce(${expiresAfter ?? null}::integer, expires_after),
      metadata = coalesce(${metadataJson}::text::jsonb, metadata),
      active = coalesce(${active ?? null}::boolean, active),
      updated_at = ${now}, version = version + 1
    where id = ${priceId} and merchant_id = ${merchantId} and deleted_at is null
    returning *`
  return row ?? null
}

/** Deletes a price for its merchant; sessions still show it. Returns whether there was one. */
export async function deletePrice(
  sql: Queryable,
  merchantId: MerchantId,
  priceId: PriceId,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update price set deleted_at = ${now}, active = false, version = version + 1
    where id = ${priceId} and merchant_id = ${merchantId} and deleted_at is null
    returning id`
  return rows.length === 1
}
