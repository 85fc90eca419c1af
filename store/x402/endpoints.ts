import type { EndpointId, MerchantId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Page, PageRequest } from '../../core/base/page.ts'
import type { Address } from '../../core/chain/evm.ts'
import { type EndpointDraft, priceKeyOf, type X402Endpoint } from '../../core/x402/endpoint.ts'
import { type Metadata, toolOf } from '../../core/x402/metadata.ts'
import { headsOf, routePattern } from '../../core/x402/routePattern.ts'
import { DEFAULT_TIMEOUT_S } from '../../core/x402/terms.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { isUniqueViolation } from '../database/database.ts'
import { microsecondsOf, readPageByMoment } from '../database/moments.ts'
import { prepareForwarder, registerForwarder } from '../hub/forwarders.ts'

/** x402 endpoints: what merchants charge for their URLs. */

/** Endpoints are called `e` and their merchants' forwarders `f` in every query. */
export const ENDPOINT_COLUMNS = [
  'e.id',
  'e.merchant_id',
  'e.url',
  'e.url_key',
  'e.network_id',
  'e.token_symbol',
  'e.asset',
  'e.amount',
  'e.description',
  'e.own_transaction',
  'e.accepts_wallets',
  'e.active',
  'e.discoverable',
  'e.discovery',
  'e.created_at',
  'e.updated_at',
]

/** How many patterns that begin alike a URL is compared with. */
const PATTERNS_TRIED = 50

export interface Registration {
  readonly endpoint: X402Endpoint
  /** False when the merchant had registered this URL at this price before. */
  readonly isNew: boolean
}

/**
 * Registers an endpoint, and with the first one the merchant's forwarder and the work that creates it
 * on the endpoint's chain. Nothing waits for a chain: a forwarder has its address before it has code.
 */
export async function registerEndpoint(
  database: Database,
  hub: Address,
  merchantId: MerchantId,
  draft: EndpointDraft,
  now: Date,
): Promise<Registration> {
  for (;;) {
    const registration = await database.begin(async (sql): Promise<Registration | null> => {
      await registerForwarder(sql, hub, merchantId)
      const known = await findByPrice(sql, merchantId, draft)
      if (known !== null) return { endpoint: known, isNew: false }
      const id = await insertEndpoint(sql, merchantId, draft, now)
      if (id === null) return null
      await prepareForwarder(sql, merchantId, draft.networkId)
      const endpoint = await findEndpoint(sql, merchantId, id)
      return endpoint && { endpoint, isNew: true }
    })
    // Another one was registered in between.
    if (registration !== null) return registration
  }
}

/** The new endpoint's id, or null when the merchant has an active one at this price. */
async function insertEndpoint(
  sql: Transaction,
  merchantId: MerchantId,
  draft: EndpointDraft,
  now: Date,
): Promise<EndpointId | null> {
  const pattern = routePattern(draft.urlKey)
  const [row] = await sql<{ id: EndpointId }[]>`
    insert into x402_endpoint (id, merchant_id, url, url_key, url_regex, url_head, network_id,
      token_symbol, asset, amount, description, own_transaction, accepts_wallets, discoverable,
      discovery, created_at, updated_at)
    values (${Bun.randomUUIDv7()}, ${merchantId}, ${draft.url},
      ${priceKeyOf(draft.urlKey, draft.discovery)},
      ${pattern?.regex ?? null}, ${pattern?.head ?? null},
      ${draft.networkId}, ${draft.tokenSymbol}, ${draft.asset}, ${draft.amount.toString()},
      ${draft.description ?? ''}, ${draft.ownTransaction ?? false},
      ${draft.acceptsWallets ?? true}, ${draft.discoverable ?? false},
      ${jsonOf(draft.discovery)}::text::jsonb, ${now}, ${now})
    on conflict (merchant_id, url_key, network_id, asset, amount) where active do nothing
    returning id`
  return row?.id ?? null
}

/** One endpoint of the merchant, active or not; null for another merchant's. */
export async function findEndpoint(
  sql: Queryable,
  merchantId: MerchantId,
  endpointId: EndpointId,
): Promise<X402Endpoint | null> {
  const [row] = await sql<X402Endpoint[]>`
    select ${sql(ENDPOINT_COLUMNS)}, f.address as pay_to
    from x402_endpoint e join forwarder f using (merchant_id)
    where e.id = ${endpointId} and e.merchant_id = ${merchantId}`
  return row ?? null
}

