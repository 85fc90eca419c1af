import { serializeSignature } from 'viem'
import { hubEvents } from '../../chain/hub/contract.ts'
import type { RefundOrder } from '../../chain/hub/refunds.ts'
import { refundDigest } from '../../chain/hub/refundTerms.ts'
import type { RefundId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import { type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { batchGas, type ChainGas } from '../../core/chain/gas.ts'
import type { Chain } from '../../core/chain/registry.ts'
import type { Queryable, Transaction } from '../../store/database/database.ts'
import { type OrderRow, refundsWait } from '../../store/refund/orders.ts'
import type { ItemWait } from '../../store/relayer/hubWaits.ts'
import type { Ledger } from '../../store/relayer/transition.ts'
import { endItems, type WorkItem } from '../../store/relayer/workItems.ts'
import { unsignableItems } from '../relayer/hubWaits.ts'
import {
  chainTime,
  type Evidence,
  type Examined,
  type ItemFailure,
  type ItemOutcome,
  idsOf,
  itemsOfRows,
  itemsWithoutRow,
  type KindContext,
  limitOf,
  type PreparingContext,
  type WorkKind,
} from '../relayer/kind.ts'
import { refused, succeeded, unmentioned, waitOf } from '../relayer/outcomes.ts'
import { mostSignedBy } from '../signers/signatures.ts'
import { type DecidedOrder, decideOrders } from './order.ts'
import { carriedOut, isOrderOf } from './spentOrders.ts'

/**
 * Refunds are signed when they are assigned and the hub has room for them, each by an order that is stored with
 * it and never changes: after any transaction, the same order and no other may go out again. Before that they
 * are examined: a refund that the chain doesn't bear out is never signed. That an item has ended proves nothing
 * about the refund, because anyone may submit a signed order; only the chain's leader lets a refund fail, when
 * its time is over and the hub has not spent it.
 */

/** An order with its signature. */
export type SignedOrder<Row extends OrderRow> = Row & {
  readonly order: RefundOrder
  readonly signature: Hex
}

/** What is different between refunds out of deposits and out of forwarders. */
export interface OrdersOf<Row extends OrderRow> {
  read(sql: Queryable, itemIds: readonly bigint[]): Promise<Row[]>
  readonly examine: NonNullable<WorkKind['examine']>
  /** What each may leave to be charged. */
  feesLeft(
    context: KindContext,
    sql: Transaction,
    rows: readonly Row[],
  ): Promise<ReadonlyMap<RefundId, BaseUnits>>
  encode(calls: readonly SignedOrder<Row>[], gas: ChainGas): Hex
  /** A block before which it can't have been carried out. */
  since(sql: Queryable, row: Row, networkId: string): Promise<bigint>
  ledger(registry: readonly Chain[]): Ledger
}

export function signedOrders<Row extends OrderRow>(of: OrdersOf<Row>): WorkKind {
  const gasOf = ({ refund }: ChainGas) => batchGas(refund)
  return {
    gas: gasOf,
    isSingleUse: false,

    async outflows(sql, items) {
      const rows = await of.read(sql, idsOf(items))
      return rows.map(({ itemId, token, source: from, amount }) => ({
        itemId,
        token,
        from,
        amount,
      }))
    },

    examine: of.examine,

    async prepare(context, sql, items, examined) {
      const rows = await of.read(sql, idsOf(items))
      const { inTime, viewed, stopped } = await signable(context, sql, rows, examined)
      const target = viewed[0]?.row.hub ?? ZERO_ADDRESS
      const most = mostSignedBy(context.config.signers.refund)
      const ofHub = viewed.filter(({ row }) => row.hub === target).slice(0, most)
      const { orders, waiting } = await decideOrders(context, sql, ofHub, (some) =>
        of.feesLeft(context, sql, some),
      )
      const calls = await Promise.all(orders.map((decided) => signed(context, decided)))
      return {
        target,
        calldata: of.encode(calls, context.gas),
        gasLimit: limitOf(gasOf(context.gas), calls),
        items: itemsOfRows(
          items,
          orders.map(({ row }) => row),
        ),
        unusable: [
          ...itemsWithoutRow(items, rows, 'its refund is missing'),
          ...faulty(items, inTime, examined),
        ],
        waiting: [...stopped, ...waiting],
      }
    },

    async resolve(sql, target, items, logs) {
      const rows = await of.read(sql, idsOf(items))
      const byId = new Map(rows.map((row) => [row.itemId, row]))
      const events = hubEvents(target, logs)
      return items.map((item) => {
        const row = byId.get(item.id)
        // A receiver of coin can have the hub refuse any order in the middle of ours: a payment outweighs that.
        let refusal: ItemOutcome | null = null
        for (const event of events) {
          const { eventName, logIndex } = event
          if (eventName !== 'Refunded' && eventName !== 'RefundFailed') continue
          if (row === undefined || event.args.refundId !== row.orderNumber) continue
          if (eventName === 'RefundFailed') refusal ??= refused(item, event.args.reason, logIndex)
          else if (isOrderOf(row, paidBy(event.args))) return succeeded(item, logIndex)
        }
        return refusal ?? unmentioned(item, 'refund')
      })
    },

    async evidence({ database, client, searches }, _target, items, view) {
      const rows = await of.read(database, idsOf(items))
      const found: Evidence[] = []
      const open = new Set<bigint>()
      for (const row of rows) {
        const item = items.find(({ id }) => id === row.itemId)
        if (item === undefined) continue
        const since = await of.since(database, row, client.chain.networkId)
        const search = await carriedOut({ client, searches }, row, since, view)
        if (search.type === 'found') {
          const { value: at } = search
          found.push({ item, at, logIndex: at.logIndex, result: {} })
        } else if (search.type === 'open') open.add(item.id)
      }
      return { found, open }
    },

    ledger: (_item, registry) => of.ledger(registry),

    async waiting(sql, items) {
      const rows = await of.read(sql, idsOf(items))
      const refused = rows.flatMap(({ refundId, itemId }) => {
        const item = items.find(({ id }) => id === itemId)
        const wait = item && waitOf(item)?.wait
        return wait === 'refund_limit' || wait === 'stopped' ? [{ refundId, wait }] : []
      })
      await refundsWait(sql, refused)
    },
  }
}

/** Those whose order could be signed now, as far as was examined; what is over ends, and what is stopped is marked. */
async function signable<Row extends OrderRow>(
  context: PreparingContext,
  sql: Transaction,
  rows: readonly Row[],
  examined: ReadonlyMap<bigint, Examined>,
) {
  const time = chainTime(context.head)
  const inTime = rows.filter((row) => !isOver(row, time))
  // An order that expired while it waited for the hub is signed again, once the leader has released it.
  await endOver(
    sql,
    rows.filter((row) => isOver(row, time) && row.waitingFor === null),
  )
  const { address } = context.config.signers.refund
  const { networkId } = context.client.chain
  const stopped = await unsignableItems(sql, networkId, 'refunds', address, inTime)
  await noteStopped(sql, inTime, stopped)
  const viewed = inTime.flatMap((row) => {
    const view = isGood(row, examined) ? examined.get(row.itemId)?.view : undefined
    const isStopped = stopped.some(({ itemId }) => itemId === row.itemId)
    return view === undefined || isStopped ? [] : [{ row, view }]
  })
  return { inTime, viewed, stopped }
}

async function signed<Row extends OrderRow>(
  { config, client, sign }: PreparingContext,
  { row, order }: DecidedOrder<Row>,
): Promise<SignedOrder<Row>> {
  const { chainId } = client.chain
  const signature = await sign(config.signers.refund, refundDigest(row.hub, chainId, order))
  return { ...row, order, signature: serializeSignature(signature) }
}

/** What is signed, so that what was examined and what is signed can be compared. */
export function orderText({ hub, source, token, to, amount }: OrderRow): string {
  return [hub, source, token, to, amount].join(' ')
}

/** What was paid by a Refunded event. */
function paidBy(args: { source: Hex; token: Hex; to: Hex; amount: bigint }) {
  const [source, token, to] = [args.source, args.token, args.to].map(lowerCaseAddress)
  if (!source || !token || !to) throw new Error('a refund event names too few accounts')
  return { source, token, to, amount: args.amount }
}

/** Notes which refunds wait because refunds are stopped. */
async function noteStopped(
  sql: Transaction,
  rows: readonly OrderRow[],
  stopped: readonly ItemWait[],
): Promise<void> {
  const ids = new Set(stopped.map(({ itemId }) => itemId))
  const waits = rows.filter(({ itemId }) => ids.has(itemId))
  await refundsWait(
    sql,
    waits.map(({ refundId }) => ({ refundId, wait: 'stopped' })),
  )
}

/** What was examined is what would be signed, and nothing was wrong with it. */
function isGood(row: OrderRow, examined: ReadonlyMap<bigint, Examined>): boolean {
  const found = examined.get(row.itemId)
  return found?.fault === null && found.held === undefined && found.order === orderText(row)
}

/** Refunds that are never signed: they need review. */
function faulty(
  items: readonly WorkItem[],
  rows: readonly OrderRow[],
  examined: ReadonlyMap<bigint, Examined>,
): ItemFailure[] {
  const ids = new Set(rows.map(({ itemId }) => itemId))
  return items.flatMap((item) => {
    const reason = ids.has(item.id) ? examined.get(item.id)?.fault : null
    return reason ? [{ item, reason }] : []
  })
}

/** Decided already, or past the last second at which the hub would take it. */
export function isOver({ status, deadline }: OrderRow, time: bigint): boolean {
  return status !== 'open' || (deadline !== null && deadline <= time)
}

/** There is nothing to send for these; the leader finds out whether they were carried in time. */
async function endOver(sql: Transaction, rows: readonly OrderRow[]): Promise<void> {
  const reason = 'its time ran out before it was sent again'
  await endItems(
    sql,
    rows.map((row) => ({ item: { id: row.itemId }, reason })),
    'failed',
  )
}
