import type { RefundOrder } from '../../chain/hub/refunds.ts'
import { refundDigest } from '../../chain/hub/refundTerms.ts'
import type { RefundId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import {
  OFFER_LIFETIME_S,
  OFFER_RENEWED_S,
  type OrderView,
  type RefundWait,
  waitsOf,
} from '../../core/invoice/refundLimit.ts'
import { REFUND_LIFETIME_S } from '../../core/refund/refund.ts'
import type { Transaction } from '../../store/database/database.ts'
import { noteLostOrders } from '../../store/refund/lostOrders.ts'
import {
  firstInTurn,
  lockOrderNumbers,
  type OrderRow,
  type OrderTerms,
  promisedIn,
  refundsWait,
  saveOffers,
  saveOrders,
  useOrderNumbers,
} from '../../store/refund/orders.ts'
import type { ItemWait } from '../../store/relayer/hubWaits.ts'
import { chainTime, type KindContext } from '../relayer/kind.ts'
import { waitText } from './waitText.ts'

/** Deciding which refunds of one hub are signed now, and by which orders; the others wait, with a reason. */

/** A refund with the hub's state of its order. */
export interface ViewedRefund<Row extends OrderRow = OrderRow> {
  readonly row: Row
  readonly view: OrderView
}

/** An order that is to be signed; it is stored already. */
export interface DecidedOrder<Row extends OrderRow = OrderRow> {
  readonly row: Row
  readonly order: RefundOrder
}

export interface Decided<Row extends OrderRow> {
  readonly orders: readonly DecidedOrder<Row>[]
  readonly waiting: readonly ItemWait[]
}

/** How soon the hub is read again for what waits for room or an approval, in ms. */
const RETRY_AFTER_MS = 30_000

/**
 * Decides on refunds of one hub, in the transaction that stores what is signed. The numbers of the chain
 * are locked, so that no two processes count on the same room. What gets no number, because the hub was not
 * read enough of them, is examined the next time. `readFees` returns what each may leave to be charged.
 */
export async function decideOrders<Row extends OrderRow>(
  context: KindContext,
  sql: Transaction,
  refunds: readonly ViewedRefund<Row>[],
  readFees: (rows: readonly Row[]) => Promise<ReadonlyMap<RefundId, BaseUnits>>,
): Promise<Decided<Row>> {
  const { networkId } = context.client.chain
  const numbers = new Numbers(await lockOrderNumbers(sql, networkId))
  const waits = await waitsIn(context, sql, refunds)
  const fees = await readFees(refunds.map(({ row }) => row))
  const orders: (DecidedOrder<Row> & OrderTerms)[] = []
  const offers: (OrderTerms & { digest: ReturnType<typeof refundDigest> })[] = []
  const waiting: (ItemWait & { readonly refundId: RefundId; readonly why: RefundWait })[] = []
  for (const { row, view } of refunds) {
    const why = waits.get(row.refundId) ?? null
    if (why === 'refund_limit') {
      waiting.push({ ...itemWait(context, row, view), refundId: row.refundId, why })
      continue
    }
    const orderNumber = numbers.of(row, view)
    const feeNow = fees.get(row.refundId)
    if (orderNumber === null || feeNow === undefined) continue
    if (why === null) {
      const terms = termsOf(context, { row, view }, orderNumber, feeNow)
      orders.push({ ...terms, row, order: orderOf(row, terms) })
    } else {
      const terms = offerOf(context, row, orderNumber, feeNow)
      const digest = refundDigest(row.hub, context.client.chain.chainId, orderOf(row, terms))
      offers.push({ ...terms, digest })
      const wait = itemWait(context, row, view, digest)
      waiting.push({ ...wait, refundId: row.refundId, why })
    }
  }
  await useOrderNumbers(sql, networkId, numbers.last)
  const hub = refunds[0]?.row.hub
  if (hub !== undefined) await noteLostOrders(sql, { networkId, hub }, numbers.lost)
  await saveOrders(sql, orders)
  await saveOffers(sql, offers)
  await refundsWait(
    sql,
    waiting.map(({ refundId, why: wait }) => ({ refundId, wait })),
  )
  return { orders, waiting }
}

/** Gives each order its number: the one that it has, or the next one that the hub has not spent. */
class Numbers {
  /** Numbers that the hub has spent and no row was signed under: of orders whose commit was lost. */
  readonly lost: bigint[] = []

  constructor(private newest: bigint) {}

  get last(): bigint {
    return this.newest
  }

  /** Null when the hub was not read for the next one. */
  of({ deadline, orderNumber }: OrderRow, { spent }: OrderView): bigint | null {
    if (orderNumber !== null && (deadline !== null || spent.get(orderNumber) === false)) {
      return orderNumber
    }
    if (orderNumber !== null && spent.get(orderNumber) === true) this.lost.push(orderNumber)
    while (spent.get(this.newest + 1n) === true) {
      this.newest += 1n
      this.lost.push(this.newest)
    }
    if (spent.get(this.newest + 1n) === undefined) return null
    this.newest += 1n
    return this.newest
  }
}

/** Why refunds wait, by the room that the hub shows and what is promised of it. */
async function waitsIn(
  { client, head }: KindContext,
  sql: Transaction,
  refunds: readonly ViewedRefund[],
): Promise<ReadonlyMap<RefundId, RefundWait | null>> {
  const waits = new Map<RefundId, RefundWait | null>()
  for (const ofToken of Map.groupBy(refunds, ({ row }) => row.token).values()) {
    const [first] = ofToken
    if (first === undefined) continue
    const { hub, token } = first.row
    const place = { networkId: client.chain.networkId, hub, token }
    const ids = ofToken.map(({ row }) => row.refundId)
    const promised = await promisedIn(sql, place, first.view.block, ids)
    const time = chainTime(head)
    const candidates = ofToken.map(({ row, view }) => {
      return { ...row, isApproved: isApproved(row, view, time) }
    })
    const found = waitsOf(candidates, first.view.terms, promised, await firstInTurn(sql, place))
    for (const [id, wait] of found) waits.set(id, wait)
  }
  return waits
}

/** The owner has approved just the order that would be signed, and it is not too late for that. */
function isApproved(row: OrderRow, view: OrderView, time: bigint): boolean {
  const { orderNumber, offerDeadline } = row
  if (!view.isApproved || orderNumber === null || offerDeadline === null) return false
  return view.spent.get(orderNumber) === false && offerDeadline > time
}

/** What is signed: what was signed before, what the owner has approved, or else an order of now. */
function termsOf(
  context: KindContext,
  { row, view }: ViewedRefund,
  orderNumber: bigint,
  feeNow: BaseUnits,
): OrderTerms {
  const { refundId, feeLeft, offerDeadline } = row
  const time = chainTime(context.head)
  const kept = isApproved(row, view, time) ? offerDeadline : row.deadline
  if (kept !== null && feeLeft !== null) return { refundId, orderNumber, feeLeft, deadline: kept }
  const deadline = time + REFUND_LIFETIME_S
  return { refundId, orderNumber, feeLeft: feeNow, deadline }
}

/** The order that the owner has to approve. It stays the same for days, so that there is time for it. */
function offerOf(
  context: KindContext,
  row: OrderRow,
  orderNumber: bigint,
  feeNow: BaseUnits,
): OrderTerms {
  const { refundId, feeLeft, offerDeadline } = row
  const time = chainTime(context.head)
  const isGood = row.orderNumber === orderNumber && (offerDeadline ?? 0n) > time + OFFER_RENEWED_S
  if (isGood && offerDeadline !== null && feeLeft !== null) {
    return { refundId, orderNumber, feeLeft, deadline: offerDeadline }
  }
  const deadline = time + OFFER_LIFETIME_S
  return { refundId, orderNumber, feeLeft: feeNow, deadline }
}

function orderOf(row: OrderRow, terms: OrderTerms): RefundOrder {
  const { source, token, to, amount } = row
  const { orderNumber: refundId, feeLeft, deadline } = terms
  return { refundId, source, token, to, amount, feeLeft, deadline }
}

function itemWait(
  context: KindContext,
  row: OrderRow,
  { terms }: OrderView,
  digest: string | null = null,
): ItemWait {
  const until = new Date(Date.now() + RETRY_AFTER_MS)
  const reason = waitText(context.client.chain, row, terms, digest)
  return { itemId: row.itemId, wait: 'refund_limit', reason, until }
}
