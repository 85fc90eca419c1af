import type { EndpointId, MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { headsOf } from '../../core/x402/routePattern.ts'
import type { Scheme } from '../../core/x402/terms.ts'
import type { Queryable } from '../database/database.ts'
import { isOwed, openByBlock } from './promises.ts'

/** What Postgres knows about a request to verify or settle, read in one statement for many requests. */

export interface TermsQuery {
  readonly networkId: string
  readonly asset: Address
  readonly payer: Address
  readonly authorizationNonce: Hex
  readonly payTo: Address
  readonly endpointId: EndpointId | null
  /** In base units. */
  readonly amount: BaseUnits
  /** What the payment is for, as URLs of endpoints are compared; null where it names nothing of the kind. */
  readonly resource: string | null
}

export interface EndpointTerms {
  readonly id: EndpointId
  readonly merchantId: MerchantId
  readonly networkId: string
  readonly asset: Address
  readonly amount: BaseUnits
  readonly active: boolean
  readonly ownTransaction: boolean
  readonly acceptsWallets: boolean
  /** The requested amount was its price until a moment ago, and is payable still. */
  readonly isFormerPrice: boolean
  /** It is listed publicly, and the requested resource is its own. */
  readonly isListed: boolean
}

/** The payment that an authorization was claimed for. */
export interface ClaimedPayment {
  readonly id: X402PaymentId
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId | null
  readonly payTo: Address
  readonly amount: BaseUnits
  readonly scheme: Scheme
  /** What a payer by Permit2 allows, in base units; null for EIP-3009. */
  readonly permitted: BaseUnits | null
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly signature: Hex
  readonly status: 'pending' | 'settled' | 'failed'
  /** It failed on-chain once and is not sent again before it is requested. */
  readonly isHeld: boolean
}

export interface Payee {
  readonly merchantId: MerchantId
  /** `payTo` is the merchant's own address. */
  readonly isDirect: boolean
}

export interface FoundTerms {
  /** Whom `payTo` pays: by its forwarder, or at an address of its own. */
  readonly payee: Payee | null
  /** The endpoint that the query names, or if it names none, that of its resource. */
  readonly endpoint: EndpointTerms | null
  readonly payment: ClaimedPayment | null
  /** What other pending payments have promised of the payer's balance, in base units. */
  readonly reserved: bigint
  /** When the payer may try again, if it has code and its last payment failed on-chain. */
  readonly pausedUntil: Date | null
  /** What is held of this nonce by a verify (heldTerms); null for nothing. */
  readonly heldTerms: string | null
}

interface Row {
  payeeMerchantId: MerchantId | null
  isDirect: boolean
  endpointId: EndpointId | null
  endpointMerchantId: MerchantId
  endpointNetworkId: string
  endpointAsset: Address
  endpointAmount: BaseUnits
  endpointActive: boolean
  endpointOwnTransaction: boolean
  endpointAcceptsWallets: boolean
  endpointIsFormerPrice: boolean
  endpointIsListed: boolean
  paymentId: X402PaymentId | null
  merchantId: MerchantId
  paymentEndpointId: EndpointId | null
  payTo: Address
  amount: BaseUnits
  scheme: Scheme
  permitted: BaseUnits | null
  validAfter: bigint
  validBefore: bigint
  signature: Hex
  status: ClaimedPayment['status']
  isHeld: boolean
  reserved: bigint
  pausedUntil: Date | null
  heldTerms: string | null
}

/** Reads the terms of each query, in their order. */
export async function findTerms(
  sql: Queryable,
  queries: readonly TermsQuery[],
): Promise<FoundTerms[]> {
  const rows = await sql<Row[]>`
    with given as (
      select * from unnest(
        ${queries.map((q) => q.networkId)}::text[], ${queries.map((q) => q.asset)}::text[],
        ${queries.map((q) => q.payer)}::text[],
        ${queries.map((q) => q.authorizationNonce)}::text[],
        ${queries.map((q) => q.payTo)}::text[],
        ${queries.map((q) => q.endpointId)}::uuid[],
        ${queries.map((q) => q.amount.toString())}::numeric[],
        ${queries.map((q) => q.resource)}::text[],
        ${queries.map(headsText)}::text[]
      ) with ordinality
        as g (network_id, asset, payer, authorization_nonce, pay_to, endpoint_id, amount, resource,
          heads, place)
    ),
    -- Read once for each balance, however many of the queries are about it.
    reservation as materialized (
      select b.*, o.amount
      from (select distinct network_id, asset, payer from given) b
      cross join lateral (
        select coalesce(sum(amount), 0) as amount from (
          select p.amount from ${openByBlock(sql, 'x402_payment', sql`b`)} p where ${isOwed(sql, sql`p`)}
          union all
          select i.amount from ${openByBlock(sql, 'invoice_authorization', sql`b`)} i where ${isOwed(sql, sql`i`)}
        ) owed
      ) o
    )
    select coalesce(f.merchant_id, a.merchant_id) as payee_merchant_id,
      f.merchant_id is null as is_direct,
      e.id as endpoint_id, e.merchant_id as endpoint_merchant_id,
      e.network_id as endpoint_network_id, e.asset as endpoint_asset,
      e.amount as endpoint_amount, e.active as endpoint_active,
      e.own_transaction as endpoint_own_transaction,
      e.accepts_wallets as endpoint_accepts_wallets,
      e.amount <> g.amount and is_price_of(e.id, e.amount, g.amount) as endpoint_is_former_price,
      e.discoverable and coalesce(split_part(e.url_key, '#', 1) = g.resource or g.resource ~* e.url_regex, false)
        as endpoint_is_listed,
      p.id as payment_id, p.merchant_id, p.endpoint_id as payment_endpoint_id, p.pay_to, p.amount,
      p.scheme, p.permitted, p.valid_after, p.valid_before, p.signature, p.status,
      p.status = 'pending' and p.is_wallet and coalesce((select true from work_item w
        where w.subject_id = p.id and w.state = 'held' limit 1), false) as is_held,
      (select until from x402_wallet_pause b
        where b.network_id = g.network_id and b.payer = g.payer and b.until > now()) as paused_until,
      r.amount - case when ${isOwed(sql, sql`p`)} then p.amount else 0 end as reserved,
      h.terms as held_terms
    from given g
    join reservation r using (network_id, asset, payer)
    -- Limited, here and above, so that each is looked up by its key and no table is read whole, as 'exists'
    -- would have it.
    left join lateral (
      select merchant_id from forwarder where address = g.pay_to limit 1
    ) f on true
    left join lateral (
      select merchant_id from x402_own_address
      where address = g.pay_to and removed_at is null
        and coalesce(network_id, '') in ('', g.network_id) limit 1
    ) a on true
    left join lateral (
      select * from x402_payment
      where network_id = g.network_id and asset = g.asset and payer = g.payer
        and authorization_nonce = g.authorization_nonce
      limit 1
    ) p on true
    left join lateral (
      select * from x402_endpoint where id = case
        when g.endpoint_id is not null or g.resource is null then g.endpoint_id
        -- A claim without an endpoint has none, even if one was registered since.
        when p.id is not null and p.endpoint_id is null then null
        else endpoint_of_resource(coalesce(f.merchant_id, a.merchant_id), g.resource,
          array(select json_array_elements_text(g.heads::json)), g.network_id, g.asset, g.amount,
          p.endpoint_id) end
      limit 1
    ) e on true
    left join lateral (
      select terms from x402_hold
      where payer = g.payer and authorization_nonce = g.authorization_nonce and asset = g.asset
        and network_id = g.network_id and until > now()
      limit 1
    ) h on true
    order by g.place`
  return rows.map((row) => ({
    payee: payeeFromRow(row),
    endpoint: endpointFromRow(row),
    payment: paymentFromRow(row),
    reserved: row.reserved,
    pausedUntil: row.pausedUntil,
    heldTerms: row.heldTerms,
  }))
}

/** What a payer's payments have promised of its balance: the pending ones, and those whose block is gone (isOwed). */
export interface Reservations {
  /** By all of them, in base units. */
  readonly reserved: bigint
  /** The first of them that were claimed: those that the chain may have carried out by now. */
  readonly oldest: readonly OwedPayment[]
}

export interface OwedPayment {
  readonly nonce: Hex
  /** Permit2's; null for EIP-3009. */
  readonly permitNonce: bigint | null
  readonly amount: bigint
}

/** Reads what payments other than this one have promised, and of up to `most` of them for what. */
export async function findReservations(
  sql: Queryable,
  query: Pick<TermsQuery, 'networkId' | 'asset' | 'payer' | 'authorizationNonce'>,
  most: number,
): Promise<Reservations> {
  const isOfPayer = sql`network_id = ${query.networkId} and asset = ${query.asset} and payer = ${query.payer}`
  const rows = await sql<(OwedPayment & { reserved: bigint })[]>`
    -- Read by the indexes by payer before anything else is asked of them, and each block looked up once.
    with open as materialized (
      select id, authorization_nonce, permit_nonce, amount, network_id, status, block_number, block_hash, confirmed_at
      from x402_payment where ${isOfPayer} and status <> 'failed' and confirmed_at is null
      union all
      select id, authorization_nonce, null, amount, network_id, status, block_number, block_hash, confirmed_at
      from invoice_authorization
      where ${isOfPayer} and status in ('pending', 'settled') and confirmed_at is null
    ),
    gone as materialized (
      select b.block_hash from (
        select distinct network_id, status, block_number, block_hash, confirmed_at from open
        where status = 'settled'
      ) b
      where ${isOwed(sql, sql`b`)}
    )
    select authorization_nonce as nonce, permit_nonce, amount, sum(amount) over () as reserved from open
    where authorization_nonce <> ${query.authorizationNonce}
      and (status = 'pending' or block_hash in (select block_hash from gone))
    order by id limit ${most}`
  return {
    reserved: rows[0]?.reserved ?? 0n,
    oldest: rows.map(({ reserved: _, ...pending }) => pending),
  }
}

/** What a pattern may begin with that fits the resource, as JSON; of a query that names its endpoint, nothing. */
function headsText({ endpointId, resource }: TermsQuery): string {
  return endpointId === null && resource !== null ? JSON.stringify(headsOf(resource)) : '[]'
}

function payeeFromRow({ payeeMerchantId: merchantId, isDirect }: Row): Payee | null {
  return merchantId === null ? null : { merchantId, isDirect }
}

function endpointFromRow(row: Row): EndpointTerms | null {
  if (row.endpointId === null) return null
  return {
    id: row.endpointId,
    merchantId: row.endpointMerchantId,
    networkId: row.endpointNetworkId,
    asset: row.endpointAsset,
    amount: row.endpointAmount,
    active: row.endpointActive,
    ownTransaction: row.endpointOwnTransaction,
    acceptsWallets: row.endpointAcceptsWallets,
    isFormerPrice: row.endpointIsFormerPrice,
    isListed: row.endpointIsListed,
  }
}

function paymentFromRow(row: Row): ClaimedPayment | null {
  if (row.paymentId === null) return null
  return {
    id: row.paymentId,
    merchantId: row.merchantId,
    endpointId: row.paymentEndpointId,
    payTo: row.payTo,
    amount: row.amount,
    scheme: row.scheme,
    permitted: row.permitted,
    validAfter: row.validAfter,
    validBefore: row.validBefore,
    signature: row.signature,
    status: row.status,
    isHeld: row.isHeld,
  }
}
