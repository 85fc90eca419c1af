import type { MerchantId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'

/** What the search of the dashboard finds besides invoices and refunds, each by an index or among few rows. */

export type ObjectKind =
  | 'payment_link'
  | 'webhook_endpoint'
  | 'event'
  | 'x402_endpoint'
  | 'x402_payment'
  | 'x402_payer'
  | 'customer'

/** Something that a page shows. */
export interface FoundObject {
  readonly kind: ObjectKind
  readonly id: string
  /** What it is called: a URL, a type, a payer. */
  readonly title: string
  /** What its page is found by, besides its id: the object of an event, the metadata key of a customer. */
  readonly about: string | null
}

/** The merchant's objects with this id. */
export async function findById(
  sql: Queryable,
  merchantId: MerchantId,
  id: string,
): Promise<FoundObject[]> {
  const own = sql`id = ${id} and merchant_id = ${merchantId}`
  return sql<FoundObject[]>`
    select 'event' as kind, id, type as title, object_id::text as about from outbox where ${own}
    union all
    select 'webhook_endpoint', id, url, null from webhook_endpoint where ${own}
    union all
    select 'x402_endpoint', id, url, null from x402_endpoint where ${own}
    union all
    select 'x402_payment', id, payer::text, null from x402_payment where ${own}
    union all
    select 'payment_link', l.id, coalesce(p.description, l.slug), null
    from payment_link l join price p on p.id = l.price_id
    where l.id = ${id} and l.merchant_id = ${merchantId}`
}

const MOST_PER_KIND = 5

/** The x402 payments of a transaction. */
export async function findByHash(
  sql: Queryable,
  merchantId: MerchantId,
  txHash: Hex,
): Promise<FoundObject[]> {
  return sql<FoundObject[]>`
    select 'x402_payment' as kind, id, payer::text as title, null as about from x402_payment
    where tx_hash = ${txHash} and merchant_id = ${merchantId} limit ${MOST_PER_KIND}`
}

/** Only the newest x402 payments are searched for a payer; the filter of their list knows all. */
const NEWEST_PAYMENTS = 5_000

/** Whether an address has paid by x402 lately. */
export async function findPayer(
  sql: Queryable,
  merchantId: MerchantId,
  address: Address,
): Promise<FoundObject[]> {
  return sql<FoundObject[]>`
    select 'x402_payer' as kind, ${address}::text as id, ${address}::text as title, null as about
    where ${address} in (
      select payer from (
        select payer from x402_payment where merchant_id = ${merchantId}
        order by created_at desc, id desc limit ${NEWEST_PAYMENTS}
      ) newest)`
}

/** The words of so many of the newest objects of a kind are compared. */
const NEWEST = 200

/** Endpoints and payment links whose URL or description has this text. */
export async function findByWords(
  sql: Queryable,
  merchantId: MerchantId,
  text: string,
): Promise<FoundObject[]> {
  const newest = (columns: string[], table: string) => sql`
    select ${sql(columns)} from ${sql(table)} where merchant_id = ${merchantId}
    order by created_at desc, id desc limit ${NEWEST}`
  const has = (column: string) => sql`position(${text.toLowerCase()} in lower(${sql(column)})) > 0`
  const most = sql`limit ${MOST_PER_KIND}`
  return sql<FoundObject[]>`
    (select 'webhook_endpoint' as kind, id, url as title, null as about
      from (${newest(['id', 'url', 'description'], 'webhook_endpoint')}) e
      where ${has('url')} or ${has('description')} ${most})
    union all
    (select 'x402_endpoint', id, url, null
      from (${newest(['id', 'url', 'description'], 'x402_endpoint')}) e
      where ${has('url')} or ${has('description')} ${most})
    union all
    (select 'payment_link', l.id, p.description, null
      from (${newest(['id', 'price_id'], 'payment_link')}) l join price p on p.id = l.price_id
      where ${has('p.description')} ${most})`
}

/** The customer with this email address, by an entry of the metadata of invoices. */
export async function findCustomer(
  sql: Queryable,
  merchantId: MerchantId,
  key: string,
  email: string,
): Promise<FoundObject[]> {
  return sql<FoundObject[]>`
    select 'customer' as kind, ${email}::text as id, ${email}::text as title, ${key}::text as about
    where exists (
      select from invoice_metadata
      where merchant_id = ${merchantId} and term = metadata_term(${key}, ${email})
        and digest = (select metadata_digest(${key}, ${email})))`
}
