import type { Address } from '../../core/chain/evm.ts'
import type { X402Endpoint } from '../../core/x402/endpoint.ts'
import type { Listed } from '../../core/x402/listing.ts'
import type { Database, Queryable } from '../database/database.ts'
import { ENDPOINT_COLUMNS, resourceKey } from './endpoints.ts'

/** Endpoints that their merchants list publicly: one for each URL, or tool there, with all its prices. */

export interface ListingFilter {
  /** The kind of a resource: http, mcp or a2a. */
  readonly type?: string | undefined
  readonly payTo?: Address | undefined
  readonly networkIds: readonly string[]
  /** Only those with the extension "bazaar". */
  readonly hasInfo: boolean
}

export interface Place {
  readonly limit: number
  readonly offset: number
}

/** How many are counted, paged through and searched: more are not shown. */
export const MOST_LISTED = 10_000
const MOST_SEARCHED = 1_000
/** Prices of a URL that are shown. */
const MOST_PRICES = 20
/** A tool's name that is shown (core/x402/metadata.ts). */
const SHOWN_TOOL = '^[^\\u0001-\\u001f\\u007f-\\u009f]{1,128}$'

/** A page, the newest first, and how many there are. */
export async function listListed(
  database: Database,
  filter: ListingFilter,
  { limit, offset }: Place,
): Promise<{ readonly listed: Listed[]; readonly total: number }> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const matching = sql`
      from x402_endpoint e join forwarder f using (merchant_id)
      where e.discoverable and e.active and ${matches(sql, filter)}`
    const [counted] = await sql<{ total: number }[]>`
      select count(*)::int as total from (select 1 ${matching} limit ${MOST_LISTED}) c`
    const newest = await sql<X402Endpoint[]>`
      select ${sql(ENDPOINT_COLUMNS)}, f.address as pay_to ${matching}
      order by e.created_at desc, e.id desc limit ${limit} offset ${offset}`
    return { listed: await withPrices(sql, newest, filter), total: counted?.total ?? 0 }
  })
}

/** Those that a search finds (to_tsquery), the newest first; `isCut` when more were not read. */
export async function searchListed(
  database: Database,
  query: string,
  filter: ListingFilter,
  { limit, offset }: Place,
): Promise<{ readonly listed: Listed[]; readonly isCut: boolean; readonly hasMore: boolean }> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const found = sql`
      select * from x402_endpoint
      where discoverable and active
        and words_of_resource(url, description, discovery) @@ to_tsquery('pg_catalog.simple', ${query})
      limit ${MOST_SEARCHED + 1}`
    const [counted] = await sql<
      { total: number }[]
    >`select count(*)::int as total from (${found}) c`
    const newest = await sql<X402Endpoint[]>`
      select ${sql(ENDPOINT_COLUMNS)}, f.address as pay_to
      from (${found}) e join forwarder f using (merchant_id)
      where ${matches(sql, filter)}
      order by e.created_at desc, e.id desc limit ${limit + 1} offset ${offset}`
    const listed = await withPrices(sql, newest.slice(0, limit), filter)
    const isCut = (counted?.total ?? 0) > MOST_SEARCHED
    return { listed, isCut, hasMore: newest.length > limit }
  })
}

/** A resource is shown once, by its newest price. */
function matches(sql: Queryable, { type, payTo, networkIds, hasInfo }: ListingFilter) {
  const networks = [...networkIds]
  return sql`
    e.network_id = any(${networks})
    ${type === undefined ? sql`` : sql`and ${kind(sql)} = ${type}`}
    ${payTo === undefined ? sql`` : sql`and f.address = ${payTo}`}
    ${hasInfo ? sql`and ${isShownInfo(sql)}` : sql``}
    and not exists (
      select from x402_endpoint n
      where n.merchant_id = e.merchant_id and ${listingKey(sql, 'n')} = ${listingKey(sql, 'e')}
        and n.active and n.discoverable and n.network_id = any(${networks})
        and (n.created_at, n.id) > (e.created_at, e.id))`
}

/**
 * What is one listing: a URL, or a tool there. A description of a tool without its name is of none of them. The
 * expression of an index (x402_endpoint_by_listing): with the tool beside it, every row of a URL would be read for
 * each of its tools.
 */
function listingKey(sql: Queryable, table: string) {
  const row = sql(table)
  return sql`md5(${resourceKey(sql, table)} || case when ${row}.discovery #>> '{info,input,type}' = 'mcp'
    then '#' || coalesce(${row}.discovery #>> '{info,input,toolName}', '') else '' end)`
}

/** Whether the extension "bazaar" is shown: stored descriptions of tools may be older than their names (shownMetadata). */
function isShownInfo(sql: Queryable) {
  return sql`(e.discovery #>> '{info,input,type}' <> 'mcp'
    or jsonb_typeof(e.discovery #> '{info,input,toolName}') = 'string'
    and e.discovery #>> '{info,input,toolName}' ~ ${SHOWN_TOOL})`
}

/** The kind from its metadata, or else from the scheme of its URL. */
function kind(sql: Queryable) {
  return sql`coalesce(e.discovery #>> '{info,input,type}',
    regexp_replace(split_part(e.url_key, ':', 1), '^https$', 'http'))`
}

async function withPrices(
  sql: Queryable,
  newest: readonly X402Endpoint[],
  { networkIds }: ListingFilter,
): Promise<Listed[]> {
  const others = await sql<(X402Endpoint & { readonly listedBy: string })[]>`
    select ${sql(ENDPOINT_COLUMNS)}, f.address as pay_to, g.id as listed_by
    from x402_endpoint g
    cross join lateral (
      select * from x402_endpoint c
      where c.merchant_id = g.merchant_id and ${listingKey(sql, 'c')} = ${listingKey(sql, 'g')}
        and c.active and c.network_id = any(${[...networkIds]}) and c.id <> g.id
      limit ${MOST_PRICES}
    ) e join forwarder f on f.merchant_id = e.merchant_id
    where g.id = any(${newest.map(({ id }) => id)}::uuid[])
    order by e.created_at desc, e.id desc`
  const prices = Map.groupBy(others, ({ listedBy }) => listedBy)
  return newest.map((first) => ({ prices: [first, ...(prices.get(first.id) ?? [])] }))
}
