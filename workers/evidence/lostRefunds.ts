import { readNativeBalances } from '../../chain/accounts.ts'
import { type Head, headerAt } from '../../chain/blocks.ts'
import type { ChainClient } from '../../chain/client.ts'
import { lookAtDeposit } from '../../chain/hub/deposits.ts'
import { type RefundedAt, refundsOutOf } from '../../chain/hub/refunds.ts'
import { readBalances } from '../../chain/token/balances.ts'
import { hasConfirmations } from '../../core/chain/depth.ts'
import { ZERO_ADDRESS } from '../../core/chain/evm.ts'
import type { LostOrder } from '../../core/invoice/refundLimit.ts'
import type { Database } from '../../store/database.ts'
import { expectedHoldings } from '../../store/invoice/holdings.ts'
import { firstPaymentBlock } from '../../store/invoice/sweeps.ts'
import { refundsNumbered } from '../../store/refund/orders.ts'
import type { RefundOrderRow } from '../../store/refund/work.ts'
import { isOrderOf } from './refunds.ts'
import type { Searches } from './searches.ts'

/**
 * Refunds that were paid, and that a lost commit made the ledger forget. Under another number the hub would
 * pay them once more, out of whatever else lies in the deposit.
 */

interface Context {
  readonly database: Database
  readonly client: ChainClient
  readonly searches: Searches
}

/** More than any number of ours, and the most that the ledger has room for. */
const NUMBER_MAX = 2n ** 63n - 1n

/**
 * By which orders these refunds were paid up to the head although the ledger has not signed them, by their
 * items; null for those that were not. What can't be told yet is missing. A deposit that holds all that the
 * ledger expects has paid nothing else, and no blocks are searched for it.
 */
export async function lostOrders(
  context: Context,
  rows: readonly RefundOrderRow[],
  head: Head,
): Promise<ReadonlyMap<bigint, LostOrder | null>> {
  const orders = new Map<bigint, LostOrder | null>(rows.map(({ itemId }) => [itemId, null]))
  const unsigned = rows.filter(({ deadline }) => deadline === null)
  for (const row of await drained(context, unsigned, head)) {
    const order = await lostOrder(context, row, head)
    if (order === undefined) orders.delete(row.itemId)
    else orders.set(row.itemId, order)
  }
  return orders
}

/** The refunds whose deposit holds less of their token after the head than the ledger expects. */
async function drained(
  { database, client }: Context,
  rows: readonly RefundOrderRow[],
  head: Head,
): Promise<RefundOrderRow[]> {
  const { chain, rpc } = client
  const ids = rows.map(({ invoiceId }) => invoiceId)
  const holdings = await expectedHoldings(database, chain.networkId, ids, head.number)
  const expected = new Map(holdings.map((h) => [`${h.invoiceId} ${h.token}`, h.amount]))
  const found: RefundOrderRow[] = []
  for (const [token, ofToken] of Map.groupBy(rows, (row) => row.token)) {
    const deposits = ofToken.map(({ deposit }) => deposit)
    const balances =
      token === ZERO_ADDRESS
        ? await readNativeBalances(rpc, deposits, head)
        : await readBalances(rpc, token, deposits, head)
    for (const [i, row] of ofToken.entries()) {
      const ledger = expected.get(`${row.invoiceId} ${token}`) ?? 0n
      if ((balances[i] ?? 0n) < ledger) found.push(row)
    }
  }
  return found
}

/** Undefined while it can't be told: it is not deep enough, or the search takes another turn. */
async function lostOrder(
  { database, client, searches }: Context,
  row: RefundOrderRow,
  head: Head,
): Promise<LostOrder | null | undefined> {
  const { chain, rpc } = client
  const first = await firstPaymentBlock(database, row.invoiceId, chain.networkId)
  const name = `lost order of refund ${row.refundId}`
  const search = await searches.find(name, first ?? 0n, head.number, async (from, to) => {
    const place = { source: row.deposit, token: row.token }
    const events = await refundsOutOf(rpc, row.hub, place, from, to)
    return unknownOf(database, chain.networkId, row, events)
  })
  if (search.type === 'open') return undefined
  searches.forget(name)
  if (search.type === 'nothing') return null
  const { orderNumber, block, blockHash } = search.value
  if (!hasConfirmations(block, head.number, chain.confirmations)) return undefined
  const [header, { feeLeft }] = await Promise.all([
    headerAt(rpc, block),
    lookAtDeposit(rpc, row.hub, row.deposit, head),
  ])
  if (header?.hash !== blockHash) return undefined
  return { orderNumber, feeLeft, overSince: BigInt(Math.floor(header.time.getTime() / 1000)) }
}

/** The first of these that paid what the refund is to pay, and that no other refund has paid it with. */
async function unknownOf(
  database: Database,
  networkId: string,
  row: RefundOrderRow,
  events: readonly RefundedAt[],
): Promise<RefundedAt | null> {
  const same = events.filter((event) => {
    return isOrderOf(row, event) && event.orderNumber <= NUMBER_MAX
  })
  if (same.length === 0) return null
  const numbers = same.map(({ orderNumber }) => orderNumber)
  const known = await refundsNumbered(database, networkId, numbers)
  const isKnown = (event: RefundedAt) =>
    known.some((other) => {
      const isNumbered = other.orderNumber === event.orderNumber
      return isNumbered && other.refundId !== row.refundId && isOrderOf(other, event)
    })
  return same.find((event) => !isKnown(event)) ?? null
}
