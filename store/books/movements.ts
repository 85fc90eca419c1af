import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import { type Cursor, cursorPage, type OrderKeys } from '../../core/base/page.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { PaymentMethod } from '../../core/invoice/state.ts'
import { microsecondsOf, momentAt } from '../database/moments.ts'
import {
  type Days,
  type Narrowing,
  ofMerchant,
  onNetwork,
  type ReadScope,
  within,
} from './readScope.ts'

/** Payments of invoices; and settlements, refunds and payouts beside the hub's events that show them on their chains. */

export type MovementKind = 'PAYMENT' | 'SETTLEMENT' | 'REFUND' | 'PAYOUT'

/** Amounts in base units. */
export interface MovementRow {
  readonly id: string
  readonly merchantId: MerchantId
  readonly invoiceId: InvoiceId | null
  readonly networkId: string
  readonly token: Address
  /** What left the deposit or the forwarder, with the fee. */
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  /** What of the fee the token refused to pay out. */
  readonly feeOwed: BaseUnits
  readonly receiver: Address
  readonly status: string
  readonly txHash: Hex | null
  /** How a payment was sent; null for everything else. */
  readonly method: PaymentMethod | null
  readonly createdAt: Date
  readonly confirmedAt: Date | null
  /** The block of the hub's event; null where the indexer has none. */
  readonly eventBlock: bigint | null
  /** What was paid out by the event, the fee included. */
  readonly eventAmount: BaseUnits | null
}

export interface MovementQuery extends Narrowing {
  readonly kind: MovementKind
  readonly days: Days
  readonly limit: number
  readonly cursor: Cursor
  /** What Ponder calls each chain. */
  readonly networks: readonly { readonly networkId: string; readonly chainId: number }[]
}

export interface MovementPage {
  readonly movements: readonly MovementRow[]
  readonly next: OrderKeys | null
}

type Placed = MovementRow & { readonly microseconds: bigint }

/** A page of them, the newest first. */
export async function readMovements(scope: ReadScope, query: MovementQuery): Promise<MovementPage> {
  const { sql } = scope
  const rows = await sql<Placed[]>`
    select m.*, ${scope.isIndexed ? sql`e.block_number` : sql`null::bigint`} as event_block,
      ${scope.isIndexed ? sql`e.amount + coalesce(e.fee, 0)` : sql`null::numeric`} as event_amount
    from (${rowsOf(scope, query)}) m
    ${scope.isIndexed ? eventOf(scope, query) : sql``}
    order by m.created_at desc, m.id desc`
  const page = { limit: query.limit, cursor: query.cursor }
  const { elements, next } = cursorPage(page, rows, (row) => [String(row.microseconds), row.id])
  return { movements: elements, next }
}

function rowsOf(scope: ReadScope, query: MovementQuery) {
  const { sql } = scope
  const own = sql`
    ${ofMerchant(scope, query.merchantId)} and ${onNetwork(scope, query.networkId)}`
  const [at, id] = query.cursor.keys ?? []
  const page = (column: string) => sql`
    ${within(scope, column, query.days)}
    and (${id ?? null}::uuid is null
      or (${sql(column)}, id) < (${momentAt(sql, at)}, ${id ?? null}::uuid))
    order by ${sql(column)} desc, id desc limit ${query.limit + 1}`
  switch (query.kind) {
    case 'PAYMENT':
      return sql`
        select id, merchant_id, invoice_id, network_id, token, amount, fee, 0::numeric as fee_owed,
          deposit as receiver, status, tx_hash, created_at, confirmed_at, null as event_kind,
          null::text as reference, null::integer as log_index, method,
          ${microsecondsOf(sql, 'created_at')} as microseconds
        from seen_payment where ${own} and kind <> 'foreign' and status <> 'reverted' and ${page('created_at')}`
    case 'SETTLEMENT':
      return sql`
        select id, merchant_id, invoice_id, network_id, token, amount, fee, fee_owed,
          recipient as receiver, status, tx_hash, created_at, confirmed_at, 'swept' as event_kind,
          null::text as reference, null::integer as log_index, null as method,
          ${microsecondsOf(sql, 'created_at')} as microseconds
        from seen_settlement where ${own} and status <> 'failed' and ${page('created_at')}`
    case 'REFUND':
      return sql`
        select id, merchant_id, invoice_id, network_id, token, amount, 0::numeric as fee,
          0::numeric as fee_owed, recipient as receiver, status, tx_hash, created_at, confirmed_at,
          'refunded' as event_kind, order_number::text as reference, null::integer as log_index,
          null as method,
          ${microsecondsOf(sql, 'created_at')} as microseconds
        from seen_refund where ${own} and status <> 'failed' and ${page('created_at')}`
    case 'PAYOUT':
      return sql`
        select id, merchant_id, null::uuid as invoice_id, network_id, token, remitted + fee as amount,
          fee, fee_held as fee_owed, treasury as receiver, 'confirmed' as status, tx_hash,
          block_time as created_at, block_time as confirmed_at, 'distributed' as event_kind,
          null::text as reference, log_index, null as method,
          ${microsecondsOf(sql, 'block_time')} as microseconds
        from seen_payout where ${own} and ${page('block_time')}`
  }
}

/** The event of a row: by block and log index, by its number, or by the deposit that it moved money out of. */
function eventOf(scope: ReadScope, { networks }: MovementQuery) {
  const { sql } = scope
  return sql`
    left join unnest(
      ${networks.map(({ networkId }) => networkId)}::text[],
      ${networks.map(({ chainId }) => chainId)}::integer[]
    ) as n (network_id, chain_id) on n.network_id = m.network_id
    left join lateral (
      select e.block_number, e.amount, e.fee from indexed.hub_event e
      where e.chain_id = n.chain_id and e.tx_hash = m.tx_hash and e.kind = m.event_kind
        and e.token = m.token
        and (m.log_index is null or e.log_index = m.log_index)
        and (m.reference is null or e.reference = m.reference)
        and (m.event_kind <> 'swept' or e.account = (
          select i.deposit_address from seen_invoice i where i.id = m.invoice_id))
      limit 1
    ) e on true`
}
