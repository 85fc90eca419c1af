import type { MerchantId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Days, ReadScope } from './readScope.ts'

/** Events of the hub and the tokens about our money, beside the ledger's rows: for the operator. */

export const HUB_EVENT_KINDS = [
  'swept',
  'distributed',
  'refunded',
  'fee_owed',
  'merchant_configured',
  'authorization_used',
] as const
export type HubEventKind = (typeof HUB_EVENT_KINDS)[number]

export interface HubEventRow {
  readonly networkId: string
  readonly kind: HubEventKind
  readonly blockNumber: bigint
  /** Of the block, in seconds since 1970. */
  readonly blockTimestamp: bigint
  readonly txHash: Hex
  readonly logIndex: number
  /** Of whom it speaks, as far as the ledger knows. */
  readonly merchantId: MerchantId | null
  /** The deposit, forwarder or payer. */
  readonly account: Address | null
  readonly token: Address | null
  /** Who was paid. */
  readonly receiver: Address | null
  /** In base units, without the fee. */
  readonly amount: BaseUnits | null
  readonly fee: BaseUnits | null
  /** The settlement, refund, payout or x402 payment that it belongs to. */
  readonly ledgerId: string | null
}

export interface HubEventQuery {
  readonly days: Days
  readonly chain: { readonly networkId: string; readonly chainId: number }
  readonly kind: HubEventKind | null
  /** Only those that have a row in the ledger, or only those that should and don't; null for all. */
  readonly isBooked: boolean | null
  readonly limit: number
}

/** Of one chain, the newest first; none before the indexer was ready. */
export async function readHubEvents(
  scope: ReadScope,
  query: HubEventQuery,
): Promise<HubEventRow[]> {
  const { sql } = scope
  if (scope.merchantId !== null) throw new TypeError('events of the hub are for the operator')
  if (!scope.isIndexed) return []
  const { chain, days, kind, isBooked, limit } = query
  const hasRow = sql`e.kind not in ('fee_owed', 'merchant_configured')`
  const booked = {
    null: sql`true`,
    true: sql`l.id is not null`,
    false: sql`l.id is null and ${hasRow}`,
  }[`${isBooked}`]
  const rows = await sql<HubEventRow[]>`
    select ${chain.networkId} as network_id, e.kind, e.block_number, e.block_timestamp, e.tx_hash,
      e.log_index, coalesce(e.merchant_id::uuid, w.merchant_id, l.merchant_id) as merchant_id,
      e.account, e.token, e.receiver, e.amount, e.fee, l.id as ledger_id
    from indexed.hub_event e
    left join lateral (
      select merchant_id, invoice_id from watched where address = e.account limit 1
    ) w on true
    left join lateral (${ledgerRow(scope, chain.networkId)}) l on true
    where e.chain_id = ${chain.chainId} and ${kind === null ? sql`true` : sql`e.kind = ${kind}`}
      and e.block_timestamp >= extract(epoch from ${days.from}::text::date)::bigint
      and e.block_timestamp < extract(epoch from ${days.to}::text::date)::bigint
      and ${booked}
    order by e.block_timestamp desc, e.log_index desc limit ${limit}`
  return rows
}

/** The row of the ledger for an event `e` of a deposit or forwarder `w`. */
function ledgerRow({ sql }: ReadScope, networkId: string) {
  return sql`
    select s.id, s.merchant_id from seen_settlement s
    where e.kind = 'swept' and s.invoice_id = w.invoice_id and s.network_id = ${networkId}
      and s.tx_hash = e.tx_hash and s.token = e.token and s.status in ('mined', 'confirmed')
    union all
    select r.id, r.merchant_id from seen_refund r
    where e.kind = 'refunded' and r.invoice_id = w.invoice_id and r.network_id = ${networkId}
      and r.order_number::text = e.reference and r.status in ('mined', 'confirmed')
    union all
    select r.id, r.merchant_id from seen_refund r
    where e.kind = 'refunded' and w.invoice_id is null and r.merchant_id = w.merchant_id
      and r.x402_payment_id is not null and r.network_id = ${networkId}
      and r.order_number::text = e.reference and r.status in ('mined', 'confirmed')
    union all
    select d.id, d.merchant_id from seen_payout d
    where e.kind = 'distributed' and d.network_id = ${networkId} and d.tx_hash = e.tx_hash
      and d.log_index = e.log_index
    union all
    select p.id, p.merchant_id from seen_x402_payment p
    where e.kind = 'authorization_used' and p.network_id = ${networkId}
      and p.authorization_nonce = e.reference and p.payer = e.account and p.asset = e.token
      and p.tx_hash = e.tx_hash
    limit 1`
}
