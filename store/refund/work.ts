import type { Address } from '../../core/chain/evm.ts'
import type { Chain } from '../../core/chain/registry.ts'
import type { InvoiceId, MerchantId, RefundId } from '../../core/ids.ts'
import type { RefundStatus } from '../../core/invoice/state.ts'
import type { BaseUnits } from '../../core/money.ts'
import type { Queryable, Transaction } from '../database.ts'
import type { MinedIn } from '../relayer/transactions.ts'
import { insertRefundEvents } from './events.ts'

/** Refunds on their way to the chain, and what becomes of them. */

/** A refund with what its invoice contributes to the order that the hub carries out. */
export interface RefundOrderRow {
  readonly itemId: bigint
  readonly itemState: string
  readonly refundId: RefundId
  readonly invoiceId: InvoiceId
  readonly merchantId: MerchantId
  /** The recipient that the deposit address commits to; null for the registry's treasury. */
  readonly recipient: Address | null
  readonly feeCap: BaseUnits
  readonly hub: Address
  readonly deposit: Address
  readonly token: Address
  readonly amount: BaseUnits
  readonly to: Address
  /** Unix seconds of chain time; null before it was signed for the first time. */
  readonly deadline: bigint | null
  readonly status: RefundStatus
}

/** Reads the refunds behind work items, in the order of the items' ids. */
export async function readRefundOrders(
  sql: Queryable,
  itemIds: readonly bigint[],
): Promise<RefundOrderRow[]> {
  return sql<RefundOrderRow[]>`
    select ${orderColumns(sql)}
    from work_item w
    join refund r on r.id = (w.payload->>'refundId')::uuid
    join invoice i on i.id = r.invoice_id
    where w.id = any(${itemIds.map(String)}::bigint[]) and w.kind = 'refund'
    order by w.id`
}

/** Open refunds whose last good second is past by the chain's confirmed time. */
export async function overdueRefunds(
  sql: Queryable,
  networkId: string,
  without: readonly InvoiceId[],
  limit: number,
): Promise<RefundOrderRow[]> {
  return sql<RefundOrderRow[]>`
    select ${orderColumns(sql)}
    from refund r
    join work_item w on w.dedupe_key = 'refund:' || r.id
    join invoice i on i.id = r.invoice_id
    join chain_state s on s.network_id = r.network_id
    where r.network_id = ${networkId} and r.status = 'open'
      and r.deadline < extract(epoch from s.confirmed_time)
      and r.invoice_id <> all(${[...without]}::uuid[])
    order by r.deadline limit ${limit}`
}

/** Writes down until when refunds are good, which never changes afterwards. */
export async function saveDeadline(
  sql: Transaction,
  refundIds: readonly RefundId[],
  deadline: bigint,
): Promise<void> {
  await sql`
    update refund set deadline = ${deadline}
    where id = any(${[...refundIds]}::uuid[]) and deadline is null`
}

/**
 * open to mined; also failed to mined, when a deep reorganisation let a refund succeed that had ended.
 * The answer holds the invoices that changed, as it does for the functions below.
 */
export async function refundsMined(
  sql: Transaction,
  refundIds: readonly RefundId[],
  at: MinedIn,
): Promise<InvoiceId[]> {
  const revived = await sql<{ id: RefundId }[]>`
    select id from refund where id = any(${[...refundIds]}::uuid[]) and status = 'failed'`
  await moveParts(sql, ids(revived), { refunding: 1, refunded: 0 })
  const rows = await sql<Changed[]>`
    update refund set status = 'mined', tx_hash = ${at.txHash}, block_number = ${at.block},
      block_hash = ${at.blockHash}, mined_at = now(), error = null
    where id = any(${[...refundIds]}::uuid[]) and status in ('open', 'failed')
    returning id, invoice_id`
  return invoicesOf(rows)
}

/** mined to confirmed: the money has arrived, and the merchant is told. */
export async function refundsConfirmed(
  sql: Transaction,
  refundIds: readonly RefundId[],
  registry: readonly Chain[],
): Promise<InvoiceId[]> {
  const rows = await sql<Changed[]>`
    update refund set status = 'confirmed', confirmed_at = now()
    where id = any(${[...refundIds]}::uuid[]) and status = 'mined'
    returning id, invoice_id`
  await moveParts(sql, ids(rows), { refunding: -1, refunded: 1 })
  await insertRefundEvents(sql, 'refund.completed', ids(rows), registry)
  return invoicesOf(rows)
}

/** Back to open: a reorganisation took the refund away, confirmed or not. */
export async function refundsReopened(
  sql: Transaction,
  refundIds: readonly RefundId[],
): Promise<InvoiceId[]> {
  const confirmed = await sql<{ id: RefundId }[]>`
    select id from refund where id = any(${[...refundIds]}::uuid[]) and status = 'confirmed'`
  await moveParts(sql, ids(confirmed), { refunding: 1, refunded: -1 })
  const rows = await sql<Changed[]>`
    update refund set status = 'open', tx_hash = null, block_number = null, block_hash = null,
      mined_at = null, confirmed_at = null
    where id = any(${[...refundIds]}::uuid[]) and status in ('mined', 'confirmed')
    returning id, invoice_id`
  return invoicesOf(rows)
}

/** open to failed: it is certain that this refund moved nothing and never will. */
export async function refundsFailed(
  sql: Transaction,
  refundIds: readonly RefundId[],
  error: string,
  registry: readonly Chain[],
): Promise<InvoiceId[]> {
  const rows = await sql<Changed[]>`
    update refund set status = 'failed', error = ${error}
    where id = any(${[...refundIds]}::uuid[]) and status = 'open'
    returning id, invoice_id`
  await moveParts(sql, ids(rows), { refunding: -1, refunded: 0 })
  await insertRefundEvents(sql, 'refund.failed', ids(rows), registry)
  return invoicesOf(rows)
}

interface Changed {
  id: RefundId
  invoiceId: InvoiceId
}

/** Moves whose money it is from one place to another, in the payments themselves. */
async function moveParts(
  sql: Transaction,
  refundIds: readonly RefundId[],
  by: { readonly refunding: -1 | 0 | 1; readonly refunded: -1 | 0 | 1 },
): Promise<void> {
  if (refundIds.length === 0) return
  await sql`
    update payment p set refunding = p.refunding + ${by.refunding} * moved.amount,
      refunded = p.refunded + ${by.refunded} * moved.amount
    from (
      select payment_id, sum(amount) as amount from refund_part
      where refund_id = any(${[...refundIds]}::uuid[]) group by payment_id) as moved
    where p.id = moved.payment_id`
}

function orderColumns(sql: Queryable) {
  return sql`
    w.id as item_id, w.state as item_state, r.id as refund_id, r.invoice_id, i.merchant_id,
    i.recipient, i.fee_cap, i.hub, i.deposit_address as deposit, r.token, r.amount,
    r.recipient as to, r.deadline, r.status`
}

function ids(rows: readonly { readonly id: RefundId }[]): RefundId[] {
  return rows.map(({ id }) => id)
}

function invoicesOf(rows: readonly Changed[]): InvoiceId[] {
  return [...new Set(rows.map((row) => row.invoiceId))].sort()
}
