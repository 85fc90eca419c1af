import type { Price, PriceDraft } from '../../core/checkout/price.ts'
import type { MerchantId, PriceId } from '../../core/ids.ts'
import type { Queryable } from '../database.ts'

/** Prices as merchants make, read and change them. */

export async function createPrice(
  sql: Queryable,
  merchantId: MerchantId,
  draft: PriceDraft,
  now: Date,
): Promise<Price> {
  const [row] = await sql<Price[]>`
    insert into price (id, merchant_id, amount, tokens, chains, description, expires_after, metadata,
      is_reusable, created_at, updated_at)
    values (${Bun.randomUUIDv7()}, ${merchantId}, ${draft.amount}, ${[...draft.tokens]},
      ${[...draft.chains]}::text[], ${draft.description}, ${draft.expiresAfter},
      ${JSON.stringify(draft.metadata)}::text::jsonb, ${draft.isReusable}, ${now}, ${now})
    returning *`
  if (!row) throw new Error('the price was not stored')
  return row
}

/** One price of the merchant, switched on or not; null for anybody else's, and for one that was deleted. */
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