/** What has this price already: of the same resource, or of any at the URL where the draft describes none. */
async function findByPrice(
  sql: Queryable,
  merchantId: MerchantId,
  { urlKey, discovery, ...price }: EndpointDraft,
): Promise<X402Endpoint | null> {
  const key = priceKeyOf(urlKey, discovery)
  const [row] = await sql<X402Endpoint[]>`
    select ${sql(ENDPOINT_COLUMNS)}, f.address as pay_to
    from x402_endpoint e join forwarder f using (merchant_id)
    where e.merchant_id = ${merchantId} and ${resourceKey(sql)} = ${urlKey}
      and e.network_id = ${price.networkId} and e.asset = ${price.asset}
      and e.amount = ${price.amount.toString()} and e.active
      and (${discovery === null} or e.url_key = ${key} or ${toolName(sql)} = ${toolOf(discovery) ?? ''})
    order by e.url_key = ${key} desc, e.created_at, e.id limit 1`
  return row ?? null
}

/** The key of an endpoint's URL. */
export function resourceKey(sql: Queryable, table = 'e') {
  return sql`split_part(${sql(table)}.url_key, '#', 1)`
}

/** The tool that an endpoint is a price of; empty for another resource (toolOf). */
function toolName(sql: Queryable) {
  return sql`case when e.discovery #>> '{info,input,type}' = 'mcp'
    then coalesce(e.discovery #>> '{info,input,toolName}', '') else '' end`
}

/**
 * The merchant's active endpoints of a URL on these chains, the newest first: those of the URL itself, or
 * where there are none, those whose patterns it matches.
 */
export async function findByUrl(
  sql: Queryable,
  merchantId: MerchantId,
  urlKey: string,
  networkIds: readonly string[],
): Promise<X402Endpoint[]> {
  const itsOwn = await sql<X402Endpoint[]>`
    select ${sql(ENDPOINT_COLUMNS)}, f.address as pay_to
    from x402_endpoint e join forwarder f using (merchant_id)
    where e.merchant_id = ${merchantId} and ${resourceKey(sql)} = ${urlKey} and e.active
      and e.network_id = any(${[...networkIds]})
    order by e.created_at desc, e.id desc`
  if (itsOwn.length > 0) return itsOwn
  return sql<X402Endpoint[]>`
    select ${sql(ENDPOINT_COLUMNS)}, f.address as pay_to
    from unnest(${headsOf(urlKey)}::text[]) as h (head)
    cross join lateral (
      select * from x402_endpoint c
      where c.merchant_id = ${merchantId} and c.url_head = h.head and c.active
        and c.url_regex is not null
      order by c.created_at desc, c.id desc limit ${PATTERNS_TRIED}
    ) e join forwarder f using (merchant_id)
    where ${urlKey} ~* e.url_regex and e.network_id = any(${[...networkIds]})
    order by e.created_at desc, e.id desc limit ${PATTERNS_TRIED}`
}

export interface EndpointFilter {
  readonly active?: boolean | undefined
  readonly networkId?: string | undefined
}

/** The merchant's endpoints, the newest first. */
export async function listEndpoints(
  database: Database,
  merchantId: MerchantId,
  filter: EndpointFilter,
  page: PageRequest,
): Promise<Page<X402Endpoint>> {
  const { active, networkId } = filter
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const matching = sql`
      e.merchant_id = ${merchantId}
      ${active === undefined ? sql`` : sql`and e.active = ${active}`}
      ${networkId === undefined ? sql`` : sql`and e.network_id = ${networkId}`}`
    return readPageByMoment<X402Endpoint>(sql, page, {
      count: () => sql<{ total: number }[]>`
        select count(*)::int as total from x402_endpoint e where ${matching}`,
      read: ({ beyond, order, place }) => sql`
        select ${sql(ENDPOINT_COLUMNS)}, f.address as pay_to,
          ${microsecondsOf(sql, 'e.created_at')} as microseconds
        from x402_endpoint e join forwarder f using (merchant_id)
        where ${matching} and ${beyond('e')} ${order('e')} ${place}`,
    })
  })
}

