import type { MerchantId, PaymentLinkId, PriceId } from '../../core/base/ids.ts'
import type { Page, PageRequest } from '../../core/base/page.ts'
import type { UsedLink } from '../../core/checkout/link.ts'
import type { Database, Queryable } from '../database/database.ts'
import { microsecondsOf, readPageByMoment } from '../database/moments.ts'
import { inOneSnapshot } from '../invoice/rows.ts'

/** Payment links as merchants make, read and change them. */

export interface LinkTerms {
  readonly priceId: PriceId
  readonly usesLimit: number | null
  readonly endsAt: Date | null
}

const SLUG_BYTES = 16

/**
 * Makes a link to a price of the merchant, under an id; null when there is no such price. A repeat with the
 * same id gets the link that is there already.
 */
export async function createLink(
  sql: Queryable,
  merchantId: MerchantId,
  id: PaymentLinkId,
  { priceId, usesLimit, endsAt }: LinkTerms,
  now: Date,
): Promise<UsedLink | null> {
  const random = crypto.getRandomValues(new Uint8Array(SLUG_BYTES))
  const slug = random.toBase64({ alphabet: 'base64url', omitPadding: true })
  const [row] = await sql<UsedLink[]>`
    insert into payment_link (id, slug, merchant_id, price_id, uses_limit, ends_at, created_at,
      updated_at)
    select ${id}, ${slug}, merchant_id, id, ${usesLimit}, ${endsAt}, ${now}, ${now}
    from price where id = ${priceId} and merchant_id = ${merchantId} and deleted_at is null
    on conflict (id) do nothing
    returning *, 0 as uses`
  return row ?? findLink(sql, merchantId, id)
}

/** One link of the merchant; null for another merchant's. */
export async function findLink(
  sql: Queryable,
  merchantId: MerchantId,
  linkId: PaymentLinkId,
): Promise<UsedLink | null> {
  const [row] = await sql<UsedLink[]>`
    select l.*, ${usesOf(sql)} as uses from payment_link l
    where l.id = ${linkId} and l.merchant_id = ${merchantId}`
  return row ?? null
}

/** The link with this slug; null when there is none. */
export async function findLinkBySlug(sql: Queryable, slug: string): Promise<UsedLink | null> {
  const [row] = await sql<UsedLink[]>`
    select l.*, ${usesOf(sql)} as uses from payment_link l where l.slug = ${slug}`
  return row ?? null
}

/** A link, whosever it is; null when there is none. */
export async function findLinkById(
  sql: Queryable,
  linkId: PaymentLinkId,
): Promise<UsedLink | null> {
  const [row] = await sql<UsedLink[]>`
    select l.*, ${usesOf(sql)} as uses from payment_link l where l.id = ${linkId}`
  return row ?? null
}

/** A page of the merchant's links, the newest first. */
export async function listLinks(
  database: Database,
  merchantId: MerchantId,
  page: PageRequest,
): Promise<Page<UsedLink>> {
  return inOneSnapshot(database, (sql) =>
    readPageByMoment<UsedLink>(sql, page, {
      count: () => sql<{ total: number }[]>`
        select count(*)::int as total from payment_link l where l.merchant_id = ${merchantId}`,
      read: ({ beyond, order, place }) => sql`
        select l.*, ${usesOf(sql)} as uses, ${microsecondsOf(sql, 'l.created_at')} as microseconds
        from payment_link l
        where l.merchant_id = ${merchantId} and ${beyond('l')} ${order('l')} ${place}`,
    }),
  )
}

export interface LinkChange {
  readonly priceId?: PriceId | undefined
  readonly usesLimit?: number | undefined
  readonly endsAt?: Date | undefined
  readonly active?: boolean | undefined
}

/** Changes what is given; null when link or price are not the merchant's. */
export async function changeLink(
  sql: Queryable,
  merchantId: MerchantId,
  linkId: PaymentLinkId,
  { priceId, usesLimit, endsAt, active }: LinkChange,
  now: Date,
): Promise<UsedLink | null> {
  const changed = await sql`
    update payment_link l set
      price_id = coalesce(${priceId ?? null}::uuid, price_id),
      uses_limit = coalesce(${usesLimit ?? null}::integer, uses_limit),
      ends_at = coalesce(${endsAt ?? null}::timestamptz, ends_at),
      active = coalesce(${active ?? null}::boolean, active), updated_at = ${now}
    where id = ${linkId} and merchant_id = ${merchantId}
      and (${priceId ?? null}::uuid is null or exists (
        select from price p where p.id = ${priceId ?? null}::uuid
          and p.merchant_id = ${merchantId} and p.deleted_at is null))
    returning l.id`
  if (changed.length === 0) return null
  return findLink(sql, merchantId, linkId)
}

/** How often the link \`l\` was paid, counted no further than its limit. */
export function usesOf(sql: Queryable) {
  return sql`(
    select count(*)::integer from (
      select from checkout_session_invoice o
      where o.link_id = l.id and o.paid_at is not null limit coalesce(l.uses_limit, 10000)
    ) counted)`
}
