import type { RefundId } from '../../core/base/ids.ts'
import { max } from '../../core/base/integers.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { lockOrderNumbers, useOrderNumbers } from './orders.ts'

/** Orders that the hub has carried out and that no row knows: a failover has lost the commit that signed them. */

export interface LostOrder {
  readonly networkId: string
  readonly hub: Address
  readonly orderNumber: bigint
}

/** Notes numbers that the hub has spent, and that no refund has been signed under by our rows. */
export async function noteLostOrders(
  sql: Queryable,
  { networkId, hub }: Pick<LostOrder, 'networkId' | 'hub'>,
  numbers: readonly bigint[],
): Promise<void> {
  if (numbers.length === 0) return
  await sql`
    insert into lost_refund_order (network_id, hub, order_number)
    select ${networkId}, ${hub}, n from unnest(${numbers.map(String)}::text[]::bigint[]) as g (n)
    on conflict do nothing`
}

/** Those that were not read back, on one chain or on all. */
export async function unreadLostOrders(
  sql: Queryable,
  networkId: string | null = null,
): Promise<LostOrder[]> {
  return sql<LostOrder[]>`
    select network_id, hub, order_number from lost_refund_order
    where read_back_at is null and (${networkId}::text is null or network_id = ${networkId})
    order by network_id, order_number`
}

/** What the hub has paid by such an order, with the time of its block in unix seconds. */
export interface PaidOrder extends LostOrder {
  readonly source: Address
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
  readonly time: bigint
}

/**
 * Gives a lost order back to the refund that it was of: one that was requested and is not signed by our rows,
 * of the same amount out of the same account to the same receiver. From then on the leader finds where it was
 * paid, as it does with what others have carried out. Null when there is no such refund.
 */
export async function readBack(database: Database, paid: PaidOrder): Promise<RefundId | null> {
  return database.begin(async (sql) => {
    const refundId = await unsignedRefund(sql, paid)
    if (refundId === null) return null
    await sql`
      update refund set order_number = null, fee_left = null, offer_digest = null, offer_deadline = null
      where network_id = ${paid.networkId} and order_number = ${paid.orderNumber} and deadline is null
        and id <> ${refundId}`
    await sql`
      update refund set order_number = ${paid.orderNumber}, fee_left = 0, deadline = ${paid.time},
        offer_digest = null, offer_deadline = null, waiting_for = null, waiting_since = null
      where id = ${refundId}`
    await sql`
      update lost_refund_order set read_back_at = now()
      where network_id = ${paid.networkId} and order_number = ${paid.orderNumber}`
    // The next order has another one, so that no refund waits for what is known now.
    const last = await lockOrderNumbers(sql, paid.networkId)
    await useOrderNumbers(sql, paid.networkId, max(last, paid.orderNumber))
    return refundId
  })
}

/** Locked, and its work with it: no relayer signs it meanwhile. The one that had the number comes first. */
async function unsignedRefund(sql: Transaction, paid: PaidOrder): Promise<RefundId | null> {
  const { networkId, hub, source, token, to, orderNumber } = paid
  const [row] = await sql<{ id: RefundId }[]>`
    select r.id from refund r
    join work_item w on w.subject_id = r.id
    left join invoice i on i.id = r.invoice_id
    left join forwarder f on r.invoice_id is null and f.merchant_id = r.merchant_id
    where r.network_id = ${networkId} and r.token = ${token} and r.recipient = ${to}
      and r.amount = ${paid.amount.toString()}::numeric and r.status = 'open' and r.deadline is null
      and w.state in ('queued', 'failed', 'review')
      and coalesce(i.deposit_address, f.address) = ${source} and coalesce(i.hub, f.hub) = ${hub}
    order by r.order_number is distinct from ${orderNumber}, r.id limit 1
    for update of w, r`
  return row?.id ?? null
}

/** A block before which no refund on this chain was carried out: that of the first payment; 0 without one. */
export async function firstPaidBlock(sql: Queryable, networkId: string): Promise<bigint> {
  const [row] = await sql<{ first: bigint | null }[]>`
    select least(
      (select min(block_number) from payment where network_id = ${networkId}),
      (select min(block_number) from x402_payment where network_id = ${networkId})) as first`
  return row?.first ?? 0n
}

/** Numbers of orders that were offered to the hub's owner, and never signed by our rows. */
export async function offeredNumbers(sql: Queryable, networkId: string): Promise<bigint[]> {
  const rows = await sql<{ orderNumber: bigint }[]>`
    select order_number from refund
    where network_id = ${networkId} and status = 'open' and deadline is null
      and order_number is not null`
  return rows.map(({ orderNumber }) => orderNumber)
}
