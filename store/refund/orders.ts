import type { InvoiceId, MerchantId, RefundId } from '../../core/base/ids.ts'
import { type BaseUnits, baseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import { FIRST_IN_TURN_AFTER_MS, type RefundWait } from '../../core/invoice/refundLimit.ts'
import type { RefundStatus } from '../../core/invoice/state.ts'
import type { Fragment, Queryable, Transaction } from '../database/database.ts'
import { type MerchantsInvoice, withTransactions } from '../invoice/rows.ts'

/** The orders that refunds are carried out by: their numbers, what they promise, and why some wait. */

/** A refund as an order for the hub, of any kind. */
export interface OrderRow {
  readonly itemId: bigint
  readonly itemState: string
  readonly refundId: RefundId
  /** Null for a refund of an x402 payment. */
  readonly invoiceId: InvoiceId | null
  readonly merchantId: MerchantId
  readonly hub: Address
  /** The deposit address or forwarder that pays. */
  readonly source: Address
  readonly token: Address
  readonly amount: BaseUnits
  readonly to: Address
  /** Under which number the hub spends it; null before its order was decided. */
  readonly orderNumber: bigint | null
  readonly feeLeft: BaseUnits | null
  /** Unix seconds of chain time; null before it was signed for the first time. */
  readonly deadline: bigint | null
  /** The order that the hub's owner has to approve, with its last valid second. */
  readonly offerDigest: Hex | null
  readonly offerDeadline: bigint | null
  readonly waitingFor: RefundWait | null
  readonly status: RefundStatus
}

/** What refunds `r` and their work `w` say of an order; what pays it is known elsewhere. */
export function orderColumns(sql: Queryable): Fragment {
  return sql`
    w.id as item_id, w.state as item_state, r.id as refund_id, r.invoice_id, r.merchant_id, r.token,
    r.amount, r.recipient as to, r.order_number, r.fee_left, r.deadline, r.offer_digest,
    r.offer_deadline, r.waiting_for, r.status`
}

/** Whether a refund is open, was never signed, and is not being signed. */
export async function isUnsigned(sql: Queryable, refundId: RefundId): Promise<boolean> {
  const rows = await sql`
    select from refund r join work_item w on w.subject_id = r.id
    where r.id = ${refundId} and r.status = 'open' and r.deadline is null and w.state = 'queued'`
  return rows.length > 0
}

/** The newest number of an order on a chain; 0 before the first. */
export async function lastOrderNumber(sql: Queryable, networkId: string): Promise<bigint> {
  const [row] = await sql<{ last: bigint }[]>`
    select last from refund_sequence where network_id = ${networkId}`
  return row?.last ?? 0n
}

/**
 * The same, locked until the transaction ends: signers of refunds on the chain add up their promises one after
 * the other.
 */
export async function lockOrderNumbers(sql: Transaction, networkId: string): Promise<bigint> {
  await sql`
    insert into refund_sequence (network_id, last) values (${networkId}, 0)
    on conflict (network_id) do nothing`
  const [row] = await sql<{ last: bigint }[]>`
    select last from refund_sequence where network_id = ${networkId} for update`
  if (!row) throw new Error(`${networkId} has no numbers for orders`)
  return row.last
}

/** Numbers up to this one are used. */
export async function useOrderNumbers(
  sql: Transaction,
  networkId: string,
  last: bigint,
): Promise<void> {
  await sql`
    update refund_sequence set last = ${last} where network_id = ${networkId} and last < ${last}`
}

/** Orders of one hub for one token. */
export interface OrderPlace {
  readonly networkId: string
  readonly hub: Address
  readonly token: Address
}

/**
 * What signed orders, but for these, may still take of what the hub shows to be left after a block: those that
 * are not mined, and those that are mined in a later block.
 */
export async function promisedIn(
  sql: Queryable,
  { networkId, hub, token }: OrderPlace,
  block: bigint,
  without: readonly RefundId[],
): Promise<BaseUnits> {
  const [row] = await sql<{ amount: bigint }[]>`
    select coalesce(sum(r.amount), 0) as amount ${withHub(sql)}
    where r.network_id = ${networkId} and r.token = ${token} and o.hub = ${hub}
      and r.status in ('open', 'mined') and r.deadline is not null
      and (r.status = 'open' or r.block_number > ${block})
      and r.id <> all(${[...without]}::uuid[])`
  return baseUnits(row?.amount ?? 0n)
}

/** Refunds `r`, each with the hub `o` that pays it: its invoice's, or that of its merchant's forwarder. */
function withHub(sql: Queryable) {
  return sql`
    from refund r left join invoice i on i.id = r.invoice_id
    left join forwarder f on r.invoice_id is null and f.merchant_id = r.merchant_id
    cross join lateral (select coalesce(i.hub, f.hub) as hub) o`
}

/** The oldest refund that has waited for room for so long that younger ones wait for it; null for none. */
export async function firstInTurn(
  sql: Queryable,
  { networkId, hub, token }: OrderPlace,
): Promise<RefundId | null> {
  const [row] = await sql<{ id: RefundId }[]>`
    select r.id ${withHub(sql)}
    where r.network_id = ${networkId} and r.token = ${token} and o.hub = ${hub}
      and r.waiting_for = 'refund_limit' and r.status = 'open'
      and r.waiting_since < now() - ${FIRST_IN_TURN_AFTER_MS} * interval '1 millisecond'
    order by r.id limit 1`
  return row?.id ?? null
}

/** What of an order is decided when it is signed, or offered to the owner. */
export interface OrderTerms {
  readonly refundId: RefundId
  readonly orderNumber: bigint
  readonly feeLeft: BaseUnits
  /** Unix seconds of chain time. */
  readonly deadline: bigint
}

/**
 * Writes down what is signed, which never changes afterwards. An order that was signed before goes out again
 * as it is; none of them waits any more.
 */
export async function saveOrders(sql: Transaction, orders: readonly OrderTerms[]): Promise<void> {
  for (const { refundId, orderNumber, feeLeft, deadline } of orders) {
    await sql`
      update refund set waiting_for = null, waiting_since = null,
        order_number = case when deadline is null then ${orderNumber} else order_number end,
        fee_left = case when deadline is null then ${feeLeft.toString()}::numeric else fee_left end,
        deadline = coalesce(deadline, ${deadline})
      where id = ${refundId}`
  }
}

/** Stores which orders the hub's owner has to approve. Nothing is signed for them. */
export async function saveOffers(
  sql: Transaction,
  offers: readonly (OrderTerms & { readonly digest: Hex })[],
): Promise<void> {
  for (const { refundId, orderNumber, feeLeft, deadline, digest } of offers) {
    await sql`
      update refund set order_number = ${orderNumber}, fee_left = ${feeLeft.toString()},
        offer_deadline = ${deadline}, offer_digest = ${digest}
      where id = ${refundId} and deadline is null`
  }
}

/** Notes why refunds are not on their way; since when, they have waited for it in a row. */
export async function refundsWait(
  sql: Transaction,
  waits: readonly { readonly refundId: RefundId; readonly wait: RefundWait }[],
): Promise<void> {
  for (const { refundId, wait } of waits) {
    await sql`
      update refund set waiting_for = ${wait}, waiting_since = coalesce(waiting_since, now())
      where id = ${refundId} and status = 'open' and waiting_for is distinct from ${wait}`
  }
}

/**
 * Requeues a refund for a new signature, whose order can no longer be carried out. False when a transaction
 * carries it or an operator decides.
 */
export async function requeueForSigning(
  sql: Transaction,
  refundId: RefundId,
  itemId: bigint,
  /** The hub has spent its number for another order, which no row knows. */
  isLost = false,
): Promise<boolean> {
  const queued = await sql`
    update work_item set state = 'queued', tx_id = null, result = null,
      hub_wait = null, not_before = now(), updated_at = now()
    where id = ${itemId} and state in ('queued', 'failed') returning id`
  if (queued.length === 0) return false
  if (isLost) {
    await sql`
      insert into lost_refund_order (network_id, hub, order_number)
      select r.network_id, o.hub, r.order_number ${withHub(sql)}
      where r.id = ${refundId} and r.order_number is not null
      on conflict do nothing`
  }
  await sql`
    update refund set deadline = null, order_number = null, fee_left = null,
      offer_digest = null, offer_deadline = null
    where id = ${refundId} and status = 'open'`
  return true
}

/** Invoices with everything that belongs to them, by their ids. */
export async function invoicesWithRows(
  sql: Queryable,
  invoiceIds: readonly InvoiceId[],
): Promise<ReadonlyMap<InvoiceId, InvoiceRows>> {
  const invoices = await sql<MerchantsInvoice[]>`
    select *, null as merchant_recipient from invoice where id = any(${[...invoiceIds]}::uuid[])`
  const rows = await withTransactions(sql, invoices)
  return new Map(rows.map((row) => [row.invoice.id, row]))
}