export interface EndpointChange {
  readonly description?: string | undefined
  readonly amount?: BaseUnits | undefined
  readonly active?: boolean | undefined
  readonly ownTransaction?: boolean | undefined
  readonly acceptsWallets?: boolean | undefined
  readonly discoverable?: boolean | undefined
  readonly discovery?: Metadata | undefined
}

export type EndpointChangeResult =
  | { readonly ok: true; readonly endpoint: X402Endpoint }
  /** `taken`: another active endpoint of the merchant has this URL and price. */
  | { readonly ok: false; readonly reason: 'not_found' | 'taken' }

/**
 * Changes what is given. Payments that were claimed before are carried out as they were agreed, and a replaced
 * price stays payable for its quoted time.
 */
export async function changeEndpoint(
  database: Database,
  merchantId: MerchantId,
  endpointId: EndpointId,
  change: EndpointChange,
  now: Date,
): Promise<EndpointChangeResult> {
  try {
    const row = await database.begin(async (sql) => {
      const [before] = await sql<{ amount: BaseUnits }[]>`
        select amount from x402_endpoint
        where id = ${endpointId} and merchant_id = ${merchantId} for update`
      const isReplaced = change.amount !== undefined && before?.amount !== change.amount
      if (before && isReplaced) await keepPrice(sql, endpointId, before.amount, now)
      return updateEndpoint(sql, merchantId, endpointId, change, now)
    })
    if (row === undefined) return { ok: false, reason: 'not_found' }
    return { ok: true, endpoint: row }
  } catch (error) {
    if (isUniqueViolation(error)) return { ok: false, reason: 'taken' }
    throw error
  }
}

function jsonOf(metadata: Metadata | null): string | null {
  return metadata === null ? null : JSON.stringify(metadata)
}

async function keepPrice(
  sql: Transaction,
  endpointId: EndpointId,
  amount: BaseUnits,
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + DEFAULT_TIMEOUT_S * 1000)
  await sql`
    delete from x402_former_price where endpoint_id = ${endpointId} and payable_until <= ${now}`
  await sql`
    insert into x402_former_price (endpoint_id, amount, payable_until)
    values (${endpointId}, ${amount.toString()}, ${until})
    on conflict (endpoint_id, amount) do update set payable_until = excluded.payable_until`
}

async function updateEndpoint(
  sql: Transaction,
  merchantId: MerchantId,
  endpointId: EndpointId,
  change: EndpointChange,
  now: Date,
): Promise<X402Endpoint | undefined> {
  const description = sql`coalesce(${change.description ?? null}, e.description)`
  const amount = sql`coalesce(${change.amount?.toString() ?? null}::numeric, e.amount)`
  const active = sql`coalesce(${change.active ?? null}::boolean, e.active)`
  const own = sql`coalesce(${change.ownTransaction ?? null}::boolean, e.own_transaction)`
  const wallets = sql`coalesce(${change.acceptsWallets ?? null}::boolean, e.accepts_wallets)`
  const discoverable = sql`coalesce(${change.discoverable ?? null}::boolean, e.discoverable)`
  const discovery = sql`coalesce(${jsonOf(change.discovery ?? null)}::text::jsonb, e.discovery)`
  const tool = priceKeyOf('', change.discovery ?? null)
  const [row] = await sql<X402Endpoint[]>`
    update x402_endpoint e set description = ${description}, amount = ${amount},
      url_key = case when ${change.discovery === undefined} then e.url_key
        else ${resourceKey(sql)} || ${tool} end,
      active = ${active}, own_transaction = ${own}, accepts_wallets = ${wallets},
      discoverable = ${discoverable}, discovery = ${discovery},
      updated_at = case
        when (e.description, e.amount, e.active, e.own_transaction, e.accepts_wallets, e.discoverable,
            coalesce(e.discovery, '{}'))
          = (${description}, ${amount}, ${active}, ${own}, ${wallets}, ${discoverable},
            coalesce(${discovery}, '{}')) then e.updated_at
        else ${now} end
    from forwarder f
    where e.id = ${endpointId} and e.merchant_id = ${merchantId}
      and f.merchant_id = e.merchant_id
    returning ${sql(ENDPOINT_COLUMNS)}, f.address as pay_to`
  return row
}
