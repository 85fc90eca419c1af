import type { Address } from '../../core/chain/evm.ts'
import type { EndpointId, MerchantId } from '../../core/ids.ts'
import type { BaseUnits } from '../../core/money.ts'
import type { Page, PageRequest } from '../../core/page.ts'
import type { EndpointDraft, X402Endpoint } from '../../core/x402/endpoint.ts'
import type { Database, Queryable, Transaction } from '../database.ts'
import { isUniqueViolation } from '../database.ts'
import { microsecondsOf, readPageByMoment } from '../moments.ts'
import { prepareForwarder, registerForwarder } from './forwarders.ts'

/** x402 endpoints: what merchants charge for their URLs. */

/** Endpoints are called `e` and their merchants' forwarders `f` in every query. */
const COLUMNS = [
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
  'e.created_at',
  'e.updated_at',
]

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
      const id = await insertEndpoint(sql, merchantId, draft, now)
      if (id !== null) await prepareForwarder(sql, merchantId, draft.networkId)
      const endpoint = await (id === null
        ? findByPrice(sql, merchantId, draft)
        : findEndpoint(sql, merchantId, id))
      return endpoint === null ? null : { endpoint, isNew: id !== null }
    })
    // The one that was in the way may have been deactivated in between.
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
  const [row] = await sql<{ id: EndpointId }[]>`
    insert into x402_endpoint (id, merchant_id, url, url_key, network_id, token_symbol, asset,
      amount, description, own_transaction, accepts_wallets, created_at, updated_at)
    values (${Bun.randomUUIDv7()}, ${merchantId}, ${draft.url}, ${draft.urlKey},
      ${draft.networkId}, ${draft.tokenSymbol}, ${draft.asset}, ${draft.amount.toString()},
      ${draft.description ?? ''}, ${draft.ownTransaction ?? false},
      ${draft.acceptsWallets ?? true}, ${now}, ${now})
    on conflict (merchant_id, url_key, network_id, asset, amount) where active do nothing
    returning id`
  return row?.id ?? null
}

/** One endpoint of the merchant, active or not; null for anybody else's. */
export async function findEndpoint(
  sql: Queryable,
  merchantId: MerchantId,
  endpointId: EndpointId,
): Promise<X402Endpoint | null> {
  const [row] = await sql<X402Endpoint[]>`
    select ${sql(COLUMNS)}, f.address as pay_to
    from x402_endpoint e join forwarder f using (merchant_id)
    where e.id = ${endpointId} and e.merchant_id = ${merchantId}`
  return row ?? null
}

async function findByPrice(
  sql: Queryable,
  merchantId: MerchantId,
  price: Pick<EndpointDraft, 'urlKey' | 'networkId' | 'asset' | 'amount'>,
): Promise<X402Endpoint | null> {
  const [row] = await sql<X402Endpoint[]>`
    select ${sql(COLUMNS)}, f.address as pay_to
    from x402_endpoint e join forwarder f using (merchant_id)
    where e.merchant_id = ${merchantId} and e.url_key = ${price.urlKey}
      and e.network_id = ${price.networkId} and e.asset = ${price.asset}
      and e.amount = ${price.amount.toString()} and e.active`
  return row ?? null
}

/** The merchant's active endpoints of a URL on these chains, the newest first. */
export async function findByUrl(
  sql: Queryable,
  merchantId: MerchantId,
  urlKey: string,
  networkIds: readonly string[],
): Promise<X402Endpoint[]> {
  return sql<X402Endpoint[]>`
    select ${sql(COLUMNS)}, f.address as pay_to
    from x402_endpoint e join forwarder f using (merchant_id)
    where e.merchant_id = ${merchantId} and e.url_key = ${urlKey} and e.active
      and e.network_id = any(${[...networkIds]})
    order by e.created_at desc, e.id desc`
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
        select ${sql(COLUMNS)}, f.address as pay_to,
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
}

export type EndpointChangeResult =
  | { readonly ok: true; readonly endpoint: X402Endpoint }
  /** `taken`: another active endpoint of the merchant has this URL and price. */
  | { readonly ok: false; readonly reason: 'not_found' | 'taken' }

/** Changes what is given. Payments that were claimed before are carried out as they were agreed. */
export async function changeEndpoint(
  database: Database,
  merchantId: MerchantId,
  endpointId: EndpointId,
  change: EndpointChange,
  now: Date,
): Promise<EndpointChangeResult> {
  const description = database`coalesce(${change.description ?? null}, e.description)`
  const amount = database`coalesce(${change.amount?.toString() ?? null}::numeric, e.amount)`
  const active = database`coalesce(${change.active ?? null}::boolean, e.active)`
  const own = database`coalesce(${change.ownTransaction ?? null}::boolean, e.own_transaction)`
  const wallets = database`coalesce(${change.acceptsWallets ?? null}::boolean, e.accepts_wallets)`
  try {
    const [row] = await database<X402Endpoint[]>`
      update x402_endpoint e set description = ${description}, amount = ${amount},
        active = ${active}, own_transaction = ${own}, accepts_wallets = ${wallets},
        updated_at = case
          when (e.description, e.amount, e.active, e.own_transaction, e.accepts_wallets)
            = (${description}, ${amount}, ${active}, ${own}, ${wallets}) then e.updated_at
          else ${now} end
      from forwarder f
      where e.id = ${endpointId} and e.merchant_id = ${merchantId}
        and f.merchant_id = e.merchant_id
      returning ${database(COLUMNS)}, f.address as pay_to`
    if (row === undefined) return { ok: false, reason: 'not_found' }
    return { ok: true, endpoint: row }
  } catch (error) {
    if (isUniqueViolation(error)) return { ok: false, reason: 'taken' }
    throw error
  }
}
